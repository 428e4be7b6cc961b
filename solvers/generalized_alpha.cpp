#include <catena/solvers/alpha_newton_step.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/generalized_alpha_memory.hpp>
#include <catena/stepper/hermite.hpp>
#include <catena/stepper/mass_elsewhere.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {

Outcome GeneralizedAlpha::take_on(const System& system) {
  system_ = &system;
  statistics_ = {};
  initial_.release();
  have_matrix_ = false;
  compliance_ = none;
  KktOptions kkt;
  const bool exact = options_.newton == GeneralizedAlphaOptions::Newton::exact;
  const bool symmetric = !exact && options_.scaling == RowScaling::natural;
  kkt.factorization = symmetric ? Factorization::ldlt : Factorization::ldu;
  // Index 3 has B = C^T exactly; at velocity level C has terms of order h that only LDU can take.
  std::vector<RowKind> rows;
  for (const Level level : system.layout().level)
    rows.push_back(index_three() && level == Level::position ? RowKind::position : RowKind::velocity);
  const bool at_velocity_level = std::find(rows.begin(), rows.end(), RowKind::velocity) != rows.end();
  const bool transposed =
      symmetric || (exact && !at_velocity_level && options_.scaling == RowScaling::natural);
  kkt.border = transposed ? Border::transposed : Border::separate;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  pole_.attach(system, traits().order_lambda, statistics_);
  return {};
}

// The arrays of a step, made after start() has given its own back: the peak of memory stands there.
void GeneralizedAlpha::make_work_arrays(const State& state) {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size());
  q_.resize(static_cast<std::size_t>(layout.q_size));
  q_before_.resize(q_.size());
  if (options_.mass_jacobian == MassJacobian::extrapolated) mass_q_.resize(q_.size());
  for (auto* x : {&v_, &a_, &vdot_, &xi_, &v_n_, &a_n_, &v_before_, &vdot_before_, &work_, &rate_, &inertia_})
    x->assign(n, 0.0);
  lambda_.assign(static_cast<std::size_t>(layout.lambda_size()), 0.0);
  if (keeps_matrix()) matrix_point_.assign(Memory::matrix_point_size(state), 0.0);
  newton_.allocate();
}

Linearization GeneralizedAlpha::mass_and_rows(double h) const {
  return alpha_mass_and_rows(options_.scaling, AlphaWeights(c_, 0.0), h, !index_three());
}

// The compliance is a function of the system, of State::memory and, with rows that are not scaled naturally, of h
// alone, so that a run continued from a copied State by another stepper object carries the same bits.
void GeneralizedAlpha::set_compliance(double epsilon, double h) {
  theta_ = 0.0;
  const Point at = initial_.of(*system_);
  Linearization lin = mass_and_rows(h);
  lin.matrix = &newton_.kkt().matrix();
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  // Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
  if (epsilon > options_.proximal)
    newton_.kkt().set_compliance(epsilon);
  else
    newton_.kkt().update_proximal();
  newton_.measure_inertia();
  compliance_ = epsilon;
  scaled_for_ = h;
  if (options_.scaling == RowScaling::natural) initial_.release();
  have_matrix_ = false;
}

Outcome GeneralizedAlpha::step(State& state, double h) {
  const SystemLayout& layout = system_->layout();
  if (state.memory.size() != Memory::size(layout.v_size(), layout.lambda_size()) +
                                 (keeps_matrix() ? Memory::matrix_point_size(state) : 0))
    return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                         static_cast<double>(state.memory.size())});
  if (!newton_.allocated()) make_work_arrays(state);  // a resumed run
  const bool scaled = options_.scaling == RowScaling::natural || scaled_for_ == h;
  if (compliance_ != Memory::of(state).compliance() || !scaled)
    set_compliance(Memory::of(state).compliance(), h);
  Outcome outcome = attempt(state, h);
  StepResolution resolution = StepResolution::from(Memory::of(state).resolution());
  const Memory memory = Memory::of(state);
  if (outcome.status == Status::ok && memory.steps() > 0.0 && memory.h() == h && resolution.watches(h))
    outcome = resolution.watch(
        h, memory.lambda_before(), state.lambda.data(), lambda_.data(), statistics_.multiplier_noise,
        {*system_, iterate(state, h), newton_.rhs(), rate_.data(), q_before_.data(), newton_.kkt()});
  if (outcome.status != Status::ok) return rejected(std::move(outcome));
  const bool discrete = layout.discrete_size > 0;
  if (discrete) before_ = state;
  accept(state, h);
  if (discrete && system_->update_discrete(state)) {  // derivatives are others now: begin anew
    outcome = make_consistent(state, h, false);
    compliance_ = none;
    if (outcome.status != Status::ok) {
      std::swap(state, before_);
      return rejected(std::move(outcome));
    }
  }
  resolution.write(Memory::of(state).resolution());
  ++statistics_.steps;
  outcome.h_taken = h;
  outcome.h_next = h;
  return outcome;
}

