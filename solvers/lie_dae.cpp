#include <catena/math/option_range.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/lie_dae_memory.hpp>
#include <catena/stepper/hermite.hpp>
#include <catena/stepper/newton_options.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {

void visit(OptionVisitor& visitor, LieDaeOptions& o) {
  visit_choice(
      visitor,
      {"index", "", "constraints at position (3), velocity (2), acceleration level (1), or all three"},
      o.index, {"3", "2", "1", "stabilized"});
  visitor.integer({"order", "1", "1: backward Euler, as in the source; 2: BDF2 in the Lie algebra", 1, 2},
                  o.order);
  visit_choice(
      visitor,
      {"newton", "",
       "quasi: LDLT of the symmetric part; exact: the whole linearisation; automatic: quasi at index 3 and "
       "stabilized, else LDU"},
      o.newton, {"automatic", "quasi", "exact"});
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step", "when_slow"});
  visit_choice(visitor, {"guess", "", "where Newton begins: extrapolated, or V_n and lambda_n (last)"},
               o.guess, {"extrapolated", "last"});
  visit_newton(visitor, o.newton_tolerance, o.max_newton_iterations);
  visitor.flag(
      {"perturbed_start", "",
       "index 3: begin with the velocities that the method has later on, so that lambda is right at once"},
      o.perturbed_start);
  visit_proximal(visitor, o.proximal);
}

namespace {

using Index = LieDaeOptions::Index;

Traits traits_of(const LieDaeOptions& o) {
  Traits t;
  t.name = "lie_dae";
  t.summary = "backward Euler or BDF2 in the Lie algebra, index 1, 2, 3 or stabilized";
  t.order_q = t.order_v = t.order_lambda = o.order;
  t.position_residual = o.index == Index::three || o.index == Index::stabilized;
  t.velocity_residual = o.index == Index::two || o.index == Index::stabilized;
  t.acceleration_residual = o.index == Index::one || o.index == Index::stabilized;
  t.variable_step = true;
  t.velocity_constraints = true;
  return t;
}

}  // namespace

LieDae::LieDae(LieDaeOptions options, LinearSolverFactory backend, LinearSolverFactory fallback)
    : options_(options),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)),
      traits_(traits_of(options)) {}

std::string LieDae::refuses(const System&) const { return out_of_range(options_); }

bool LieDae::whole_matrix() const {
  return exact() ||
         (options_.newton == LieDaeOptions::Newton::automatic && (is(Index::two) || is(Index::one)));
}

Outcome LieDae::take_on(const System& system) {
  system_ = &system;
  statistics_ = {};
  projector_.reset();
  dynamics_.reset();
  kinematics_.reset();
  compliance_ = -1.0;
  h_taken_ = 0.0;
  have_matrix_ = have_projector_ = false;
  order_ = options_.order;
  tolerance_ = options_.newton_tolerance;
  const auto& level = system.layout().level;
  has_velocity_level_ = std::find(level.begin(), level.end(), Level::velocity) != level.end();
  std::vector<RowKind> rows;
  for (const Level l : level)
    rows.push_back(is(Index::one)                           ? RowKind::acceleration
                   : is(Index::two) || l == Level::velocity ? RowKind::velocity
                                                            : RowKind::position);
  KktOptions kkt;
  // With rows at position level alone C = G exactly; else C has terms of order h that only LDU can take.
  const bool transposed =
      std::all_of(rows.begin(), rows.end(), [](RowKind kind) { return kind == RowKind::position; });
  kkt.factorization = whole_matrix() ? Factorization::ldu : Factorization::ldlt;
  kkt.border = whole_matrix() && !transposed ? Border::separate : Border::transposed;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  pole_.attach(system, traits().order_lambda, statistics_);
  return {};
}

// Made after start() has given its own arrays back: the peak of memory stands there.
void LieDae::make_work_arrays(const State& state) {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  q_.resize(static_cast<std::size_t>(layout.q_size));
  q_before_.resize(q_.size());
  for (auto* x : {&v_prime_, &v_, &a_, &xi_, &eta_, &alpha_, &v_n_, &v_before_, &a_before_, &work_, &rate_})
    x->assign(n, 0.0);
  lambda_.assign(m, 0.0);
  product_.assign(n + m, 0.0);
  newton_.allocate();
  if (keeps_matrix()) matrix_point_.assign(Memory::matrix_point_size(state, stabilized()), 0.0);
  if (is(Index::one) && exact()) {
    moved_q_.resize(q_.size());
    for (auto* x : {&moved_v_, &moved_a_}) x->assign(n, 0.0);
    rows_after_.assign(m, 0.0);
    target_.assign(n + m, 0.0);
  }
  if (!stabilized()) return;
  for (auto* x : {&mu_, &omega_, &velocity_rows_}) x->assign(m, 0.0);
  normal_.assign(n, 0.0);
  for (auto* x : {&projected_, &first_solution_, &input_}) x->assign(n + m, 0.0);
  if (exact() && !dynamics_) {
    const auto pattern = newton_.kkt().matrix().shared_pattern();
    dynamics_ = std::make_unique<BlockMatrix>(pattern, Border::transposed);
    kinematics_ = std::make_unique<BlockMatrix>(pattern, Border::transposed);
  }
}

