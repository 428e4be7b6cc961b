#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/generalized_alpha_memory.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace catena {

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& o) {
  visitor.real({"rho_inf", "1", "spectral radius at infinite frequency: 1 keeps energy (index 2), less damps",
                0.0, 1.0},
               o.rho_inf);
  visit_choice(visitor, {"index", "", "constraints enforced at position (3) or velocity level (2)"}, o.index,
               {"3", "2"});
  visit_choice(visitor, {"newton", "", "quasi: LDLT of the symmetric part; exact: LDU of the whole matrix"},
               o.newton, {"quasi", "exact"});
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step", "when_slow"});
  visitor.real({"newton_tolerance", "1", "largest scaled correction that counts as converged", 1e-15, 1e-2},
               o.newton_tolerance);
  visitor.integer({"max_newton_iterations", "1", "after these the step is cut", 1, 100},
                  o.max_newton_iterations);
  visitor.flag({"perturbed_start", "", "start a and v so that lambda is of order 2 from the first step"},
               o.perturbed_start);
  visitor.real({"proximal", "1", "dual proximal term relative to the local Schur scale", 0.0, 1e-6},
               o.proximal);
}

GeneralizedAlpha::GeneralizedAlpha(GeneralizedAlphaOptions options, LinearSolverFactory backend,
                                   LinearSolverFactory fallback)
    : options_(options), backend_(std::move(backend)), fallback_(std::move(fallback)) {
  const double rho = options_.rho_inf;
  c_.alpha_m = (2.0 * rho - 1.0) / (1.0 + rho);
  c_.alpha_f = rho / (1.0 + rho);
  const double alpha = c_.alpha_m - c_.alpha_f;
  c_.beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
  c_.gamma = 0.5 - alpha;
}

const Traits& GeneralizedAlpha::traits() const {
  static const Traits index_3 = [] {
    Traits t;
    t.name = "generalized_alpha";
    t.summary = "generalized-alpha on the Lie group, index 3 or 2, with 1/h scaling";
    t.order_q = t.order_v = t.order_lambda = 2;
    t.position_residual = true;
    t.velocity_constraints = true;
    return t;
  }();
  static const Traits index_2 = [] {
    Traits t = index_3;
    t.position_residual = false;
    t.velocity_residual = true;
    return t;
  }();
  return index_three() ? index_3 : index_2;
}

std::string GeneralizedAlpha::refuses(const System& system) const {
  const auto& level = system.layout().level;
  if (index_three() && options_.rho_inf == 1.0 &&
      std::find(level.begin(), level.end(), Level::position) != level.end())
    return "with rho_inf = 1 and index = 3 the multipliers grow without bound: take rho_inf of 0.95 at most, "
           "or "
           "index = 2";
  return {};
}

Outcome GeneralizedAlpha::attach(const System& system) {
  system_ = &system;
  statistics_ = {};
  have_matrix_ = false;
  compliance_ = none;
  KktOptions kkt;
  const bool exact = options_.newton == GeneralizedAlphaOptions::Newton::exact;
  kkt.factorization = exact ? Factorization::ldu : Factorization::ldlt;
  // Index 3 has B = C^T exactly; at velocity level C has terms of order h that only LDU can take.
  std::vector<RowKind> rows;
  for (const Level level : system.layout().level)
    rows.push_back(index_three() && level == Level::position ? RowKind::position : RowKind::velocity);
  const bool at_velocity_level = std::find(rows.begin(), rows.end(), RowKind::velocity) != rows.end();
  kkt.border = exact && at_velocity_level ? Border::separate : Border::transposed;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  return {};
}

// The arrays of a step, made after start() has given its own back: the peak of memory stands there.
void GeneralizedAlpha::make_work_arrays(const State& state) {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size());
  q_.resize(static_cast<std::size_t>(layout.q_size));
  q_before_.resize(q_.size());
  for (auto* x : {&v_, &a_, &vdot_, &xi_, &v_n_, &a_n_, &v_before_, &vdot_before_, &work_, &rate_})
    x->assign(n, 0.0);
  lambda_.assign(static_cast<std::size_t>(layout.lambda_size()), 0.0);
  if (keeps_matrix()) matrix_point_.assign(Memory::matrix_point_size(state), 0.0);
  newton_.allocate();
}

