#include <catena/driver/detail/run_loop.hpp>
#include <catena/math/detail/option_range.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace catena {
using namespace detail;
const RunOptions& detail::checked(const RunOptions& options, double t_begin) {
  if (const std::optional<OutOfRange> wrong = first_out_of_range(options)) {
    std::ostringstream text;
    text << "the option \"" << wrong->name << "\" of a run must lie between " << wrong->minimum << " and "
         << wrong->maximum << ", is " << wrong->value;
    throw std::invalid_argument(text.str());
  }
  const double steps = std::max(0.0, options.end - t_begin) / options.step;
  if (!std::isfinite(t_begin) || !(steps <= most_steps))
    throw std::invalid_argument("a run from t = " + std::to_string(t_begin) + " s to " +
                                std::to_string(options.end) + " s has too many steps to count");
  // Steps of the grid are shortened to fit: a run that is shorter than any step has none.
  constexpr double smallest = 1e-12, roundings = 16.0 * std::numeric_limits<double>::epsilon();
  const double length = options.end - t_begin;
  if (length < -std::max(smallest, roundings * std::max(std::abs(t_begin), std::abs(options.end)))) {
    std::ostringstream text;
    text << "a run to t = " << options.end << " s cannot begin at t = " << t_begin
         << " s, which lies behind that end";
    throw std::invalid_argument(text.str());
  }
  if (length > 0.0 &&
      std::min(length, options.step) <
          std::max(smallest, roundings * std::max(std::abs(t_begin), std::abs(options.end)))) {
    std::ostringstream text;
    text << "a run from t = " << t_begin << " s to " << options.end << " s in steps of " << options.step
         << " s has steps that are too small to be distinguished: the smallest is "
         << std::max(smallest, roundings * std::max(std::abs(t_begin), std::abs(options.end))) << " s";
    throw std::invalid_argument(text.str());
  }
  return options;
}

void visit(OptionVisitor& visitor, RunOptions& options) {
  visitor.real(
      {"step", "s", "size of a step, or of the output where the stepper chooses its steps; the same for all",
       1e-12, 1e6},
      options.step);
  visitor.real({"end", "s", "time at which the run ends", 0.0, 1e12}, options.end);
  visitor.integer({"every", "1", "write every K-th instant; the first and the last always", 1, 1e9},
                  options.every);
  visitor.integer({"max_cuts", "1", "a failed step is halved at most so often", 0, most_cuts},
                  options.max_cuts);
}

}  // namespace catena