// The compliance is a function of the system and of State::memory alone, so that a run continued from a
// copied State by another stepper object carries the same bits.
void LieDae::set_compliance(const State& state, double epsilon) {
  // Of the rows that mu stands in, beside that of lambda: they are not divided by h^2, and neither is the roundoff that
  // redundant rows leave in mu.
  constexpr double compliance_of_mu = 1e-4;
  const State initial = system_->initial_state();
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = point_of(initial);
  at.discrete = state.discrete.data();
  system_->evaluate(at, wanted);
  // Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
  if (epsilon > options_.proximal)
    newton_.kkt().set_compliance(epsilon);
  else
    newton_.kkt().update_proximal();
  newton_.measure_inertia();
  if (is(Index::one) && !state.lambda.empty()) weakest_at_start_ = weakest_pivot();
  if (stabilized()) make_projector(at, std::max(options_.proximal, compliance_of_mu * epsilon));
  compliance_ = epsilon;
  have_matrix_ = have_projector_ = false;
}

std::size_t LieDae::memory_size(const State& state) const {
  return Memory::size(system_->layout().v_size(), system_->layout().lambda_size(), stabilized()) +
         (keeps_matrix() ? Memory::matrix_point_size(state, stabilized()) : 0);
}

Outcome LieDae::step(State& state, double h) {
  const SystemLayout& layout = system_->layout();
  if (state.memory.size() != memory_size(state))
    return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                         static_cast<double>(state.memory.size())});
  if (!newton_.allocated()) make_work_arrays(state);  // a resumed run
  if (compliance_ != Memory::of(state).compliance()) set_compliance(state, Memory::of(state).compliance());
  Outcome outcome = attempt(state, h);
  const Memory memory = Memory::of(state);
  StepResolution resolution = StepResolution::from(memory.resolution());
  if (outcome.status == Status::ok && memory.steps() > 0.0 && memory.h() == h && resolution.watches(h))
    outcome = resolution.watch(
        h, memory.lambda_before(), state.lambda.data(), lambda_.data(), statistics_.multiplier_noise,
        {*system_, iterate(), newton_.rhs(), rate_.data(), q_before_.data(), newton_.kkt()});
  if (outcome.status != Status::ok) return rejected(std::move(outcome));
  const bool discrete = layout.discrete_size > 0;
  if (discrete) before_ = state;
  accept(state, h);
  if (discrete && system_->update_discrete(state)) {  // derivatives are others now: begin anew
    outcome = make_consistent(state, h, false);
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

Outcome LieDae::rejected(Outcome outcome) {
  have_matrix_ = have_projector_ = false;  // whatever is in the matrices now is of no use to the next attempt
  h_taken_ = 0.0;
  ++statistics_.rejected_steps;
  return outcome;
}

void LieDae::accept(State& state, double h) {
  const Memory memory = Memory::of(state);
  std::copy(state.a.begin(), state.a.end(), memory.a_before());
  std::copy(state.lambda.begin(), state.lambda.end(), memory.lambda_before());
  for (std::size_t k = 0; k < v_.size(); ++k) {
    memory.eta()[k] = xi_[k] / h;
    memory.alpha()[k] = (v_[k] - v_n_[k]) / h;
  }
  memory.set_offset(offset(order_, h, memory.h()));
  memory.h() = h;
  memory.steps() += 1.0;
  memory.kinetic() = kinetic_;
  if (stabilized()) {
    std::copy(mu_.begin(), mu_.end(), memory.mu());
    std::copy(v_prime_.begin(), v_prime_.end(), memory.v_prime());
  }
  if (keeps_matrix())
    std::copy(matrix_point_.begin(), matrix_point_.end(), memory.matrix_point(stabilized()));
  q_before_.swap(state.q);
  state.q.swap(q_);
  std::copy(state.a.begin(), state.a.end(), a_before_.begin());
  std::copy(state.v.begin(), state.v.end(), v_before_.begin());
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(a_.begin(), a_.end(), state.a.begin());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  state.t += h;
  h_taken_ = h;
}

void LieDae::interpolate(double theta, double* q, double* v) const {
  interpolate_on_group(
      *system_,
      {h_taken_, q_before_.data(), xi_.data(), v_before_.data(), v_.data(), a_before_.data(), a_.data()},
      theta, rate_.data(), q, v);
}

}  // namespace catena