Outcome GeneralizedAlpha::rejected(Outcome outcome) {
  have_matrix_ = false;  // whatever is in the matrix now is of no use to the next attempt
  h_taken_ = 0.0;
  ++statistics_.rejected_steps;
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
    evaluate_at(iterate(state, h), wanted);
  };
  newton_.begin(step);
  while (newton_.solve(evaluate)) {
    correct();
    move(state, h);
    newton_.judge(q_.data(), v_.data(), lambda_.data());
  }
  Outcome outcome = newton_.outcome(evaluate);
  // Where rows are redundant from the start, their multipliers are open.
  const Memory memory = Memory::of(state);
  if (compliance_ <= options_.proximal) {
    MultiplierPole::Loan loan{newton_.rhs(),    rate_.data(),  work_.data(),
                              q_before_.data(), newton_.kkt(), mass_and_rows(h)};
    outcome = pole_.judged(std::move(outcome), state, iterate(state, h),
                           memory.steps() == 0.0 ? nullptr : memory.lambda_before(), loan);
    if (loan.used) have_matrix_ = false;
  }
  return outcome.status == Status::ok ? check_velocity_level(iterate(state, h), h) : outcome;
}

double GeneralizedAlpha::relative_scale(RowKind kind, double h) const {
  return catena::relative_scale(options_.scaling, AlphaWeights(c_, theta_), kind, h);
}

NewtonStep GeneralizedAlpha::newton_step(double h) const {
  NewtonStep step =
      alpha_newton_step(options_.scaling, AlphaWeights(c_, theta_), h, compliance_ > options_.proximal);
  step.lambda = lambda_.data();
  step.weights.increment = xi_.data();
  if (options_.newton != GeneralizedAlphaOptions::Newton::exact)
    step.weights.velocity_rows = {step.weights.velocity_rows.velocity, 0.0, 0.0};
  if (!index_three()) step.weights.position_rows = step.weights.velocity_rows;
  step.options = {options_.newton_tolerance, options_.max_newton_iterations, options_.jacobian};
  return step;
}

// Effective v_n and a_n, and a first guess of a_{n+1} and lambda_{n+1}.
KktReport GeneralizedAlpha::predict(const State& state, double h) {
  const Memory memory = Memory::of(state);
  const double ratio = h / memory.h();
  const bool first = memory.steps() == 0.0;
  theta_ = first && options_.start == GeneralizedAlphaOptions::Start::source ? c_.theta_of_start() : 0.0;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    v_n_[k] = state.v[k] + (first ? ratio * ratio * memory.a_before()[k] : 0.0);
    // a_n stands for v' at t_n + (alpha_m - alpha_f) h: another h, another instant
    a_n_[k] = ratio == 1.0 ? memory.a()[k] : state.a[k] + ratio * (memory.a()[k] - state.a[k]);
    a_[k] = first ? a_n_[k] : a_n_[k] + ratio * (memory.a()[k] - memory.a_before()[k]);
  }
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    lambda_[k] =
        first ? state.lambda[k] : state.lambda[k] + ratio * (state.lambda[k] - memory.lambda_before()[k]);
  if (options_.mass_jacobian == MassJacobian::extrapolated) {
    for (std::size_t k = 0; k < v_.size(); ++k) work_[k] = h * v_n_[k];
    system_->retract(state.q.data(), work_.data(), mass_q_.data());
  }
  if (ratio == 1.0 || first || !index_three() || !perturbed()) return {};
  return change_velocity_level(state, ratio);
}

// q, v and v' of the iterate from its a.
void GeneralizedAlpha::move(const State& state, double h) {
  const double to = 1.0 / (1.0 - c_.alpha_f);
  for (std::size_t k = 0; k < a_.size(); ++k) {
    if (theta_ != 0.0) a_n_[k] = theta_ * a_[k] + (1.0 - theta_) * state.a[k];
    xi_[k] = h * (v_n_[k] + h * ((0.5 - c_.beta) * a_n_[k] + c_.beta * a_[k]));
    v_[k] = v_n_[k] + h * ((1.0 - c_.gamma) * a_n_[k] + c_.gamma * a_[k]);
    vdot_[k] = to * ((1.0 - c_.alpha_m) * a_[k] + c_.alpha_m * a_n_[k] - c_.alpha_f * state.a[k]);
  }
  system_->retract(state.q.data(), xi_.data(), q_.data());
}

void GeneralizedAlpha::evaluate_at(const Point& at, const Evaluation& wanted) {
  if (options_.mass_jacobian == MassJacobian::exact)
    system_->evaluate(at, wanted);
  else
    evaluate_with_mass_elsewhere(*system_, at, mass_q_.data(), wanted, inertia_.data());
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

void GeneralizedAlpha::interpolate(double theta, double* q, double* v) const {
  interpolate_on_group(*system_,
                       {h_taken_, q_before_.data(), xi_.data(), v_before_.data(), v_.data(),
                        vdot_before_.data(), vdot_.data()},
                       theta, rate_.data(), q, v);
}

}  // namespace catena
