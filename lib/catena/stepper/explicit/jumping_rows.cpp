#include <catena/stepper/explicit/detail/jumping_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace catena::detail {

void JumpingRows::attach(const System& system, bool plain) {
  system_ = &system;
  plain_ = plain;
  hides_below_ = 0.0;
  taken_v_.assign(static_cast<std::size_t>(system.layout().v_size()), 0.0);
  taken_x_.assign(plain ? static_cast<std::size_t>(system.layout().q_size) : taken_v_.size(), 0.0);
  missed_ = taken_v_;
}

void JumpingRows::before_projection(const std::vector<double>& x, const std::vector<double>& v) {
  std::copy(x.begin(), x.end(), taken_x_.begin());
  std::copy(v.begin(), v.end(), taken_v_.begin());
}

void JumpingRows::after_projection(const std::vector<double>& x, const std::vector<double>& v) {
  for (std::size_t i = 0; i < x.size(); ++i) taken_x_[i] -= x[i];
  for (std::size_t i = 0; i < v.size(); ++i) taken_v_[i] -= v[i];
}

double JumpingRows::noise(double speed, double weakest_pivot) const {
  constexpr double few = 64.0 * std::numeric_limits<double>::epsilon();
  return few * std::max(1.0, system_->layout().roundoff_length) * std::max(1.0, speed) /
         std::sqrt(std::min(1.0, weakest_pivot));
}

KktReport JumpingRows::check(const State& from, const State& end, const std::vector<double>& x, double h,
                             Index1Equations& equations) {
  // 5 % of the motion in the norm of the mass matrix, as the watch over poles lets constraint forces err by
  // (docs/theory/newton.md).
  constexpr double bound = 0.05;
  constexpr double at_rest = 1e-4;  // [1/s] of its size: where nothing moves, roundoff is taken
  const auto largest = [&](const std::vector<double>& taken) {
    double most = 0.0;
    for (std::size_t i = 0; i < taken_v_.size(); ++i)
      most = std::max(most, std::abs(taken[i]) / system_->layout().scale[i]);
    return most;
  };
  const double noise_x = at_rest * h + noise(0.0, equations.weakest_pivot());
  const double taken_x = plain_ ? 0.0 : largest(taken_x_), taken_v = largest(taken_v_);
  if (!(taken_x > noise_x) && !(taken_v > at_rest)) return {};
  const auto norm = [&](const State& at, const std::vector<double>& v) {
    return norm_by_mass(at, v, equations.work());
  };
  const double speed = std::max(norm(from, from.v), norm(end, end.v));
  const double of_v = norm(end, taken_v_) / speed;
  const double of_x = plain_ ? 0.0 : norm(end, taken_x_) / std::max(norm(end, x), h * speed);
  if (!(std::max(of_v, of_x) > bound)) return {};
  if (of_x > of_v) hides_below_ = 2.0 * h * noise_x / taken_x;
  char text[120];
  std::snprintf(text, sizeof text,
                "rows jump within a step from t = %.7g s, part of the motion undone by the projection",
                from.t);
  KktReport report;
  report.status = Status::singular_kkt;
  report.culprit = {worst_constraint(end, h, equations), text, std::max(of_v, of_x)};
  return report;
}

std::string JumpingRows::worst_constraint(const State& end, double h, Index1Equations& equations) {
  const std::size_t n = taken_v_.size();
  for (std::size_t i = 0; i < n; ++i) missed_[i] = end.v[i] + taken_v_[i] + (plain_ ? 0.0 : taken_x_[i] / h);
  Point at = point_of(end);
  at.v = missed_.data();
  double* const rows = equations.work() + n;
  Evaluation wanted;
  wanted.velocity = rows;
  system_->evaluate(at, wanted);  // those of the projected velocities vanish
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double* worst = std::max_element(rows, rows + end.lambda.size(), smaller);
  return equations.kkt().owner(static_cast<int>(worst - equations.work()));
}

// sqrt(v.M v) at the positions of a state.
double JumpingRows::norm_by_mass(const State& at, const std::vector<double>& v, double* work) const {
  Point there = point_of(at);
  there.v = nullptr;
  there.a = v.data();
  there.forces = false;
  Evaluation wanted;
  wanted.balance = work;
  system_->evaluate(there, wanted);
  double square = 0.0;
  for (std::size_t i = 0; i < taken_v_.size(); ++i) square += work[i] * v[i];
  return std::sqrt(square);
}

}  // namespace catena::detail
