// Rows that jump within a step of Dormand-Prince. At the end of a step the projection takes out the local error: unless
// the rows there are not those that the stages have followed, as behind the instant at which a disc has fallen flat and
// its contact is elsewhere on the rim. Then it takes a part of the motion, however short the step is: velocities in an
// impact, or positions back to where the rows are the old ones, step after step. The stages do not see it, for their
// slopes stay bounded.
#include <catena/solvers/dormand_prince.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace catena {

// What roundoff leaves to be taken of positions and of velocities, the latter at such a speed; rows at the sine s of an
// angle to each other, with the weakest pivot s^2, amplify it by 1/s.
double DormandPrince::projection_noise(double speed) const {
  constexpr double few = 64.0 * std::numeric_limits<double>::epsilon();
  return few * std::max(1.0, roundoff_length_) * std::max(1.0, speed) /
         std::sqrt(std::min(1.0, weakest_pivot_));
}

// The last stage of an attempt, at x_, q_, v_, moved onto the constraints.
KktReport DormandPrince::finish_and_compare(const State& state, double h) {
  const double t = state.t + h;
  if (lambda_.empty()) return finish(t);
  std::copy(x_.begin(), x_.end(), taken_x_.begin());
  std::copy(v_.begin(), v_.end(), taken_v_.begin());
  const KktReport report = finish(t);
  if (report.status != Status::ok) return report;
  if (plain_)
    std::copy(q_.begin(), q_.end(), x_.begin());
  else
    system_->difference(state.q.data(), q_.data(), x_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) taken_x_[i] -= x_[i];
  for (std::size_t i = 0; i < v_.size(); ++i) taken_v_[i] -= v_[i];
  return check_jump(state, h);
}

KktReport DormandPrince::check_jump(const State& state, double h) {
  // 5 % of the motion in the norm of the mass matrix, as the watch over poles lets constraint forces err by
  // (docs/theory/newton.md).
  constexpr double bound = 0.05;
  constexpr double at_rest = 1e-4;  // [1/s] of its size: where nothing moves, roundoff is taken
  const auto largest = [&](const std::vector<double>& taken) {
    double x = 0.0;
    for (std::size_t i = 0; i < v_.size(); ++i)
      x = std::max(x, std::abs(taken[i]) / system_->layout().scale[i]);
    return x;
  };
  const double noise = at_rest * h + projection_noise(0.0);
  const double taken_x = plain_ ? 0.0 : largest(taken_x_), taken_v = largest(taken_v_);
  if (!(taken_x > noise) && !(taken_v > at_rest)) return {};
  const double speed = std::max(norm_by_mass(state.q, state.v), norm_by_mass(q_, v_));
  const double of_v = norm_by_mass(q_, taken_v_) / speed;
  const double of_x = plain_ ? 0.0 : norm_by_mass(q_, taken_x_) / std::max(norm_by_mass(q_, x_), h * speed);
  if (!(std::max(of_v, of_x) > bound)) return {};
  if (of_x > of_v) jumps_hide_below_ = 2.0 * h * noise / taken_x;
  char text[120];
  std::snprintf(text, sizeof text,
                "rows jump within a step from t = %.7g s, part of the motion undone by the projection",
                state.t);
  KktReport report;
  report.status = Status::singular_kkt;
  report.culprit = {constraint_that_takes(state.t + h, h), text, std::max(of_v, of_x)};
  return report;
}

// The one that an attempt at h with its end at t missed by the most before it was projected. Overwrites a_.
std::string DormandPrince::constraint_that_takes(double t, double h) {
  const std::size_t n = v_.size();
  for (std::size_t i = 0; i < n; ++i) a_[i] = v_[i] + taken_v_[i] + (plain_ ? 0.0 : taken_x_[i] / h);
  Evaluation wanted;
  wanted.velocity = rhs_.data() + n;
  system_->evaluate(at(t, q_.data(), a_.data()), wanted);  // those of v_ vanish
  const auto larger = [](double x, double y) { return std::abs(x) < std::abs(y); };
  const auto worst = std::max_element(rhs_.begin() + static_cast<std::ptrdiff_t>(n), rhs_.end(), larger);
  return kkt_.owner(static_cast<int>(worst - rhs_.begin()));
}

// sqrt(v.M(q) v)
double DormandPrince::norm_by_mass(const std::vector<double>& q, const std::vector<double>& v) {
  Point there = at(0.0, q.data(), nullptr);
  there.a = v.data();
  there.forces = false;
  Evaluation wanted;
  wanted.balance = rhs_.data();
  system_->evaluate(there, wanted);
  double square = 0.0;
  for (std::size_t i = 0; i < v_.size(); ++i) square += rhs_[i] * v[i];
  return std::sqrt(square);
}

}  // namespace catena
