// The index-1 system that Dormand-Prince solves at every stage, and the end of a step on the constraints. Projection,
// velocities and accelerations at the end of a step share one factorisation: q moves by the local error alone, and what
// that changes in the matrix is taken out by iterating on the true residuals.
#include <catena/solvers/dormand_prince.hpp>
#include <catena/stepper/phase_timer.hpp>
#include <catena/system/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double dependent_ratio = 1e-10;  // a hundred proximal terms

// Of the largest magnitude; the first that is not finite wins. -1: the range is empty.
int worst_of(const double* x, int count) {
  int worst = count > 0 ? 0 : -1;
  for (int k = 0; k < count; ++k) {
    if (!std::isfinite(x[k])) return k;
    if (std::abs(x[k]) > std::abs(x[worst])) worst = k;
  }
  return worst;
}

// The position row that is largest beside the numbers that it sees, and how large; the first that is not finite wins.
int worst_gap(const double* rows, const SystemLayout& layout, double length, double& value) {
  const BlockPattern& p = *layout.pattern;
  int worst = 0;
  value = -1.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    for (int k = 0; k < p.dual_size[i]; ++k) {
      const int row = p.dual_offset[i] - p.primal_dimension + k;
      const double size = k < layout.lengths(d) ? length : SystemLayout::roundoff_of_cosines;
      const double x = std::abs(rows[row]) / size;
      if (x <= value) continue;
      worst = row;
      value = x;
      if (!std::isfinite(x)) return worst;
    }
  }
  return worst;
}

double largest(const std::vector<double>& x) {
  double m = 0.0;
  for (const double value : x) m = std::max(m, std::abs(value));
  return m;
}

}  // namespace

// The solution of the right-hand side in rhs_ comes in the same pass.
KktReport DormandPrince::factorize_and_solve() {
  const PhaseTimer timer(statistics_.seconds_factorize);
  ++statistics_.factorizations;
  ++statistics_.solves;
  kkt_.update_proximal();
  KktReport report = kkt_.factorize_and_solve(rhs_.data());
  weakest_pivot_ = report.weakest_dual_ratio;
  if (!redundant_ && report.weakest_dual_ratio < dependent_ratio) {
    report.status = Status::singular_kkt;
    report.culprit = {system_->constraint_name(report.weakest_dual),
                      "rows become dependent, local Schur pivot", report.weakest_dual_ratio};
  }
  return report;
}

// Whether rows depend on each other from the start: then their multipliers are open, and nothing is made of it.
void DormandPrince::look_for_redundant_rows() {
  const State initial = system_->initial_state();
  discrete_ = initial.discrete.data();
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(at(initial.t, initial.q.data(), initial.v.data()), wanted);
  kkt_.update_proximal();
  redundant_ = kkt_.factorize().weakest_dual_ratio < dependent_ratio;
}

// The matrix [M G^T; G 0] at (t, q_, v_), and in rhs_ what it makes of forces and bias (the accelerations) or of the
// position rows (the step towards the constraints).
KktReport DormandPrince::linearize_and_solve(double t, bool with_forces) {
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    ++statistics_.evaluations;
    Linearization lin;
    lin.matrix = &kkt_.matrix();
    lin.mass = 1.0;
    Evaluation wanted;
    wanted.linearization = &lin;
    double* rows = rhs_.data() + v_.size();
    if (with_forces) {
      wanted.balance = rhs_.data();
      wanted.acceleration = rows;
    } else {
      std::fill(rhs_.begin(), rhs_.begin() + static_cast<std::ptrdiff_t>(v_.size()), 0.0);
      wanted.position = rows;
    }
    system_->evaluate(at(t, q_.data(), v_.data()), wanted);
    for (double& x : rhs_) x = -x;
  }
  return factorize_and_solve();
}

// a_ and lambda_ of the index-1 system at (t, q_, v_). The proximal term of the solver, 1e-12 of the rows, is taken
// out by one correction.
KktReport DormandPrince::accelerate(double t) {
  KktReport report = linearize_and_solve(t, true);
  if (report.status == Status::ok) report = check_finite(report, "acceleration");
  if (report.status != Status::ok) return report;
  const auto n = static_cast<std::ptrdiff_t>(v_.size());
  std::copy(rhs_.begin(), rhs_.begin() + n, a_.begin());
  std::copy(rhs_.begin() + n, rhs_.end(), lambda_.begin());
  return lambda_.empty() ? report : correct_accelerations(t).report;
}

KktReport DormandPrince::check_finite(KktReport report, const char* quantity) const {
  const int worst = worst_of(rhs_.data(), static_cast<int>(rhs_.size()));
  if (worst < 0 || std::isfinite(rhs_[static_cast<std::size_t>(worst)])) return report;
  report.status = Status::not_finite;
  report.culprit = {kkt_.owner(worst), quantity, rhs_[static_cast<std::size_t>(worst)]};
  return report;
}

// Moves q_ and v_ onto the constraints at t, and finds a_ and lambda_ there.
KktReport DormandPrince::finish(double t) {
  if (lambda_.empty()) return accelerate(t);
  KktReport report = close_positions(t);
  if (report.status == Status::ok) report = close_velocities(t);
  if (report.status == Status::ok) report = close_accelerations(t);
  return report;
}

void DormandPrince::solve() {
  const PhaseTimer timer(statistics_.seconds_solve);
  ++statistics_.solves;
  kkt_.solve(rhs_.data());
}

