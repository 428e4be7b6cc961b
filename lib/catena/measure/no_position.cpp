#include <catena/kkt/detail/position_newton.hpp>
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/no_position.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace catena::detail {
namespace {

// 'joint "A" (revolute)' -> A
std::string short_name(const std::string& name) {
  const std::size_t first = name.find('"'), last = name.rfind('"');
  return first == last ? name : name.substr(first + 1, last - first - 1);
}

class Search {
 public:
  Search(const System& system, const State& last)
      : system_(system), last_(last), closing_(system, kkt_), q_(last.q), next_(last.q) {
    closing_.max_iterations =
        60;  // beside the last position Newton's method halves the way in each iteration
    closing_.velocity_rows = false;
    limit_.absolute = 1e-9 * size_of_gaps(system.layout());
  }
  bool attach() { return kkt_.attach(system_, {}).empty(); }

  // Whether the rows are numbers there: a table that ends leaves none, which is no matter of positions.
  bool has_rows(double t) {
    Point at = point_of(last_);
    at.t = t;
    at.q = q_.data();
    rows_.resize(static_cast<std::size_t>(system_.layout().lambda_size()));
    Evaluation wanted;
    wanted.position = rows_.data();
    system_.evaluate(at, wanted);
    return first_not_finite(rows_) < 0;
  }

  void begin_at(const State& state) { q_ = state.q; }

  // Whether the rows can be met at the time t, from the last position that met them.
  bool continues(double t) {
    next_ = q_;
    Point at = point_of(last_);
    at.t = t;
    double change = 0.0;
    if (closing_.close(at, next_.data(), limit_, change).status != Status::ok) return false;
    q_.swap(next_);
    return true;
  }

  // The constraints in which the gaps of the last failure lie.
  std::string names() const {
    constexpr double least = 1e-6;  // of the largest share, a square of gaps
    const std::vector<double> shares = closing_.shares();
    const double largest = shares.empty() ? 0.0 : *std::max_element(shares.begin(), shares.end());
    std::string text;
    for (std::size_t d = 0; d < shares.size(); ++d) {
      const std::string name = system_.constraint_name(static_cast<int>(d));
      if (shares[d] > least * largest && !name.starts_with("unit quaternion"))
        text += (text.empty() ? "" : ", ") + short_name(name);
    }
    return text;
  }

  std::string worst() const {
    const std::vector<double> shares = closing_.shares();
    const auto largest = std::max_element(shares.begin(), shares.end());
    return system_.constraint_name(static_cast<int>(largest - shares.begin()));
  }

 private:
  const System& system_;
  const State& last_;
  KktSolver kkt_;
  PositionNewton closing_;
  GapLimit limit_;
  std::vector<double> q_, next_, rows_;
};

// Times between which positions end.
struct Between {
  double before, behind;
};

// From the last state; or, where a method has let its positions go, from the first one.
std::optional<Between> end_of_positions(Search& search, const System& system, const State& last,
                                        double step) {
  constexpr int farthest = 16, parts = 64;
  if (search.continues(last.t)) {
    double before = last.t;
    for (int steps = 1; steps <= farthest; steps *= 4) {
      const double t = last.t + steps * step;
      if (!search.has_rows(t)) return {};
      if (!search.continues(t)) return Between{before, t};
      before = t;
    }
    return {};
  }
  const State first = system.initial_state();
  const double length = (last.t + farthest * step - first.t) / parts;
  search.begin_at(first);
  if (!search.continues(first.t)) return {};
  for (int k = 1; k <= parts; ++k) {
    if (!search.has_rows(first.t + k * length)) return {};
    if (!search.continues(first.t + k * length))
      return Between{first.t + (k - 1) * length, first.t + k * length};
  }
  return {};
}

}  // namespace

std::optional<Culprit> no_position(const System& system, const State& last, double step) {
  constexpr int largest_system = 60000;  // velocities: a search takes seconds there
  const SystemLayout& layout = system.layout();
  const bool any = std::find(layout.level.begin(), layout.level.end(), Level::position) != layout.level.end();
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!any || layout.v_size() > largest_system || !(step > 0.0) ||
      !std::all_of(last.q.begin(), last.q.end(), finite))
    return {};
  Search search(system, last);
  if (!search.attach()) return {};
  const std::optional<Between> found = end_of_positions(search, system, last, step);
  if (!found) return {};
  // Failures from positions that are nearer and nearer prove that the first one was no matter of the way.
  constexpr int halvings = 24;
  double before = found->before, behind = found->behind;
  int failures = 0;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (before + behind);
    if (search.continues(middle)) {
      before = middle;
    } else {
      behind = middle;
      ++failures;
    }
  }
  if (failures == 0) return {};
  // So close to the end, gaps are as small as the limit, and one that was open may be met from a nearer position.
  for (double further = behind - before; search.continues(behind); further *= 2.0) {
    if (behind >= found->behind) return {};
    behind = std::min(behind + further, found->behind);
  }
  std::string names = search.names();
  // Further on, the gaps are far above the limit, and each constraint has its part of them.
  if (!search.continues(found->behind + 16.0 * step)) names = search.names();
  if (names.empty()) return {};  // gaps that are no numbers
  Culprit culprit{search.worst(), "no position from this time on [s]", behind};
  culprit.why = printed("no position near t = %.4g s satisfies ", behind) + names;
  return culprit;
}

}  // namespace catena::detail
