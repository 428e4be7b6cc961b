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

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
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
  visitor.real({"proximal", "1", "dual proximal term that bounds the multipliers of redundant constraints", 0.0, 1e-6},
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
      return "discrete_action takes position constraints only; " + system.constraint_name(static_cast<int>(k)) +
             " acts on velocities";
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

// dL/dq and dL/dv of the interval [from_.q, to_.q]; into the matrix -h D2D1S.
void DiscreteAction::evaluate_interval(double h, BlockMatrix* matrix) {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    middle_[k] = 0.5 * (from_.q[k] + to_.q[k]);
    rate_[k] = (to_.q[k] - from_.q[k]) / h;
  }
  LagrangianTerms terms;
  terms.dq = dq_.data();
  terms.dv = dv_.data();
  terms.matrix = matrix;
  terms.qq = -0.25 * h * h;
  terms.qv = -0.5 * h;
  terms.vq = 0.5 * h;
  terms.vv = 1.0;
  system_->evaluate_lagrangian(t_ + 0.5 * h, middle_.data(), rate_.data(), terms);
  ++statistics_.evaluations;
}

// out = h (p_k + D1 S_k), the right-hand side that belongs to the matrix.
void DiscreteAction::balance_rows(double h, double* out) const {
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    out[i] = h * (from_.p[k] + 0.5 * h * dq_[k] - dv_[k]);
  }
}

void DiscreteAction::evaluate_rows(double t, const double* q, bool keep_Bt, double* position) {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.rows_only = true;
  lin.keep_Bt = keep_Bt;
  Point at;
  at.t = t;
  at.q = q;
  Evaluation wanted;
  wanted.position = position;
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
}

KktReport DiscreteAction::factorize() {
  const PhaseTimer timer(statistics_.seconds_factorize);
  KktReport report = kkt_.factorize();
  ++statistics_.factorizations;
  if (report.indefinite) ++statistics_.indefinite_factorizations;
  if (report.status == Status::singular_kkt && kkt_.factorize_with_fallback()) report.status = Status::ok;
  return report;
}

// Size of a Newton correction, max |delta_i| / s_i of q and of the multipliers. These are compared with the
// largest of them, but not below what rounding of the balance allows: H |q| eps with two digits to spare.
DiscreteAction::Correction DiscreteAction::correction(const double* delta) const {
  const std::vector<double>& scale = system_->layout().scale;
  Correction size;
  double inertia = 0.0;
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    size.q = std::max(size.q, std::abs(delta[i]) / scale[k]);
    inertia = std::max(inertia, inertia_scale_[k] * (scale[k] + std::abs(to_.q[k])));
  }
  const double rounding = 100.0 * std::numeric_limits<double>::epsilon() * inertia / options_.newton_tolerance;
  size.multipliers = largest(delta + n_, m_) / std::max(largest(multiplier_.data(), m_), rounding);
  return size;
}

// Exact Newton from q_k + h v_k. The multipliers enter linearly: a solve at a q that has passed the criterion
// gives them as well as the matrix determines them (redundant rows leave some of them open), so a second
// small correction of q in a row ends the iteration too.
KktReport DiscreteAction::newton(const State& state, double h) {
  KktReport report;
  BlockMatrix& matrix = kkt_.matrix();
  const double t_end = state.t + h;
  evaluate_rows(state.t, from_.q.data(), false, nullptr);  // C_k^T stays in Bt
  for (int i = 0; i < n_; ++i) to_.q[index(i)] = from_.q[index(i)] + h * from_.v[index(i)];
  for (int i = 0; i < m_; ++i) multiplier_[index(i)] = 0.5 * h * h * from_.lambda[index(i)];

  double* x = solution_.data();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 1; iteration <= options_.max_newton_iterations; ++iteration) {
    ++statistics_.newton_iterations;
    evaluate_interval(h, &matrix);
    evaluate_rows(t_end, to_.q.data(), true, x + n_);
    balance_rows(h, x);
    subtract_node_impulse(multiplier_.data(), 1.0, x);
    for (int i = 0; i < m_; ++i) x[n_ + i] = -x[n_ + i];
    if (iteration == 1) {
      kkt_.update_proximal();
      const BlockPattern& pattern = matrix.pattern();
      for (int k = 0; k < pattern.primal_count(); ++k) {
        const ConstBlockRef H = std::as_const(matrix).H(k);
        for (int i = 0; i < H.rows; ++i)
          inertia_scale_[index(pattern.primal_offset[index(k)] + i)] = std::abs(H(i, i));
      }
    }
    report = factorize();
    if (report.status != Status::ok) return report;
    {
      const PhaseTimer timer(statistics_.seconds_solve);
      kkt_.solve(x);
      ++statistics_.solves;
    }
    if (!all_finite(solution_)) {
      report.status = Status::not_finite;
      return report;
    }
    system_->retract(to_.q.data(), x, to_.q.data());
    for (int i = 0; i < m_; ++i) multiplier_[index(i)] += x[n_ + i];
    const Correction size = correction(x);
    if (size.q <= options_.newton_tolerance &&
        (size.multipliers <= options_.newton_tolerance || previous <= options_.newton_tolerance))
      return report;
    if (iteration >= 3 && size.q > 2.0 * previous && size.q > 1e-6) break;  // it runs away
    previous = size.q;
  }
  report.status = Status::newton_not_converged;
  report.culprit = worst_residual(state, h);
  return report;
}

