#include <catena/kkt/detail/reaction_iteration.hpp>
#include <catena/kkt/detail/redundant_pivot.hpp>
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/stepper/detail/index_1.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/guards/detail/dependent_rows.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

constexpr double machine_precision = std::numeric_limits<double>::epsilon();
// Pivots of dependent rows are the proximal term, 1e-12; a hundred of them are more than what roundoff adds.
constexpr double dependent_pivot = 1e-10;
// Rows below this at the initial state are weak all along, as those of a loop whose redundant rows miss each other by what
// assembling it has left: no place is nearer to a flat position than others. Ten times what a step avoids to end below
// (projected_stepper.cpp).
constexpr double weak_from_the_start = 1e-6;

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
  velocity_rows_.assign(static_cast<std::size_t>(system.layout().lambda_size()), 0.0);
  redundant_ = of_positions_ = weak_by_masses_ = false;
  corrections_ = 1;
  if (system.layout().lambda_size() == 0) return {};
  const std::vector<Level>& levels = system.layout().level;
  const State initial = system.initial_state();
  evaluate_mass_and_rows(system, point_of(initial), kkt_.matrix());
  kkt_.update_proximal();
  const KktReport report = kkt_.factorize();
  weakest_pivot_ = report.weakest_dual_ratio;
  redundant_ = has_redundant_rows(kkt_, report);
  weak_by_masses_ = redundant_ && is_weak_by_masses(kkt_);
  if (weak_by_masses_) redundant_ = false;
  // Of pivots that masses leave, 3e-11 say: a thirtieth remains of each correction. Towards a singular configuration pivots
  // become as small, and there the first correction says what is found.
  constexpr double weak = 1e-8;
  constexpr int most = 6;
  corrections_ = weakest_pivot_ < weak ? most : 1;
  of_positions_ =
      (redundant_ || weakest_pivot_ >= weak_from_the_start) &&
      std::all_of(levels.begin(), levels.end(), [](Level level) { return level == Level::position; });
  return {};
}

// What goes into rhs_ gets the sign of a right-hand side.
void Index1Equations::evaluate(const Point& point, const Evaluation& wanted) {
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

// The matrix at s, with residuals. What is not finite is named before the elimination spreads it.
KktReport Index1Equations::linearize(const State& s, const Evaluation& rows_and_balance) {
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  Evaluation wanted = rows_and_balance;
  wanted.linearization = &lin;
  if (wanted.balance == nullptr) std::fill_n(rhs_.data(), system_->layout().v_size(), 0.0);
  evaluate(point_of(s), wanted);
  return not_finite("force balance",
                    wanted.balance != nullptr ? "acceleration residual" : "position residual");
}

KktReport Index1Equations::factorize_and_solve(double softness) {
  const PhaseTimer timer(statistics_->seconds_factorize);
  ++statistics_->factorizations;
  ++statistics_->solves;
  kkt_.update_proximal();
  if (redundant_) kkt_.scale_proximal(redundant_proximal * softness);
  KktReport report = kkt_.factorize_and_solve(rhs_.data());
  weakest_pivot_ = report.weakest_dual_ratio;
  if (report.status != Status::ok) return report;
  if (report.indefinite) {
    report.status = Status::singular_kkt;
    report.culprit = {report.offending_primal < 0 ? "" : kkt_.velocity_block_name(report.offending_primal),
                      "mass matrix not positive definite", 0.0};
    return report;
  }
  const KktReport solution = not_finite("acceleration", "multiplier");
  return solution.status == Status::ok ? report : solution;  // the first names the weakest row
}

KktReport Index1Equations::look_for_dependence(double t, KktReport report) {
  if (report.status != Status::ok || redundant_ || weak_by_masses_ || !looks_for_dependence_ ||
      !(weakest_pivot_ < dependent_pivot) || !dependent_rows_.looks())
    return report;
  const Culprit why = {system_->constraint_name(report.weakest_dual),
                       "rows become dependent, local Schur pivot", weakest_pivot_};
  if (dependent_rows_.refuses(t, why)) {
    report.status = Status::singular_kkt;
    report.culprit = why;
  }
  return report;
}

KktReport Index1Equations::accelerate(State& s) {
  Evaluation wanted;
  wanted.balance = rhs_.data();
  wanted.acceleration = rhs_.data() + s.v.size();
  KktReport report = linearize(s, wanted);
  if (report.status == Status::ok) report = look_for_dependence(s.t, factorize_and_solve());
  if (report.status != Status::ok) return report;
  const auto n = static_cast<std::ptrdiff_t>(s.v.size());
  std::copy(rhs_.begin(), rhs_.begin() + n, s.a.begin());
  std::copy(rhs_.begin() + n, rhs_.end(), s.lambda.begin());
  if (s.lambda.empty()) return report;
  if (redundant_) return accelerate_redundant(s);
  if (ReactionIteration::is_needed(*system_)) return follow_reactions(s);
  // k solves leave the k-th power of what one leaves, 1e-12 over the pivot: two are below roundoff behind a sound pivot. Beside
  // rows that are closer to dependence, and with pivots that are not known, the residuals are evaluated.
  constexpr double sound_pivot = 1e-4;
  return weakest_pivot_ >= sound_pivot && std::isfinite(weakest_pivot_) ? take_out_proximal(s)
                                                                        : correct(s, corrections_, false);
}

KktReport Index1Equations::accelerate_between(State& s) {
  const double kept = weakest_pivot_;
  looks_for_dependence_ = false;
  const KktReport report = accelerate(s);
  looks_for_dependence_ = true;
  weakest_pivot_ = kept;
  return report;
}

// The second solve leaves the square of what the first has left, and beside flat positions that is more than roundoff.
KktReport Index1Equations::settle(State& s) {
  constexpr int most = 6;
  KktReport report;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    evaluate_accelerations(s, nullptr);
    report = add_solution(s);
    if (report.status != Status::ok) break;
    const double moved = largest_of(rhs_.data(), static_cast<int>(s.v.size())), all = largest_of(s.a);
    if (moved * moved <= 0.25 * machine_precision * all * all || !(moved <= 0.5 * before)) break;
    before = moved;
  }
  return report;
}

