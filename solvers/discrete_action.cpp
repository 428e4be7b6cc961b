#include <catena/kkt/consistent.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& action_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard};
  return set;
}

}  // namespace

void visit(OptionVisitor& visitor, DiscreteActionOptions& o) {
  visitor.real({"newton_tolerance", "1",
                "Newton ends when every correction is below this part of its scale (length, 1 rad, largest "
                "multiplier); 1e-12 leaves residuals at roundoff",
                1e-15, 1e-3},
               o.newton_tolerance);
  visitor.integer({"max_newton_iterations", "1", "a step that needs more is refused and cut", 1, 1000},
                  o.max_newton_iterations);
  visitor.real(
      {"proximal", "1", "dual proximal term that bounds the multipliers of redundant constraints", 0.0, 1e-6},
      o.proximal);
  visit_guards(visitor, o.guards, action_guards());
}

void DiscreteAction::Node::resize(int q_size, int v_size, int lambda_size) {
  q.assign(index(q_size), 0.0);
  v.assign(index(v_size), 0.0);
  a.assign(index(v_size), 0.0);
  lambda.assign(index(lambda_size), 0.0);
  p.assign(index(v_size), 0.0);
}

DiscreteAction::DiscreteAction(DiscreteActionOptions options, LinearSolverFactory backend,
                               LinearSolverFactory fallback)
    : options_(options), backend_(std::move(backend)), fallback_(std::move(fallback)) {}

const Traits& DiscreteAction::traits() const {
  static const Traits traits = [] {
    Traits t;
    t.name = "discrete_action";
    t.summary = "midpoint discrete action with constraints at the nodes: symplectic, reversible, order 2";
    t.coordinates = Coordinates::lagrangian;
    t.order_q = t.order_v = t.order_lambda = 2;
    t.position_residual = t.velocity_residual = t.acceleration_residual = true;
    t.symmetric = t.reversible = t.symplectic = true;
    t.variable_step = true;
    return t;
  }();
  return traits;
}

std::string DiscreteAction::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  if (!system.has_lagrangian())
    return "discrete_action needs a Lagrangian in plain coordinates (bodies in seven coordinates)";
  for (std::size_t k = 0; k < system.layout().level.size(); ++k)
    if (system.layout().level[k] != Level::position)
      return "discrete_action takes position constraints only; " +
             system.constraint_name(static_cast<int>(k)) + " acts on velocities";
  return {};
}

Outcome DiscreteAction::set_up(const System& system) {
  KktOptions kkt;
  kkt.factorization = Factorization::ldu;
  kkt.border = Border::separate;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  std::vector<RowKind> rows(system.layout().level.size(), RowKind::position);
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_, false);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  const SystemLayout& layout = system.layout();
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  assert(layout.q_size == n_);
  from_.resize(layout.q_size, n_, m_);
  to_.resize(layout.q_size, n_, m_);
  for (std::vector<double>* x : {&middle_, &rate_, &dq_, &dv_, &change_, &between_})
    x->assign(index(n_), 0.0);
  multiplier_.assign(index(m_), 0.0);
  newton_.allocate();
  memory_.clear();
  momentum_ = memory_.add("momentum", n_);
  steps_ = memory_.add("steps", 1);
  h_ = memory_.add("h", 1);
  lambda_before_ = memory_.add("multipliers before", m_);
  redundant_ = memory_.add("redundant rows", 1);
  guards_.attach({system, statistics_, traits().order_lambda}, action_guards(), options_.guards, memory_);
  h_taken_ = 0.0;
  return {};
}

Outcome DiscreteAction::refused(const KktReport& report, double h) const {
  Outcome outcome = failure(report.status, report.culprit);
  outcome.h_next = 0.5 * h;
  return outcome;
}