// Evaluates into rhs_, with the sign of a right-hand side.
void DormandPrince::residuals(const Point& point, const Evaluation& wanted) {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  ++statistics_.evaluations;
  system_->evaluate(point, wanted);
  for (double& x : rhs_) x = -x;
}

// A gap that is no number makes one of every correction: it is to blame, not the first body.
void DormandPrince::name_broken_gap(double t, KktReport& report) {
  const int n = static_cast<int>(v_.size());
  Evaluation wanted;
  wanted.position = rhs_.data() + n;
  residuals(at(t, q_.data(), v_.data()), wanted);
  const int worst = worst_of(rhs_.data() + n, static_cast<int>(lambda_.size()));
  const double gap = rhs_[static_cast<std::size_t>(n + worst)];
  if (!std::isfinite(gap)) report.culprit = {kkt_.owner(n + worst), "position residual", gap};
}

// Simplified Newton along M^-1 G^T, to roundoff; makes the matrix at the first iterate, and anew where it is slow.
KktReport DormandPrince::close_positions(double t) {
  constexpr int most = 12;
  const int n = static_cast<int>(v_.size());
  const double length = roundoff_length_at(system_->layout(), q_.data());
  double before = std::numeric_limits<double>::infinity();
  KktReport report = linearize_and_solve(t, false);
  if (report.status == Status::ok) report = check_finite(report, "position correction");
  if (report.status == Status::not_finite) name_broken_gap(t, report);
  for (int k = 0; report.status == Status::ok; ++k) {
    system_->retract(q_.data(), rhs_.data(), q_.data());
    Evaluation wanted;
    wanted.position = rhs_.data() + n;
    residuals(at(t, q_.data(), v_.data()), wanted);
    double value = 0.0;  // beside the numbers that the row sees
    const int worst = worst_gap(rhs_.data() + n, system_->layout(), length, value);
    if (value <= epsilon) break;
    const bool slow = !(value <= 0.1 * before);
    if (k > 0 && slow && value <= 64.0 * epsilon) break;  // nothing is gained any more
    if (!std::isfinite(value) || k == most) {
      report.status = std::isfinite(value) ? Status::newton_not_converged : Status::not_finite;
      report.culprit = {kkt_.owner(n + worst), "position residual",
                        -rhs_[static_cast<std::size_t>(n + worst)]};
      break;
    }
    if (k > 0 && slow) {
      report = linearize_and_solve(t, false);
    } else {
      std::fill(rhs_.begin(), rhs_.begin() + n, 0.0);
      solve();
    }
    before = value;
  }
  return report;
}

// v_ to the nearest velocity, in the norm of the mass matrix, that the rows allow.
KktReport DormandPrince::close_velocities(double t) {
  constexpr int most = 8;
  constexpr double slowest_speed =
      1.0;  // [m/s, rad/s] below it roundoff is absolute: systems at rest have none
  const int n = static_cast<int>(v_.size()), m = static_cast<int>(lambda_.size());
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    Evaluation wanted;
    wanted.velocity = rhs_.data() + n;
    residuals(at(t, q_.data(), v_.data()), wanted);
    const int worst = worst_of(rhs_.data() + n, m);
    const double value = std::abs(rhs_[static_cast<std::size_t>(n + worst)]);
    const double speed = std::max(largest(v_), slowest_speed);
    if (value <= epsilon * speed) return {};
    const bool slow = !(value <= 0.25 * before);
    if (slow && value <= 64.0 * epsilon * std::max(1.0, roundoff_length_) * speed) return {};
    if (!std::isfinite(value) || k == most) {
      KktReport report;
      report.status = std::isfinite(value) ? Status::newton_not_converged : Status::not_finite;
      report.culprit = {kkt_.owner(n + worst), "velocity residual",
                        -rhs_[static_cast<std::size_t>(n + worst)]};
      return report;
    }
    before = value;
    std::fill(rhs_.begin(), rhs_.begin() + n, 0.0);
    solve();
    for (int i = 0; i < n; ++i) v_[static_cast<std::size_t>(i)] += rhs_[static_cast<std::size_t>(i)];
  }
}

// One correction of a_ and lambda_ by the residuals of M a - f + G^T lambda and G a + bias, with the factor at hand.
DormandPrince::Correction DormandPrince::correct_accelerations(double t) {
  const std::size_t n = v_.size();
  Point point = at(t, q_.data(), v_.data());
  point.a = a_.data();
  point.lambda = lambda_.data();
  Evaluation wanted;
  wanted.balance = rhs_.data();
  wanted.acceleration = rhs_.data() + n;
  residuals(point, wanted);
  solve();
  Correction correction;
  correction.report = check_finite({}, "acceleration");
  for (std::size_t i = 0; i < n; ++i) {
    a_[i] += rhs_[i];
    correction.largest = std::max(correction.largest, std::abs(rhs_[i]));
  }
  for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += rhs_[n + i];
  return correction;
}

// Such corrections until nothing moves, from the values of the last stage.
KktReport DormandPrince::close_accelerations(double t) {
  constexpr int most = 6;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    const Correction c = correct_accelerations(t);
    if (c.report.status != Status::ok) return c.report;
    if (c.largest <= 4.0 * epsilon * largest(a_) || !(c.largest <= 0.5 * before)) break;
    before = c.largest;
  }
  return {};
}

}  // namespace catena
