#include <catena/kkt/detail/reaction_iteration.hpp>
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/explicit/detail/index_1.hpp>
#include <catena/stepper/guards/detail/dependent_rows.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Pivots of dependent rows are the proximal term, 1e-12; a hundred of them are more than what roundoff adds.
constexpr double dependent_pivot = 1e-10;
// Of redundant rows in mechanisms with slender bars, or that were assembled to a tolerance, as in kkt/redundancy.cpp.
constexpr double suspicious_pivot = 1e-6;

}  // namespace

std::string Index1Equations::attach(const System& system, LinearSolverFactory backend,
                                    StepperStatistics& statistics, GuardMode dependent_rows) {
  system_ = &system;
  statistics_ = &statistics;
  dependent_rows_.attach(dependent_rows_guard, dependent_rows, statistics);
  KktOptions options;
  options.backend = std::move(backend);
  if (std::string refusal = kkt_.attach(system, options); !refusal.empty()) return refusal;
  rhs_.assign(static_cast<std::size_t>(kkt_.dimension()), 0.0);
  redundant_ = close_stages_ = false;
  if (system.layout().lambda_size() == 0) return {};
  const State initial = system.initial_state();
  evaluate_mass_and_rows(system, point_of(initial), kkt_.matrix());
  kkt_.update_proximal();
  const double weakest = kkt_.factorize().weakest_dual_ratio;
  redundant_ = weakest < dependent_pivot;
  close_stages_ = weakest < suspicious_pivot;
  return {};
}

// Evaluates into rhs_, with the sign of a right-hand side.
void Index1Equations::residuals(const Point& point, const Evaluation& wanted) {
  const PhaseTimer timer(statistics_->seconds_evaluate);
  ++statistics_->evaluations;
  system_->evaluate(point, wanted);
  for (double& x : rhs_) x = -x;
}

void Index1Equations::solve() {
  const PhaseTimer timer(statistics_->seconds_solve);
  ++statistics_->solves;
  kkt_.solve(rhs_.data());
}

// not_finite with the first number of rhs_ that is none: a component of the balance, or a row. ok: all are.
KktReport Index1Equations::not_finite(const char* balance, const char* rows) const {
  KktReport report;
  const int k = first_not_finite(rhs_);
  if (k < 0) return report;
  report.status = Status::not_finite;
  report.culprit = {kkt_.owner(k), k < system_->layout().v_size() ? balance : rows,
                    rhs_[static_cast<std::size_t>(k)]};
  return report;
}

// The matrix at s, and the solution for the accelerations or the step to the position rows. What is not finite is named
// before the elimination spreads it.
KktReport Index1Equations::linearize_and_solve(const State& s, Rows rows) {
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  const bool forces = rows == Rows::acceleration;
  double* const dual = rhs_.data() + system_->layout().v_size();
  (forces ? wanted.acceleration : wanted.position) = dual;
  if (forces)
    wanted.balance = rhs_.data();
  else
    std::fill(rhs_.data(), dual, 0.0);
  residuals(point_of(s), wanted);
  KktReport report = not_finite("force balance", forces ? "acceleration residual" : "position residual");
  if (report.status == Status::ok) report = factorize_and_solve(s.t);
  if (report.status == Status::ok) report = not_finite("acceleration", "multiplier");
  return report;
}

KktReport Index1Equations::factorize_and_solve(double t) {
  const PhaseTimer timer(statistics_->seconds_factorize);
  ++statistics_->factorizations;
  ++statistics_->solves;
  kkt_.update_proximal();
  KktReport report = kkt_.factorize_and_solve(rhs_.data());
  weakest_pivot_ = report.weakest_dual_ratio;
  if (redundant_ || !(weakest_pivot_ < dependent_pivot) || !dependent_rows_.looks()) return report;
  const Culprit why = {system_->constraint_name(report.weakest_dual),
                       "rows become dependent, local Schur pivot", weakest_pivot_};
  if (dependent_rows_.refuses(t, why)) {
    report.status = Status::singular_kkt;
    report.culprit = why;
  }
  return report;
}

// Off the constraints redundant rows are independent ones, and hold the motion that they leave free on them: with a gap of 1e-5
// at a stage a mechanism with redundant rows loses energy at an order of the step beyond any tolerance.
KktReport Index1Equations::at_stage(State& s) { return close_stages_ ? close(s) : accelerate(s); }

KktReport Index1Equations::accelerate(State& s) {
  const KktReport report = linearize_and_solve(s, Rows::acceleration);
  if (report.status != Status::ok) return report;
  const auto n = static_cast<std::ptrdiff_t>(s.v.size());
  std::copy(rhs_.begin(), rhs_.begin() + n, s.a.begin());
  std::copy(rhs_.begin() + n, rhs_.end(), s.lambda.begin());
  if (s.lambda.empty()) return report;
  return ReactionIteration::is_needed(*system_) ? follow_reactions(s) : correct(s, 1);
}

