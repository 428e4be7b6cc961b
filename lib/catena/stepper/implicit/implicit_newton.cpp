// One step of the engine by Newton's method. With delta the perturbation of q in units and h~ = unit / damping:
//     delta v' = T^-1 delta,  delta v = damping T^-1 delta
//     H = (M + damping D) T^-1 + unit K,  B = G^T
//     rows g / unit: C = G;  (G v + g_t) / damping: C = G T^-1 + h~ N, N = d(G v + g_t)/dq
//     d/dt (G v + g_t): C = G T^-1 + h~ (2 N + G ad_v) + O(h~^2) = 3 G T^-1 - 2 G + 2 h~ N + O(h~^2)
// The last line uses T^-1 = I + ad/2 at xi = h v and d(dG/dt v)/dv = 2 N + G ad_v; for exact Newton the rest of
// these rows is added in solve_acceleration_rows().
#include <catena/math/detail/add_multiple.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/for_each_part.hpp>
#include <catena/stepper/detail/mass_elsewhere.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Where rows besides the redundant ones become dependent, the compliance is more than what they have left, and index 2 has
// no gap that brings a motion back which they have let go. Velocity rows are open then by 1e-5 of the speeds and more where
// multipliers have a pole (the N-four-bar at its flat positions), by 3e-9 of them at most where they have none.
Outcome look_at_soft_rows(const System& system, const ImplicitIterate& now, const KktSolver& kkt,
                          double* rows) {
  constexpr double open = 1e-7;  // of the largest speed
  Evaluation wanted;
  wanted.velocity = rows;
  system.evaluate(now.point(), wanted);
  const int worst = number_of_largest(rows, system.layout().lambda_size());
  if (!(std::abs(rows[worst]) > open * largest_of(now.v))) return {};
  return failure(Status::singular_kkt,
                 {kkt.owner(system.layout().v_size() + worst),
                  "rows become dependent besides the redundant ones, which index = 2 does not hold; take "
                  "index = 3; velocity residual",
                  rows[worst]});
}

}  // namespace

template <class Evaluate>
KktReport ImplicitStepper::iterate(const State& state, const NewtonStep& step, Evaluate&& evaluate) {
  newton_.begin(step);
  while (newton_.solve(evaluate)) {
    if (extension_) {
      const KktReport r = extension_->solved(now_);
      if (r.status != Status::ok) return r;
    }
    if (method_.index == 1 && settings_.exact) solve_acceleration_rows();
    correct(state);
    if (extension_) extension_->corrected(now_);
    newton_.assess(now_.q.data(), now_.v.data(), now_.lambda.data());
  }
  return {};
}

Outcome ImplicitStepper::attempt(const State& state, double h) {
  const KktReport prediction = predict(state, h);
  if (prediction.status != Status::ok) return failure(prediction.status, prediction.culprit);
  NewtonStep step = newton_step(now_.weights, h);
  step.contraction = contraction_.value(state);
  // Steps of another size contract otherwise; a step that was cut is one.
  if (step.options.foresee && h == h_before(state)) step.foreseen = continuation_.contractions(state);
  step.dependent_rows = held() ? nullptr : guards_.dependent_rows(state.t);
  if (extension_) extension_->adjust(step);
  step.keep_matrix = keeps_matrix() && !new_matrix_ && find_matrix(state, step) &&
                     (!extension_ || extension_->keep_matrix(state, now_));
  const auto evaluate = [&](const Evaluation& wanted) {
    if (keeps_matrix() && wanted.linearization != nullptr) note_matrix();
    evaluate_at(now_.point(), wanted);
  };
  KktReport report = iterate(state, step, evaluate);
  if (report.status != Status::ok) return failure(report.status, report.culprit);
  Outcome outcome = newton_.outcome(evaluate);
  // Near a singular place the rows that hold a branch are softer than the compliance of the redundant ones. Without rows at
  // position level there is no branch to be held: drifted positions have none that continues.
  HarderRows rows(newton_.kkt());
  while (has_position_rows_ && outcome.status == Status::ok && newton_.softness() > soft &&
         rows.make_harder()) {
    step.keep_matrix = have_matrix_ = false;
    report = iterate(state, step, evaluate);
    if (report.status != Status::ok) return failure(report.status, report.culprit);
    outcome = newton_.outcome(evaluate);
  }
  if (method_.index == 2 && held() && outcome.status == Status::ok && newton_.softness() > soft) {
    ++statistics_.evaluations;
    outcome = look_at_soft_rows(*system_, now_, newton_.kkt(), newton_.rhs() + now_.v.size());
  }
  if (extension_ && outcome.status == Status::ok) outcome = extension_->finish(state, now_);
  if (estimates() && outcome.status == Status::ok) {
    estimate_error(state);
    if (too_large()) return too_inaccurate();
  }
  GuardWorkspace workspace = guard_workspace(h);
  outcome = guards_.assess(std::move(outcome), attempt_of(state, now_.point(), h, lambda_before_.of(state)),
                           workspace);
  if (workspace.matrix_used) have_matrix_ = false;
  return outcome;
}

