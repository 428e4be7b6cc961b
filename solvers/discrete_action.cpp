#include <catena/kkt/consistent.hpp>
#include <catena/math/index.hpp>
#include <catena/math/option_range.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {

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

Outcome DiscreteAction::take_on(const System& system) {
  KktOptions kkt;
  kkt.factorization = Factorization::ldu;
  kkt.border = Border::separate;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  std::vector<RowKind> rows(system.layout().level.size(), RowKind::position);
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_, false);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  system_ = &system;
  const SystemLayout& layout = system.layout();
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  assert(layout.q_size == n_);
  from_.resize(layout.q_size, n_, m_);
  to_.resize(layout.q_size, n_, m_);
  for (std::vector<double>* x : {&middle_, &rate_, &dq_, &dv_}) x->assign(index(n_), 0.0);
  multiplier_.assign(index(m_), 0.0);
  newton_.allocate();
  statistics_ = StepperStatistics();
  h_ = 0.0;
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
  Outcome outcome;
  outcome.h_next = h;
  {
    ConsistentValues consistent(*system_, newton_.kkt(), discrete_);
    const KktReport r = consistent.check_positions(state.t, state.q.data(), start_position_tolerance);
    if (r.status != Status::ok) return refused(r, h);
  }
  to_.q = state.q;
  system_->momentum(to_.q.data(), state.v.data(), to_.p.data());
  const KktReport report = settle(state.t, to_);
  if (report.status != Status::ok) {
    outcome = refused(report, h);
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  state.v = to_.v;
  state.a = to_.a;
  state.lambda = to_.lambda;
  state.memory = to_.p;
  from_ = to_;
  h_ = 0.0;
  return outcome;
}

Outcome DiscreteAction::step(State& state, double h) {
  assert(system_ != nullptr && h != 0.0);
  if (state.memory.size() != index(n_))
    return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                         static_cast<double>(state.memory.size())});
  std::copy(state.q.begin(), state.q.end(), from_.q.begin());
  std::copy(state.v.begin(), state.v.end(), from_.v.begin());
  std::copy(state.lambda.begin(), state.lambda.end(), from_.lambda.begin());
  std::copy(state.memory.begin(), state.memory.end(), from_.p.begin());
  discrete_ = state.discrete.data();
  t_ = state.t;
  h_ = h;

  Outcome outcome = attempt(h);
  if (outcome.status == Status::ok) {
    // p_k+1 = D2 S_k = p_k - C_k^T gamma_k + h dL/dq: exact sums, where D2 S itself would carry the rounding
    // of a difference quotient.
    evaluate_interval(h, nullptr);
    for (int i = 0; i < n_; ++i) to_.p[index(i)] = from_.p[index(i)] + h * dq_[index(i)];
    add_node_impulse(multiplier_.data(), -1.0 / h, to_.p.data());
    const KktReport report = settle(state.t + h, to_);
    if (report.status != Status::ok) outcome = refused(report, h);
  }
  if (outcome.status != Status::ok) {
    ++statistics_.rejected_steps;
    outcome.h_next = 0.5 * h;
    return outcome;
  }
  accept(state, h);
  outcome.h_taken = outcome.h_next = h;
  return outcome;
}

void DiscreteAction::accept(State& state, double h) {
  state.t += h;
  state.q.swap(to_.q);
  state.v.swap(to_.v);
  state.a.swap(to_.a);
  state.lambda.swap(to_.lambda);
  state.memory.swap(to_.p);
  // Copies for interpolate(), since the state is the caller's.
  std::copy(state.q.begin(), state.q.end(), to_.q.begin());
  std::copy(state.v.begin(), state.v.end(), to_.v.begin());
  ++statistics_.steps;
  if (system_->update_discrete(state)) {  // the momentum belongs to q and v as they are now
    discrete_ = state.discrete.data();
    system_->momentum(state.q.data(), state.v.data(), state.memory.data());
  }
}

void DiscreteAction::interpolate(double theta, double* q, double* v) const {
  const double s = theta, h = h_;
  const double b = s * s * (3.0 - 2.0 * s), c = s * (1.0 - s) * (1.0 - s), d = s * s * (s - 1.0);
  const double db = 6.0 * s * (1.0 - s), dc = (1.0 - s) * (1.0 - 3.0 * s), dd = s * (3.0 * s - 2.0);
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    const double change = to_.q[k] - from_.q[k];
    q[i] = from_.q[k] + b * change + h * (c * from_.v[k] + d * to_.v[k]);
    v[i] = (h == 0.0 ? 0.0 : db * change / h) + dc * from_.v[k] + dd * to_.v[k];
  }
}

}  // namespace catena