// The row furthest from zero, each as the displacement that would remove it, relative to its scale.
Culprit DiscreteAction::worst_residual(const State& state, double h) {
  const BlockMatrix& matrix = kkt_.matrix();
  const BlockPattern& pattern = matrix.pattern();
  const std::vector<double>& scale = system_->layout().scale;
  double* r = solution_.data();
  evaluate_interval(h, nullptr);
  balance_rows(h, r);
  subtract_node_impulse(multiplier_.data(), 1.0, r);
  evaluate_rows(state.t + h, to_.q.data(), true, r + n_);
  std::vector<double> reach(index(m_), 0.0);
  for (std::size_t k = 0; k < pattern.incidences.size(); ++k) {
    const auto [dual, primal] = pattern.incidences[k];
    const ConstBlockRef C = matrix.C(static_cast<int>(k));
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j)
        reach[index(pattern.dual_offset[index(dual)] - n_ + i)] +=
            std::abs(C(i, j)) * scale[index(pattern.primal_offset[index(primal)] + j)];
  }
  int worst = 0;
  double size = -1.0;
  for (int i = 0; i < n_ + m_; ++i) {
    const double unit = i < n_ ? inertia_scale_[index(i)] * scale[index(i)] : reach[index(i - n_)];
    const double relative = std::abs(r[i]) / std::max(unit, std::numeric_limits<double>::min());
    if (relative <= size && std::isfinite(relative)) continue;
    worst = i;
    size = relative;
    if (!std::isfinite(relative)) break;
  }
  const bool force = worst < n_;
  return {kkt_.owner(worst), force ? "force balance" : "position residual", force ? r[worst] / (h * h) : r[worst]};
}

// p -= factor C^T multipliers with the node whose rows stand in Bt.
void DiscreteAction::subtract_node_impulse(const double* multipliers, double factor, double* p) const {
  const BlockMatrix& matrix = kkt_.matrix();
  const BlockPattern& pattern = matrix.pattern();
  for (std::size_t k = 0; k < pattern.incidences.size(); ++k) {
    const ConstBlockRef C = matrix.Bt(static_cast<int>(k));
    const double* mu = multipliers + (pattern.dual_offset[index(pattern.incidences[k].dual)] - n_);
    double* out = p + pattern.primal_offset[index(pattern.incidences[k].primal)];
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) out[j] -= factor * C(i, j) * mu[i];
  }
}

// v, a and lambda of a node from its q and p; p loses its part that violates the constraints.
KktReport DiscreteAction::settle(double t, Node& node) {
  double* x = solution_.data();
  system_->velocity(node.q.data(), node.p.data(), node.v.data());
  Point at;
  at.t = t;
  at.q = node.q.data();
  at.v = node.v.data();
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.velocity = x + n_;
  wanted.linearization = &lin;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
    ++statistics_.evaluations;
  }
  kkt_.update_proximal();
  const KktReport report = factorize();
  if (report.status != Status::ok) return report;

  std::fill(x, x + n_, 0.0);
  for (int i = 0; i < m_; ++i) x[n_ + i] = -x[n_ + i];
  {
    const PhaseTimer timer(statistics_.seconds_solve);
    kkt_.solve_refined(x);
    ++statistics_.solves;
    ++statistics_.refinements;
  }
  for (int i = 0; i < n_; ++i) node.v[index(i)] += x[i];
  subtract_node_impulse(x + n_, 1.0, node.p.data());

  wanted = Evaluation();
  wanted.balance = x;
  wanted.acceleration = x + n_;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
  }
  for (double& r : solution_) r = -r;
  {
    const PhaseTimer timer(statistics_.seconds_solve);
    kkt_.solve_refined(x);
    ++statistics_.solves;
    ++statistics_.refinements;
  }
  std::copy(x, x + n_, node.a.begin());
  std::copy(x + n_, x + n_ + m_, node.lambda.begin());
  if (!all_finite(solution_) || !all_finite(node.p)) {
    KktReport bad;
    bad.status = Status::not_finite;
    return bad;
  }
  return report;
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
    const auto it = std::max_element(r.begin(), r.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
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