// The increment that the step leaves out. At index 3 the constraints take its normal part out again: what is left comes
// from one solve with Newton's matrix, [M + ..., G^T; G, 0] [e; .] = [(M + damping D) e_0; c], which also leaves stiff parts
// out that the method damps (kkt/detail/resisted_error.hpp). c = 0 of position rows. Velocity rows hold v alone: c = G e_0, and the error of q along them remains.
void ImplicitStepper::estimate_error(const State& state) {
  // What an extension adds to the velocities is not in the table; at the end it has made both ends those of the motion.
  if (extension_) return estimate_error_by_ends(state, now_.h, {now_.xi, now_.v, now_.a});
  const std::size_t n = now_.v.size();
  ErrorRow e = sized_.table.error;
  if (!sized_.table.has_error) {
    if (!sized_.error) sized_.error = error_terms(sized_.table, sized_.sizes);
    const MotionTerms& terms = *sized_.error;
    // Increments that are exact to v' say nothing of a method that is of order 1 by its velocities.
    constexpr double roundoff = 1e-9;
    if (method_.traits.order_q == 1 && std::abs(terms.rate) <= roundoff * now_.h * now_.h) return;
    e = error_estimate(sized_.table, terms, now_.h);
  }
  double* const to[1] = {work_.data()};
  const double* columns[table_columns];
  std::copy(std::begin(columns_), std::end(columns_), columns);
  columns[0] = state.v.data();  // an offset of the velocities is no part of the motion
  apply(&e.row, 1, columns, 0, static_cast<int>(n), to);
  double* x = newton_.rhs();
  system_->bracket(state.v.data(), state.a.data(), x);
  for (std::size_t k = 0; k < n; ++k) work_[k] += e.bracket * x[k];
  if (has_position_rows_) {
    std::fill(x + n, x + newton_.kkt().dimension(), 0.0);
    if (has_velocity_rows_) {
      std::copy(work_.begin(), work_.end(), x);
      std::as_const(newton_).kkt().matrix().multiply(x, product_.data());
      clear_rows(Level::position, product_.data());
      std::copy(product_.begin() + static_cast<std::ptrdiff_t>(n), product_.end(), x + n);
    }
    evaluate_inertia(*system_, now_.point(), work_.data(), x);
    const NewtonWeights& weights = now_.weights;
    resisted_.add(now_.point(), work_.data(), weights.unit / weights.damping, weights.unit, x);
    if (controlled()) statistics_.evaluations += 1 + resisted_.evaluations();  // else beside the method
    newton_.kkt().solve(x);
    if (controlled()) ++statistics_.solves;
    note_error(x, now_.h);
  } else {
    note_error(work_.data(), now_.h);
  }
}

NewtonStep ImplicitStepper::newton_step(const NewtonWeights& w, double h) const {
  const double of_position = relative_scale(RowKind::position, w, h),
               of_velocity = relative_scale(RowKind::velocity, w, h);
  NewtonStep step;
  step.h = h;
  step.lambda = now_.lambda.data();
  step.discrete = now_.discrete;
  step.unit = w.unit;
  step.position_factor = of_position / w.unit;
  step.velocity_factor = of_velocity / w.damping;
  step.weights.mass = 1.0;
  step.weights.damping = w.damping;
  step.weights.stiffness = w.unit;
  step.weights.increment = now_.xi.data();
  step.weights.position_rows = {of_position, 0.0, 0.0};
  const double back = w.unit / w.damping;  // h~
  step.weights.velocity_rows = settings_.whole_matrix ? RowWeights{0.0, of_velocity, of_velocity * back}
                                                      : RowWeights{of_velocity, 0.0, 0.0};
  if (method_.index == 2) step.weights.position_rows = step.weights.velocity_rows;
  if (method_.index == 1) {
    // Velocity rows as at velocity level: the terms of order h of their derivative are left to exact Newton.
    step.weights.velocity_rows = settings_.whole_matrix ? RowWeights{0.0, 1.0, back} : RowWeights{};
    step.weights.position_rows = settings_.whole_matrix ? RowWeights{-2.0, 3.0, 2.0 * back} : RowWeights{};
  }
  // Where rows are redundant from the start, the compliance holds them.
  if (held()) {
    step.closing_solves = closing_solves;
    step.settle = !settings_.exact;
  }
  // Quadratic convergence: the next correction is no constant part of the last one.
  const bool quadratic = settings_.exact && settings_.jacobian == JacobianUpdate::every_iteration;
  step.options = {settings_.newton_tolerance, settings_.max_newton_iterations, settings_.jacobian,
                  !quadratic};
  // Rows at acceleration level are at roundoff behind a whole iteration alone.
  step.options.foresee = extrapolates() && !held() && method_.index != 1;
  return step;
}