KktReport Index1Equations::close(State& s) {
  if (s.lambda.empty()) return accelerate(s);
  constexpr int most = 6;  // corrections of a and lambda; each takes an order of the local error from them
  KktReport report = close_rows(s, Rows::position);
  if (report.status == Status::ok) report = close_rows(s, Rows::velocity);
  if (report.status != Status::ok) return report;
  return ReactionIteration::is_needed(*system_) ? follow_reactions(s) : correct(s, most);
}

// Of the residuals in rhs_; the first that is not finite is the worst. Position rows count beside the numbers that they
// see, velocity rows by their size.
Index1Equations::Residual Index1Equations::worst_residual(const State& s, Rows rows) const {
  constexpr double few = 64.0;  // roundoffs that sums of many terms leave
  constexpr double slowest_speed =
      1.0;  // [m/s, rad/s] below it roundoff is absolute: systems at rest have none
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  const bool positions = rows == Rows::position;
  RowLengths lengths(layout, s.q.data());
  const double speed = positions ? 1.0 : std::max(largest_of(s.v), slowest_speed);
  Residual worst{0, -1.0, epsilon * speed, few * epsilon * speed};
  if (!positions) worst.roundoff = few * epsilon * std::max(1.0, layout.roundoff_length) * speed;
  for (int d = 0; d < p.dual_count(); ++d) {
    lengths.at(d);
    for (int k = 0; k < p.dual_size[static_cast<std::size_t>(d)]; ++k) {
      const int row = p.dual_offset[static_cast<std::size_t>(d)] + k;
      const double size = positions ? lengths[k] : 1.0;
      const double x = std::abs(rhs_[static_cast<std::size_t>(row)]) / size;
      if (x <= worst.value) continue;
      worst.row = row;
      worst.value = x;
      if (!std::isfinite(x)) return worst;
    }
  }
  return worst;
}

// Simplified Newton. Position rows make the matrix at the first iterate, and anew where they converge slowly.
KktReport Index1Equations::close_rows(State& s, Rows rows) {
  const bool positions = rows == Rows::position;
  const int most = positions ? 12 : 8;                // iterations: four times what smooth motions need
  const double contraction = positions ? 0.1 : 0.25;  // slower is slow
  const std::size_t n = s.v.size();
  KktReport report;
  if (positions) report = linearize_and_solve(s, rows);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; report.status == Status::ok; ++k) {
    if (positions) system_->retract(s.q.data(), rhs_.data(), s.q.data());
    Evaluation wanted;
    (positions ? wanted.position : wanted.velocity) = rhs_.data() + n;
    residuals(point_of(s), wanted);
    const Residual now = worst_residual(s, rows);
    const bool slow = !(now.value <= contraction * before);
    if (now.value <= now.enough || (slow && now.value <= now.roundoff)) break;
    if (!std::isfinite(now.value) || k == most) {
      report.status = std::isfinite(now.value) ? Status::newton_not_converged : Status::not_finite;
      report.culprit = {kkt_.owner(now.row), positions ? "position residual" : "velocity residual",
                        -rhs_[static_cast<std::size_t>(now.row)]};
    } else if (positions && slow) {
      report = linearize_and_solve(s, rows);
    } else {
      std::fill_n(rhs_.begin(), n, 0.0);
      solve();
    }
    if (!positions && report.status == Status::ok)
      for (std::size_t i = 0; i < n; ++i) s.v[i] += rhs_[i];
    before = now.value;
  }
  return report;
}

// One correction of a and lambda by the residuals of M a - f + G^T lambda and G a + bias, with the factor at hand; it
// remains in rhs_.
KktReport Index1Equations::correct_once(State& s) {
  const std::size_t n = s.v.size();
  Point point = point_of(s);
  point.a = s.a.data();
  point.lambda = s.lambda.data();
  Evaluation wanted;
  wanted.balance = rhs_.data();
  wanted.acceleration = rhs_.data() + n;
  residuals(point, wanted);
  solve();
  for (std::size_t i = 0; i < n; ++i) s.a[i] += rhs_[i];
  for (std::size_t i = 0; i < s.lambda.size(); ++i) s.lambda[i] += rhs_[n + i];
  return not_finite("acceleration", "multiplier");
}

// Until the forces that depend on multipliers are those of lambda.
KktReport Index1Equations::follow_reactions(State& s) {
  ReactionIteration iteration(*system_);
  KktReport report;
  double moved = 0.0;
  do {
    report = correct_once(s);
    if (report.status != Status::ok) return report;
    moved = largest_of(rhs_.data() + s.v.size(), static_cast<int>(s.lambda.size()));
  } while (iteration.continues(moved, largest_of(s.lambda), report));
  return report;
}

// Corrections until nothing moves.
KktReport Index1Equations::correct(State& s, int most) {
  double before = std::numeric_limits<double>::infinity();
  KktReport report;
  for (int k = 0; k < most && report.status == Status::ok; ++k) {
    report = correct_once(s);
    const double moved = largest_of(rhs_.data(), static_cast<int>(s.v.size()));
    if (k + 1 == most) break;
    if (moved <= 4.0 * epsilon * largest_of(s.a) || !(moved <= 0.5 * before)) break;
    before = moved;
  }
  return report;
}

}  // namespace catena::detail
