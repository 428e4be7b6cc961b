#include <catena/kkt/consistent.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/discrete_action.hpp>
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
    : HistoryStepper(
          {.proximal = options.proximal, .newton_tolerance = options.newton_tolerance, .compliant = false}),
      options_(std::move(options)),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)) {}

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
  const SystemLayout& layout = system.layout();
  Outcome outcome =
      attach_iteration(system, kkt, std::vector<RowKind>(layout.level.size(), RowKind::position), false);
  if (outcome.status != Status::ok) return outcome;
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  node_kept_ = false;
  assert(layout.q_size == n_);
  momentum_ = memory_.add("momentum", n_);
  lambda_before_ = memory_.add("multipliers before", m_);
  change_before_ = memory_.add("last change of q", n_);
  missed_ = memory_.add("missed by the prediction", n_);
  history_ = memory_.add("known of the prediction", 1);
  own_matrix_ = memory_.add("steps with a matrix of their own", 1);
  guards_.attach({system, statistics_, traits().order_lambda}, action_guards(), options_.guards, memory_);
  return outcome;
}

void DiscreteAction::make_work_arrays(const State&) {
  from_.resize(n_, n_, m_);
  to_.resize(n_, n_, m_);
  for (std::vector<double>* x : {&middle_, &slope_, &dq_, &dv_, &change_, &node_q_, &leap_})
    x->assign(index(n_), 0.0);
  multiplier_.assign(index(m_), 0.0);
  rows_.assign(index(m_), 0.0);
  forces_.assign(index(n_ + m_), 0.0);
}

void DiscreteAction::begin_history(State& state, double, ConsistentValues&, Outcome&) {
  system_->momentum(state.q.data(), state.v.data(), momentum_.of(state));
}

Linearization DiscreteAction::mass_and_rows(double) const {
  Linearization lin;
  lin.mass = 1.0;
  return lin;
}

// The matrix of the rows was made anew for it.
void DiscreteAction::scaled(const Point&, double) { node_kept_ = false; }

Outcome DiscreteAction::attempt(const State& state, double h) {
  std::copy(state.q.begin(), state.q.end(), from_.q.begin());
  std::copy(state.v.begin(), state.v.end(), from_.v.begin());
  std::copy(state.lambda.begin(), state.lambda.end(), from_.lambda.begin());
  std::copy_n(momentum_.of(state), from_.p.size(), from_.p.begin());
  discrete_ = state.discrete.data();
  t_ = state.t;

  Outcome outcome = iterate(state, h);
  if (outcome.status == Status::ok) {
    // p_k+1 = D2 S_k = p_k - C_k^T gamma_k + h dL/dq: exact sums, where D2 S itself would carry the rounding error
    // of a difference quotient.
    evaluate_interval(h, nullptr);
    for (int i = 0; i < n_; ++i) to_.p[index(i)] = from_.p[index(i)] + h * dq_[index(i)];
    add_node_impulse(multiplier_.data(), -1.0 / h, to_.p.data());
    const KktReport report = settle(state, h, to_);
    if (report.status != Status::ok) outcome = failure(report.status, report.culprit);
  }
  return assess(state, h, std::move(outcome));
}

Outcome DiscreteAction::assess(const State& state, double h, Outcome outcome) {
  Point end;
  end.t = state.t + h;
  end.q = to_.q.data();
  end.v = to_.v.data();
  end.a = to_.a.data();
  end.lambda = to_.lambda.data();
  end.discrete = discrete_;
  GuardWorkspace workspace{newton_.rhs(), slope_.data(), dv_.data(), middle_.data(), newton_.kkt(), {},
                           statistics_};
  workspace.weights = mass_and_rows(h);
  outcome =
      guards_.assess(std::move(outcome), attempt_of(state, end, h, lambda_before_.of(state)), workspace);
  node_kept_ = outcome.status == Status::ok && !workspace.matrix_used;
  return outcome;
}

void DiscreteAction::accept(State& state, double h) {
  std::copy(state.lambda.begin(), state.lambda.end(), lambda_before_.of(state));
  std::copy(to_.lambda.begin(), to_.lambda.end(), state.lambda.begin());
  std::copy(to_.p.begin(), to_.p.end(), momentum_.of(state));
  system_->difference(from_.q.data(), to_.q.data(), change_.data());
  remember_prediction(state);
  take_end(state, h, {to_.q, change_, to_.v, to_.a});
}

// The momentum belongs to q and v as they are now.
Outcome DiscreteAction::exchanged(State& state, double) {
  node_kept_ = false;
  history_.value(state) = 0.0;
  system_->momentum(state.q.data(), state.v.data(), momentum_.of(state));
  return {};
}

}  // namespace catena