void ImplicitStepper::make_table(const StepSizes& sizes) {
  sized_ = {};
  sized_.sizes = sizes;
  sized_.table = method_.table(sizes);
  const StepTable& table = sized_.table;
  sized_.move[0] = table.increment;
  sized_.move[1] = table.velocity;
  sized_.move[2] = table.acceleration;
  std::copy(table.next.begin(), table.next.end(), sized_.next);
  if (settings_.guess_is_last) {
    TableRow known = table.velocity;
    known.weight[table_columns - 1] = 0.0;
    sized_.guess = (1.0 / table.velocity.of_unknown()) * (last_velocity - known);
  } else {
    sized_.guess = first_guess(table, sizes.h / sizes.h_before);
    sized_.guess_of_accelerations = guess_of_accelerations(table, sizes.h / sizes.h_before);
  }
  if (has_position_rows_ && settings_.offset_follows_step) sized_.offset = offset(table, sizes);
}

Continuation::Before ImplicitStepper::before(const State& state) const {
  return {h_before(state), a_before_slot_.of(state), lambda_before_.of(state)};
}

// The table of this step, what its rows make of the history, and a first guess of u and lambda_{n+1}.
KktReport ImplicitStepper::predict(const State& state, double h) {
  const double ratio = h / h_before(state);
  const bool at_start = first(state);
  const StepSizes sizes{h, h_before(state), at_start};
  if (!(sizes == sized_.sizes)) make_table(sizes);
  now_.t = state.t + h;
  now_.h = h;
  now_.weights = newton_weights(sized_.table);
  now_.of_unknown = sized_.table.acceleration.of_unknown();
  now_.discrete = state.discrete.data();
  columns_[0] = state.v.data();
  columns_[1] = state.a.data();
  columns_[2] = a_before_slot_.of(state);
  for (std::size_t k = 0; k < method_.slots.size(); ++k) columns_[3 + k] = own_[k].of(state);
  columns_[table_columns - 1] = now_.u.data();

  new_matrix_ = offset_changed_ = false;
  if (has_position_rows_) {
    const double* old = offset_.of(state);
    const VelocityOffset& now = sized_.offset;
    if (now.rate != old[0] || now.jerk != old[1] || now.bracket != old[2]) {
      offset_changed_ = true;
      const KktReport report = change_offset(state, {old[0], old[1], old[2]}, now);
      if (report.status != Status::ok) return report;
    }
  }
  if (settings_.mass_jacobian == MassJacobian::extrapolated) {
    for (std::size_t k = 0; k < now_.v.size(); ++k) work_[k] = h * columns_[0][k];
    system_->retract(state.q.data(), work_.data(), mass_q_.data());
  }
  // Redundant rows whose motion passes a pole of their multipliers have no smooth ones beside it.
  if (extrapolates() && !held())
    continuation_.look_ahead(state, h, before(state));
  else
    continuation_.look_no_further();
  const bool smooth = continuation_.order_of_accelerations() > 1;
  const double *const lambda = state.lambda.data(), *const lambda_before = lambda_before_.of(state);
  const double ahead = at_start || settings_.guess_is_last ? 0.0 : ratio;
  double* const to[1] = {now_.u.data()};
  for_each_part(*system_, [&](const SystemPart& part) {
    const RowsOfPart rows = rows_of_part(*system_, part);
    continuation_.multipliers(ahead, lambda, lambda_before, rows.first, rows.last, now_.lambda.data());
    if (smooth)
      continuation_.unknown(sized_.guess_of_accelerations, now_.of_unknown, columns_, part.first, part.last,
                            now_.u.data(), fetched());
    else
      apply(&sized_.guess, 1, columns_, part.first, part.last, to, fetched());
    if (!extension_) move(state, part);
  });
  if (extension_) {
    extension_->predict(state, now_);  // which may change the guess
    move(state);
  }
  return {};
}