// Where q and v satisfy redundant rows, so do accelerations: what the rows leave open of lambda moves nothing. Beside the
// rows, as stages are, they are independent of each other by a small sine, and nearly as much in contradiction: the ratio of
// the two, of order 1, becomes an acceleration along motions that are free. So a and lambda are those of the nearest q and v
// on the rows, which is a smooth function of q and v and the same on the rows themselves. Loops that stay in a plane need
// nothing of that; what a second solve adds to the open part of lambda shows it.
KktReport Index1Equations::accelerate_redundant(State& s) {
  constexpr double consistent = 1e-3;  // of lambda; roundoff leaves 1e-6, a gap of 1e-12 more than this
  const std::size_t n = s.v.size();
  const int rows = static_cast<int>(s.lambda.size());
  KktReport report = ReactionIteration::is_needed(*system_) ? follow_reactions(s) : settle(s);
  if (report.status != Status::ok) return report;
  if (weakest_pivot_ <= redundant_proximal * dependent_pivot &&
      largest_of(rhs_.data() + n, rows) <= consistent * largest_of(s.lambda))
    return report;
  on_rows_ = s;
  std::fill(on_rows_.a.begin(), on_rows_.a.end(), 0.0);
  std::fill(on_rows_.lambda.begin(), on_rows_.lambda.end(), 0.0);
  report = close(on_rows_);
  // Within 1e-5 rad of a flat position one row more has a pivot as small as the proximal term, and what moves onto the rows
  // hardly contracts. What the rows leave open there moves nothing either.
  if (report.status == Status::newton_not_converged) return {};
  if (report.status != Status::ok) return report;
  std::copy(on_rows_.a.begin(), on_rows_.a.end(), s.a.begin());
  std::copy(on_rows_.lambda.begin(), on_rows_.lambda.end(), s.lambda.begin());
  return report;
}

// The solution at hand satisfies G a + bias = E lambda with the proximal term E, which is all that is wrong with it beside
// roundoff.
KktReport Index1Equations::take_out_proximal(State& s) {
  const std::size_t n = s.v.size();
  const BlockPattern& p = *system_->layout().pattern;
  const BlockMatrix& matrix = std::as_const(kkt_).matrix();
  std::fill_n(rhs_.begin(), n, 0.0);
  for (int d = 0; d < p.dual_count(); ++d) {
    const double* const proximal = matrix.proximal(d);
    const int first = p.dual_offset[static_cast<std::size_t>(d)];
    for (int k = 0; k < p.dual_size[static_cast<std::size_t>(d)]; ++k) {
      const auto row = static_cast<std::size_t>(first + k);
      rhs_[row] = -proximal[k] * s.lambda[row - n];
    }
  }
  return add_solution(s);
}

double Index1Equations::strength(const double* rows) const {
  const BlockPattern& p = *system_->layout().pattern;
  const double part = KktOptions{}.proximal * (redundant_ ? redundant_proximal : 1.0);
  double sum = 0.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const double* const proximal = kkt_.matrix().proximal(d);
    const double* const of = rows + p.dual_offset[static_cast<std::size_t>(d)] - p.primal_dimension;
    for (int k = 0; k < p.dual_size[static_cast<std::size_t>(d)]; ++k)
      if (proximal[k] > 0.0) sum += of[k] * of[k] * part / proximal[k];
  }
  return sum;
}