// The compliance is a function of the system and of State::memory alone, so that a run continued from a
// copied State by another stepper object carries the same bits.
void GeneralizedAlpha::set_compliance(double epsilon) {
  const State initial = system_->initial_state();
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = mass_factor();
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.t = initial.t;
  at.q = initial.q.data();
  at.v = initial.v.data();
  system_->evaluate(at, wanted);
  // Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
  if (epsilon > options_.proximal)
    newton_.kkt().set_compliance(epsilon);
  else
    newton_.kkt().update_proximal();
  newton_.measure_inertia();
  compliance_ = epsilon;
  have_matrix_ = false;
}

Outcome GeneralizedAlpha::step(State& state, double h) {
  const SystemLayout& layout = system_->layout();
  if (state.memory.size() != Memory::size(layout.v_size(), layout.lambda_size()) +
                                 (keeps_matrix() ? Memory::matrix_point_size(state) : 0))
    return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                         static_cast<double>(state.memory.size())});
  if (!newton_.allocated()) make_work_arrays(state);  // a resumed run
  if (compliance_ != Memory::of(state).compliance()) set_compliance(Memory::of(state).compliance());
  Outcome outcome = attempt(state, h);
  if (outcome.status != Status::ok) {
    have_matrix_ = false;  // whatever is in the matrix now is of no use to the next attempt
    h_taken_ = 0.0;
    ++statistics_.rejected_steps;
    return outcome;
  }
  accept(state, h);
  ++statistics_.steps;
  if (system_->update_discrete(state)) {  // derivatives are others now: begin anew
    outcome = make_consistent(state, h);
    compliance_ = none;
    if (outcome.status != Status::ok) return outcome;
  }
  outcome.h_taken = h;
  outcome.h_next = h;
  return outcome;
}

Outcome GeneralizedAlpha::attempt(const State& state, double h) {
  const KktReport prediction = predict(state, h);
  if (prediction.status != Status::ok) return failure(prediction.status, prediction.culprit);
  NewtonStep step = newton_step(h);
  step.keep_matrix = keeps_matrix() && find_matrix(state, step);
  move(state, h);
  const auto evaluate = [&](const Evaluation& wanted) {
    if (keeps_matrix() && wanted.linearization != nullptr) note_matrix(state, h);
    system_->evaluate(iterate(state, h), wanted);
  };
  newton_.begin(step);
  while (newton_.solve(evaluate)) {
    correct();
    move(state, h);
    newton_.judge(q_.data(), v_.data(), lambda_.data());
  }
  const Outcome outcome = newton_.outcome(evaluate);
  return outcome.status == Status::ok ? check_velocity_level(iterate(state, h), h) : outcome;
}

NewtonStep GeneralizedAlpha::newton_step(double h) const {
  NewtonStep step;
  step.h = h;
  step.lambda = lambda_.data();
  step.unit = c_.beta * h * h;
  step.position_factor = 1.0 / (c_.beta * h * h);
  step.velocity_factor = 1.0 / (c_.gamma * h);
  step.weights.mass = mass_factor();
  step.weights.damping = c_.gamma * h;
  step.weights.stiffness = c_.beta * h * h;
  step.weights.increment = xi_.data();
  if (options_.newton == GeneralizedAlphaOptions::Newton::exact) {
    step.weights.velocity_rows = {0.0, 1.0, c_.beta * h / c_.gamma};
    if (!index_three()) step.weights.position_rows = step.weights.velocity_rows;
  }
  step.options = {options_.newton_tolerance, options_.max_newton_iterations, options_.jacobian};
  return step;
}