Outcome DiscreteAction::start(State& state, double h) {
  assert(system_ != nullptr);
  const PhaseTimer timer(statistics_.seconds_start);
  discrete_ = state.discrete.data();
  h_taken_ = 0.0;
  Outcome outcome;
  outcome.h_next = h;
  {
    ConsistentValues consistent(*system_, newton_.kkt(), discrete_);
    const KktReport r = consistent.check_positions(state.t, state.q.data(), start_position_tolerance);
    if (r.status != Status::ok) return refused(r, h);
  }
  to_.q = state.q;
  system_->momentum(to_.q.data(), state.v.data(), to_.p.data());
  KktReport report = settle(state.t, to_);
  if (report.status != Status::ok) {
    outcome = refused(report, h);
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  state.v = to_.v;
  state.a = to_.a;
  state.lambda = to_.lambda;
  memory_.begin(state);
  std::copy(to_.p.begin(), to_.p.end(), momentum_.of(state));
  newton_.kkt().find_weakest_row(report);
  const bool redundant = report.weakest_dual_ratio < suspicious_ratio * options_.proximal;
  redundant_.value(state) = redundant ? 1.0 : 0.0;
  return outcome;
}

Outcome DiscreteAction::take_step(State& state, double h) {
  assert(system_ != nullptr && h != 0.0);
  if (!memory_.fits(state)) return not_started(state);
  std::copy(state.q.begin(), state.q.end(), from_.q.begin());
  std::copy(state.v.begin(), state.v.end(), from_.v.begin());
  std::copy(state.lambda.begin(), state.lambda.end(), from_.lambda.begin());
  std::copy(state.a.begin(), state.a.end(), from_.a.begin());
  std::copy_n(momentum_.of(std::as_const(state)), from_.p.size(), from_.p.begin());
  discrete_ = state.discrete.data();
  t_ = state.t;
  h_taken_ = 0.0;

  Outcome outcome = attempt(h, redundant_.value(state) == 0.0);
  if (outcome.status == Status::ok) {
    // p_k+1 = D2 S_k = p_k - C_k^T gamma_k + h dL/dq: exact sums, where D2 S itself would carry the rounding error
    // of a difference quotient.
    evaluate_interval(h, nullptr);
    for (int i = 0; i < n_; ++i) to_.p[index(i)] = from_.p[index(i)] + h * dq_[index(i)];
    add_node_impulse(multiplier_.data(), -1.0 / h, to_.p.data());
    const KktReport report = settle(state.t + h, to_);
    if (report.status != Status::ok) outcome = refused(report, h);
  }
  outcome = assess(state, h, std::move(outcome));
  if (outcome.status != Status::ok) {
    ++statistics_.rejected_steps;
    outcome.h_next = 0.5 * h;
    return outcome;
  }
  accept(state, h);
  outcome.h_taken = outcome.h_next = h;
  return outcome;
}

// Matrix and work arrays are made anew in every step.
Outcome DiscreteAction::assess(const State& state, double h, Outcome outcome) {
  Point end;
  end.t = state.t + h;
  end.q = to_.q.data();
  end.v = to_.v.data();
  end.a = to_.a.data();
  end.lambda = to_.lambda.data();
  end.discrete = discrete_;
  const StepAttempt attempt{*system_,
                            state,
                            end,
                            h,
                            h_.value(state) == h,
                            steps_.value(state) == 0.0,
                            lambda_before_.of(state),
                            redundant_.value(state) != 0.0,
                            options_.newton_tolerance};
  GuardWorkspace workspace{newton_.rhs(), rate_.data(), dv_.data(), middle_.data(),
                           newton_.kkt(), {},           statistics_};
  workspace.weights.mass = 1.0;
  return guards_.assess(std::move(outcome), attempt, workspace);
}

void DiscreteAction::accept(State& state, double h) {
  std::copy(state.lambda.begin(), state.lambda.end(), lambda_before_.of(state));
  steps_.value(state) = 1.0;
  h_.value(state) = h;
  state.t += h;
  std::copy(to_.q.begin(), to_.q.end(), state.q.begin());
  std::copy(to_.v.begin(), to_.v.end(), state.v.begin());
  std::copy(to_.a.begin(), to_.a.end(), state.a.begin());
  std::copy(to_.lambda.begin(), to_.lambda.end(), state.lambda.begin());
  std::copy(to_.p.begin(), to_.p.end(), momentum_.of(state));
  system_->difference(from_.q.data(), to_.q.data(), change_.data());
  h_taken_ = h;
  guards_.accept(state);
}

// The momentum belongs to q and v as they are now.
Outcome DiscreteAction::exchanged(State& state, double) {
  discrete_ = state.discrete.data();
  system_->momentum(state.q.data(), state.v.data(), momentum_.of(state));
  return {};
}

void DiscreteAction::interpolate(double theta, double* q, double* v) const {
  interpolate_on_group(
      *system_,
      {h_taken_, from_.q.data(), change_.data(), from_.v.data(), to_.v.data(), from_.a.data(), to_.a.data()},
      theta, between_.data(), q, v);
}

}  // namespace catena