KktReport Index1Equations::close(State& s) {
  if (s.lambda.empty()) return accelerate(s);
  // What redundant rows leave open of the multipliers no correction touches: carried from step to step, and extrapolated by
  // those that predict, it would grow without bound.
  if (redundant_) std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
  constexpr int most = 6;  // corrections of a and lambda; each takes an order of the local error from them
  bool residuals_known = false, matrix_is_there = true;
  KktReport report = close_positions(s, matrix_is_there);
  if (report.status == Status::ok && !matrix_is_there) report = make_matrix(s);
  if (report.status == Status::ok) report = close_velocities(s, residuals_known);
  if (report.status != Status::ok) return report;
  return ReactionIteration::is_needed(*system_) ? follow_reactions(s) : correct(s, most, residuals_known);
}

// Of rows that are residuals; the first that is not finite is the worst. Position rows count beside the numbers that they
// see, velocity rows by their size.
Index1Equations::Residual Index1Equations::worst_residual(const State& s, Rows rows,
                                                          const double* residuals) const {
  constexpr double units = 4.0;  // in the last place: where Newton's criterion of implicit steppers ends too
  constexpr double few = 64.0;   // roundoffs that sums of many terms leave
  constexpr double slowest_speed =
      1.0;  // [m/s, rad/s] below it roundoff is absolute: systems at rest have none
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  const bool positions = rows == Rows::position;
  RowLengths lengths(layout, point_of(s));
  const double speed = positions ? 1.0 : std::max(largest_of(s.v), slowest_speed);
  Residual worst{0, -1.0, units * machine_precision * speed, few * machine_precision * speed};
  if (!positions) worst.roundoff = few * machine_precision * std::max(1.0, layout.roundoff_length) * speed;
  for (int d = 0; d < p.dual_count(); ++d) {
    lengths.at(d);
    for (int k = 0; k < p.dual_size[static_cast<std::size_t>(d)]; ++k) {
      const int row = p.dual_offset[static_cast<std::size_t>(d)] + k - p.primal_dimension;
      const double size = positions ? lengths[k] : 1.0;
      const double x = std::abs(residuals[row]) / size;
      if (x <= worst.value) continue;
      worst.row = row;
      worst.value = x;
      if (!std::isfinite(x)) return worst;
    }
  }
  return worst;
}

KktReport Index1Equations::not_closed(const Residual& residual, const char* rows, double value) const {
  KktReport report;
  report.status = std::isfinite(value) ? Status::newton_not_converged : Status::not_finite;
  report.culprit = {kkt_.owner(system_->layout().v_size() + residual.row), rows, value};
  return report;
}

// The matrix and its factor at s, with the velocity rows.
KktReport Index1Equations::make_matrix(const State& s) {
  Evaluation wanted;
  wanted.velocity = velocity_rows_.data();
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  KktReport report = linearize(s, wanted);
  return report.status == Status::ok ? factorize_and_solve() : report;
}

// Simplified Newton. The matrix is made at the first iterate, and anew where the rows converge slowly. Each evaluation sees
// the velocity rows as well: behind the last one they are those of v at the end.
//
// Redundant rows, at a distance r from their solutions, are independent by pivots of order r^2 and contradict each other by
// as much. So that this moves nothing along free motions, they are softened by r: what is left there is of order r^2, and the
// others contract by r over their pivots. Such a matrix serves positions alone (matrix_is_there false).
KktReport Index1Equations::close_positions(State& s, bool& matrix_is_there) {
  constexpr int most = 12;             // moves: four times what smooth motions need
  constexpr double contraction = 0.1;  // slower is slow
  const std::size_t n = s.v.size();
  Evaluation wanted;
  wanted.position = rhs_.data() + n;
  wanted.velocity = velocity_rows_.data();
  double before = std::numeric_limits<double>::infinity();
  bool new_matrix = true;
  // Relative to the proximal term. From 1e-6 on r^2 is a hundredth of that; 1e-3 leaves pivots of ordinary rows as they are.
  constexpr double unit = redundant_proximal * 1e-12, near = 1e-6, softest = 1e-3, harder = 1e-3;
  double softness = softest / unit;
  for (int moves = 0;;) {
    KktReport report;
    if (new_matrix)
      report = linearize(s, wanted);
    else
      evaluate(point_of(s), wanted);
    if (report.status != Status::ok) return report;
    const Residual now = worst_residual(s, Rows::position, wanted.position);
    const bool slow = !(now.value <= contraction * before);
    const bool closed = now.value <= now.enough || (slow && now.value <= now.roundoff);
    if (!closed && (!std::isfinite(now.value) || moves == most))
      return not_closed(now, "position residual", -wanted.position[now.row]);
    if (new_matrix) {
      if (moves > 0) softness *= harder;
      softness = std::max(1.0, now.value > near ? std::min(softness, now.value / unit) : 1.0);
      matrix_is_there = !redundant_ || softness == 1.0;
      report = look_for_dependence(s.t, factorize_and_solve(softness));
    }
    if (closed || report.status != Status::ok) return report;
    if (!new_matrix && slow) {
      new_matrix = true;
      continue;
    }
    if (!new_matrix) {
      std::fill_n(rhs_.begin(), n, 0.0);
      solve();
    }
    system_->retract(s.q.data(), rhs_.data(), s.q.data());
    new_matrix = false;
    // The first move may pass a place where the rows are others: it is the moves behind it that must contract.
    if (moves++ > 0) before = now.value;
  }
}