// Effective v_n and a_n, and a first guess of a_{n+1} and lambda_{n+1}.
KktReport GeneralizedAlpha::predict(const State& state, double h) {
  const Memory memory = Memory::of(state);
  const double ratio = h / memory.h();
  const bool first = memory.steps() == 0.0;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    v_n_[k] = state.v[k] + (first ? ratio * ratio * memory.a_before()[k] : 0.0);
    // a_n stands for v' at t_n + (alpha_m - alpha_f) h: another h, another instant
    a_n_[k] = ratio == 1.0 ? memory.a()[k] : state.a[k] + ratio * (memory.a()[k] - state.a[k]);
    a_[k] = first ? a_n_[k] : a_n_[k] + ratio * (memory.a()[k] - memory.a_before()[k]);
  }
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    lambda_[k] =
        first ? state.lambda[k] : state.lambda[k] + ratio * (state.lambda[k] - memory.lambda_before()[k]);
  if (ratio == 1.0 || first || !index_three() || !options_.perturbed_start) return {};
  return change_velocity_level(state, ratio);
}

// q, v and v' of the iterate from its a.
void GeneralizedAlpha::move(const State& state, double h) {
  const double to = 1.0 / (1.0 - c_.alpha_f);
  for (std::size_t k = 0; k < a_.size(); ++k) {
    xi_[k] = h * (v_n_[k] + h * ((0.5 - c_.beta) * a_n_[k] + c_.beta * a_[k]));
    v_[k] = v_n_[k] + h * ((1.0 - c_.gamma) * a_n_[k] + c_.gamma * a_[k]);
    vdot_[k] = to * ((1.0 - c_.alpha_m) * a_[k] + c_.alpha_m * a_n_[k] - c_.alpha_f * state.a[k]);
  }
  system_->retract(state.q.data(), xi_.data(), q_.data());
}

Point GeneralizedAlpha::iterate(const State& state, double h) const {
  Point at;
  at.t = state.t + h;
  at.q = q_.data();
  at.v = v_.data();
  at.a = vdot_.data();
  at.lambda = lambda_.data();
  at.discrete = state.discrete.data();
  return at;
}

// delta / (beta h^2) and the change of lambda come from Newton; a moves by T^-1(xi) of the first.
void GeneralizedAlpha::correct() {
  system_->inverse_tangent(xi_.data(), newton_.correction(), work_.data());
  for (std::size_t k = 0; k < a_.size(); ++k) a_[k] += work_[k];
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += newton_.lambda_correction()[k];
}

void GeneralizedAlpha::accept(State& state, double h) {
  const Memory memory = Memory::of(state);
  std::copy(a_n_.begin(), a_n_.end(), memory.a_before());
  std::copy(a_.begin(), a_.end(), memory.a());
  std::copy(state.lambda.begin(), state.lambda.end(), memory.lambda_before());
  memory.h() = h;
  memory.steps() = 1.0;
  if (keeps_matrix()) std::copy(matrix_point_.begin(), matrix_point_.end(), memory.matrix_point());
  q_before_.swap(state.q);
  state.q.swap(q_);
  std::copy(state.a.begin(), state.a.end(), vdot_before_.begin());
  std::copy(state.v.begin(), state.v.end(), v_before_.begin());
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(vdot_.begin(), vdot_.end(), state.a.begin());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  state.t += h;
  h_taken_ = h;
}

// Cubic Hermite interpolation, of the increment in the chart at q_n and of v with its derivatives.
void GeneralizedAlpha::interpolate(double s, double* q, double* v) const {
  assert(h_taken_ > 0.0 && "no step was taken last");
  const double h = h_taken_;
  const double from = s * (1.0 - s) * (1.0 - s), to = s * s * (s - 1.0), end = s * s * (3.0 - 2.0 * s);
  system_->inverse_tangent(xi_.data(), v_.data(), rate_.data());
  for (std::size_t k = 0; k < v_.size(); ++k) {
    rate_[k] = end * xi_[k] + h * (from * v_before_[k] + to * rate_[k]);  // the increment up to s
    v[k] = (1.0 - end) * v_before_[k] + end * v_[k] + h * (from * vdot_before_[k] + to * vdot_[k]);
  }
  system_->retract(q_before_.data(), rate_.data(), q);
}

}  // namespace catena
