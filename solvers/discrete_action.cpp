#include <catena/solvers/discrete_action.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double largest(const double* x, int count) {
  double m = 0.0;
  for (int i = 0; i < count; ++i) m = std::max(m, std::abs(x[i]));
  return m;
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
  visitor.real({"start_tolerance", "m", "largest position residual accepted at the start", 0.0, 1.0},
               o.start_tolerance);
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
  if (!system.has_lagrangian())
    return "discrete_action needs a Lagrangian in plain coordinates (bodies in seven coordinates)";
  for (std::size_t k = 0; k < system.layout().level.size(); ++k)
    if (system.layout().level[k] != Level::position)
      return "discrete_action takes position constraints only; " +
             system.constraint_name(static_cast<int>(k)) + " acts on velocities";
  return {};
}

Outcome DiscreteAction::attach(const System& system) {
  Outcome outcome;
  outcome.culprit.quantity = refuses(system);
  if (outcome.culprit.quantity.empty()) {
    KktOptions kkt;
    kkt.factorization = Factorization::ldu;
    kkt.border = Border::separate;
    kkt.proximal = options_.proximal;
    kkt.backend = backend_;
    kkt.fallback = fallback_;
    outcome.culprit.quantity = kkt_.attach(system, kkt);
  }
  if (!outcome.culprit.quantity.empty()) {
    outcome.status = Status::unsupported;
    return outcome;
  }
  system_ = &system;
  const SystemLayout& layout = system.layout();
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  assert(layout.q_size == n_);
  from_.resize(layout.q_size, n_, m_);
  to_.resize(layout.q_size, n_, m_);
  for (std::vector<double>* x : {&middle_, &rate_, &dq_, &dv_, &inertia_scale_}) x->assign(index(n_), 0.0);
  multiplier_.assign(index(m_), 0.0);
  solution_.assign(index(n_ + m_), 0.0);
  statistics_ = StepperStatistics();
  h_ = 0.0;
  return outcome;
}

Outcome DiscreteAction::failure(const KktReport& report, double h) const {
  Outcome outcome;
  outcome.status = report.status;
  outcome.culprit = report.culprit;
  outcome.h_next = 0.5 * h;
  return outcome;
}

Outcome DiscreteAction::start(State& state, double h) {
  assert(system_ != nullptr);
  const PhaseTimer timer(statistics_.seconds_start);
  to_.q = state.q;
  Point at;
  at.t = state.t;
  at.q = to_.q.data();
  at.v = state.v.data();
  std::vector<double> position(index(m_)), velocity(index(m_));
  Evaluation wanted;
  wanted.position = position.data();
  wanted.velocity = velocity.data();
  system_->evaluate(at, wanted);
  const auto worst = [](const std::vector<double>& r) {
    const auto it =
        std::max_element(r.begin(), r.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
    return static_cast<int>(it - r.begin());
  };

  Outcome outcome;
  outcome.h_next = h;
  if (m_ > 0) {
    const int p = worst(position), v = worst(velocity);
    if (!(std::abs(position[index(p)]) <= options_.start_tolerance)) {
      outcome.status = Status::inconsistent_start;
      outcome.culprit = {kkt_.owner(n_ + p), "position residual", position[index(p)]};
      return outcome;
    }
    const double speed = largest(state.v.data(), n_);
    if (std::abs(velocity[index(v)]) > 1e-12 * (1.0 + speed))
      outcome.culprit = {kkt_.owner(n_ + v), "velocity residual removed at the start", velocity[index(v)]};
  }
  system_->momentum(to_.q.data(), state.v.data(), to_.p.data());
  const KktReport report = settle(state.t, to_);
  if (report.status != Status::ok) {
    outcome = failure(report, h);
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
  assert(state.memory.size() == index(n_) && "the state was not started by discrete_action");
  std::copy(state.q.begin(), state.q.end(), from_.q.begin());
  std::copy(state.v.begin(), state.v.end(), from_.v.begin());
  std::copy(state.lambda.begin(), state.lambda.end(), from_.lambda.begin());
  std::copy(state.memory.begin(), state.memory.end(), from_.p.begin());
  t_ = state.t;
  h_ = h;

  KktReport report = newton(state, h);
  if (report.status == Status::ok) {
    // p_k+1 = D2 S_k = p_k - C_k^T gamma_k + h dL/dq: exact sums, where D2 S itself would carry the rounding
    // of a difference quotient.
    evaluate_interval(h, nullptr);
    for (int i = 0; i < n_; ++i) to_.p[index(i)] = from_.p[index(i)] + h * dq_[index(i)];
    subtract_node_impulse(multiplier_.data(), 1.0 / h, to_.p.data());
    report = settle(state.t + h, to_);
  }
  if (report.status != Status::ok) {
    ++statistics_.rejected_steps;
    return failure(report, h);
  }
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
  Outcome outcome;
  outcome.h_taken = outcome.h_next = h;
  return outcome;
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