// With the factor at hand, from the residuals in velocity_rows_. residuals_known: those of a and lambda are in rhs_.
KktReport Index1Equations::close_velocities(State& s, bool& residuals_known) {
  constexpr int most = 8;               // iterations: four times what smooth motions need
  constexpr double contraction = 0.25;  // slower is slow
  const std::size_t n = s.v.size();
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    const Residual now = worst_residual(s, Rows::velocity, velocity_rows_.data());
    const bool slow = !(now.value <= contraction * before);
    if (now.value <= now.enough || (slow && now.value <= now.roundoff)) return {};
    if (!std::isfinite(now.value) || k == most)
      return not_closed(now, "velocity residual", velocity_rows_[static_cast<std::size_t>(now.row)]);
    std::fill_n(rhs_.begin(), n, 0.0);
    for (std::size_t i = 0; i < velocity_rows_.size(); ++i) rhs_[n + i] = -velocity_rows_[i];
    solve();
    for (std::size_t i = 0; i < n; ++i) s.v[i] += rhs_[i];
    before = now.value;
    evaluate_accelerations(s, velocity_rows_.data());
    residuals_known = true;
  }
}

// Right-hand sides in rhs_ for one correction of a and lambda, and the velocity rows where they are wanted.
void Index1Equations::evaluate_accelerations(const State& s, double* velocity_rows) {
  Point point = point_of(s);
  point.a = s.a.data();
  point.lambda = s.lambda.data();
  Evaluation wanted;
  wanted.balance = rhs_.data();
  wanted.acceleration = rhs_.data() + s.v.size();
  wanted.velocity = velocity_rows;
  evaluate(point, wanted);
}

// Solves with the factor at hand for the right-hand side in rhs_; the solution remains there.
KktReport Index1Equations::add_solution(State& s) {
  const std::size_t n = s.v.size();
  solve();
  for (std::size_t i = 0; i < n; ++i) s.a[i] += rhs_[i];
  for (std::size_t i = 0; i < s.lambda.size(); ++i) s.lambda[i] += rhs_[n + i];
  return not_finite("acceleration", "multiplier");
}

// Until the forces that depend on multipliers are those of lambda. Corrections move what redundant rows leave open of lambda by
// roundoff over the proximal term, without end: there the balance says whether forces still change.
KktReport Index1Equations::follow_reactions(State& s) {
  const int n = system_->layout().v_size();
  double forces = 0.0;
  if (redundant_) {
    Evaluation wanted;
    wanted.balance = rhs_.data();
    evaluate(point_of(s), wanted);
    forces = largest_of(rhs_.data(), n);
  }
  ReactionIteration iteration(*system_);
  KktReport report;
  for (double moved = 0.0;;) {
    evaluate_accelerations(s, nullptr);
    if (redundant_) moved = largest_of(rhs_.data(), n);
    report = add_solution(s);
    if (report.status != Status::ok) return report;
    if (!redundant_) moved = largest_of(rhs_.data() + n, static_cast<int>(s.lambda.size()));
    if (!iteration.continues(moved, std::max(forces, largest_of(s.lambda)), report)) break;
  }
  return redundant_ && report.status == Status::ok ? settle(s)
                                                   : report;  // the balance says nothing of the rows
}

// Corrections until nothing moves, or what the next one would move is roundoff by the ratio of the last two. rhs_ holds the
// residuals of the first one where they are known.
KktReport Index1Equations::correct(State& s, int most, bool residuals_known) {
  double before = std::numeric_limits<double>::infinity();
  KktReport report;
  for (int k = 0; k < most && report.status == Status::ok; ++k) {
    if (k > 0 || !residuals_known) evaluate_accelerations(s, nullptr);
    report = add_solution(s);
    const double moved = largest_of(rhs_.data(), static_cast<int>(s.v.size()));
    const double unit = machine_precision * largest_of(s.a);
    const bool next_is_roundoff = k > 0 && moved * (moved / before) <= 0.25 * unit;
    if (moved <= 4.0 * unit || !(moved <= 0.5 * before) || next_is_roundoff) break;
    before = moved;
  }
  return report;
}

}  // namespace catena::detail