// q, v and v' of the iterate from its u.
void ImplicitStepper::move(const State& state, const SystemPart& part) {
  double* const to[] = {now_.xi.data(), now_.v.data(), now_.a.data()};
  apply(sized_.move, 3, columns_, part.first, part.last, to, fetched());
  system_->retract_part(part, state.q.data(), now_.xi.data(), now_.q.data());
}

void ImplicitStepper::move(const State& state) {
  for_each_part(*system_, [&](const SystemPart& part) { move(state, part); });
  if (extension_) extension_->moved(now_);
}

// delta / unit and the change of lambda come from Newton; v' moves by T^-1(xi) of the first.
void ImplicitStepper::correct(const State& state) {
  const double per = 1.0 / now_.of_unknown;
  const double* const delta = newton_.correction();
  add_multiple(1.0, newton_.lambda_correction(), static_cast<int>(now_.lambda.size()), now_.lambda.data());
  const StepTable& table = sized_.table;
  const double along[4] = {per, per * table.increment.of_unknown(), per * table.velocity.of_unknown(),
                           per * table.acceleration.of_unknown()};
  for_each_part(*system_, [&](const SystemPart& part) {
    system_->inverse_tangent_part(part, now_.xi.data(), delta, work_.data());
    const double* const change = work_.data() + part.first;
    double* const u = now_.u.data() + part.first;
    if (extension_) {  // which adds to v what is not in the table
      add_multiple(per, change, part.last - part.first, u);
      return move(state, part);
    }
    double* const to[4] = {u, now_.xi.data() + part.first, now_.v.data() + part.first,
                           now_.a.data() + part.first};
    array_kernels().add_multiples(along, change, part.last - part.first, to);
    system_->retract_part(part, state.q.data(), now_.xi.data(), now_.q.data());
  });
  if (extension_) extension_->moved(now_);
}

void ImplicitStepper::evaluate_at(const Point& at, const Evaluation& wanted) {
  if (extension_)
    extension_->evaluate(at, wanted);
  else if (settings_.mass_jacobian == MassJacobian::exact)
    system_->evaluate(at, wanted);
  else
    evaluate_with_mass_elsewhere(*system_, at, mass_q_.data(), wanted, inertia_.data());
}

// Exact Newton at index 1: the derivative of the rows along the correction, by a central difference, against what
// the matrix makes of it; what is missing is of order h~^2 and is solved for again until nothing is.
void ImplicitStepper::solve_acceleration_rows() {
  constexpr int most_sweeps = 8;
  constexpr double enough = 1e-9, angle = 1e-5;  // angle: of the difference, in units of the bodies' size
  if (now_.lambda.empty()) return;
  const PhaseTimer timer(statistics_.seconds_solve);
  const std::size_t n = now_.v.size(), m = now_.lambda.size();
  const SystemLayout& layout = system_->layout();
  const double* D = newton_.kkt().matrix().D(0);
  double* u = newton_.rhs();
  newton_.kkt().matrix().multiply(u, target_.data());
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    const double size = largest_scaled(layout, u);
    if (!(size > 0.0) || !std::isfinite(size)) return;
    const double epsilon = angle / size;
    rows_along(u, epsilon, rows_after_.data());
    rows_along(u, -epsilon, product_.data() + n);
    std::fill(product_.begin(), product_.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
    for (std::size_t k = 0; k < m; ++k) {
      const double derivative = (rows_after_[k] - product_[n + k]) / (2.0 * epsilon) * now_.weights.unit;
      product_[n + k] = target_[n + k] - derivative + D[k] * u[n + k];
    }
    newton_.kkt().solve(product_.data());
    ++statistics_.solves;
    const double change = largest_scaled(layout, product_.data());
    for (std::size_t k = 0; k < product_.size(); ++k) u[k] += product_[k];
    if (!(change > enough * size)) return;
  }
}

// The acceleration rows where q has moved by epsilon delta, and v and v' with it.
void ImplicitStepper::rows_along(const double* delta, double epsilon, double* rows) {
  system_->inverse_tangent(now_.xi.data(), delta, work_.data());
  const double a_per = epsilon / now_.weights.unit;
  for (std::size_t k = 0; k < now_.v.size(); ++k) {
    moved_a_[k] = now_.a[k] + a_per * work_[k];
    moved_v_[k] = now_.v[k] + now_.weights.damping * a_per * work_[k];
    work_[k] = epsilon * delta[k];
  }
  system_->retract(now_.q.data(), work_.data(), moved_q_.data());
  Point at = now_.point();
  at.q = moved_q_.data();
  at.v = moved_v_.data();
  at.a = moved_a_.data();
  Evaluation wanted;
  wanted.acceleration = rows;
  system_->evaluate(at, wanted);
}

}  // namespace catena
