#include <catena/driver/detail/grid.hpp>

#include <cassert>
#include <cmath>

namespace catena::detail {

Grid::Grid(double t_begin, double t_end, double wanted_step)
    : begin_(t_begin), end_(t_end), step_(wanted_step), steps_(0) {
  assert(wanted_step > 0.0 && t_end >= t_begin);
  const double quotient = (t_end - t_begin) / wanted_step;
  const double nearest = std::round(quotient);
  if (nearest >= 1.0 && std::abs(quotient - nearest) <= 1e-6) {
    steps_ = static_cast<long>(nearest);
  } else {
    steps_ = static_cast<long>(std::ceil(quotient));
  }
  if (steps_ == 0) return;
  // The step as typed where it fits to roundoff: its bits should not depend on the end of the run.
  const double fitted = (t_end - t_begin) / static_cast<double>(steps_);
  if (std::abs(fitted - wanted_step) > 1e-12 * wanted_step) step_ = fitted;
}

double Grid::instant(long k) const {
  if (k == steps_) return end_;
  return begin_ + static_cast<double>(k) * step_;
}

}  // namespace catena::detail
