// One step of the discrete action as a Newton iteration, and the index-1 system of a node.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/sparse/detail/block_product.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
using namespace detail;
namespace {

bool all_finite(const double* x, int count) {
  return std::all_of(x, x + count, [](double value) { return std::isfinite(value); });
}

}  // namespace

// The multipliers enter linearly: a solve at a q that has passed the criterion gives them as well as the matrix determines
// them (redundant rows leave some of them open).
Outcome DiscreteAction::iterate(double h, bool watch_rows) {
  predict(h);
  const auto evaluate_iterate = [&](const Evaluation& wanted) { evaluate(h, wanted); };
  NewtonStep step = newton_step(h);
  if (watch_rows) step.dependent_rows = guards_.dependent_rows(t_);
  newton_.begin(step);
  while (newton_.solve(evaluate_iterate)) {
    correct();
    newton_.assess(to_.q.data(), from_.v.data(), multiplier_.data());
  }
  return newton_.outcome(evaluate_iterate);
}

// From q_k + h v_k; C_k^T stays in Bt.
void DiscreteAction::predict(double h) {
  if (!rows_kept_ || rows_t_ != t_ ||
      rows_q_ != from_.q) {  // else they are those of the end of the last step
    Linearization lin;
    lin.matrix = &newton_.kkt().matrix();
    lin.rows_only = true;
    evaluate_rows(t_, from_.q.data(), &lin, nullptr);
  }
  rows_kept_ = false;
  for (int i = 0; i < n_; ++i) to_.q[index(i)] = from_.q[index(i)] + h * from_.v[index(i)];
  for (int i = 0; i < m_; ++i) multiplier_[index(i)] = 0.5 * h * h * from_.lambda[index(i)];
}

NewtonStep DiscreteAction::newton_step(double h) const {
  NewtonStep step;
  step.h = h;
  step.lambda = multiplier_.data();
  step.force = 1.0 / (h * h);
  step.weights.rows_only = step.weights.keep_Bt = true;
  step.options = {options_.newton_tolerance, options_.max_newton_iterations, JacobianUpdate::every_step,
                  true};
  return step;
}

// The residuals -h (p_k + D1 S_k) + C_k^T gamma_k h and g(q_k+1), and their matrix.
void DiscreteAction::evaluate(double h, const Evaluation& wanted) {
  Linearization* lin = wanted.linearization;
  evaluate_interval(h, lin == nullptr ? nullptr : lin->matrix);
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    wanted.balance[i] = -h * (from_.p[k] + 0.5 * h * dq_[k] - dv_[k]);
  }
  add_node_impulse(multiplier_.data(), 1.0, wanted.balance);
  evaluate_rows(t_ + h, to_.q.data(), lin, wanted.position);
  if (wanted.undefined != nullptr) name_undefined(h, *wanted.undefined);
  if (newton_.iterations() > 0 || lin == nullptr) return;
  newton_.kkt().update_proximal();
  newton_.measure_inertia(to_.q.data());
}

// Forces act in the middle of the interval, rows at its end.
void DiscreteAction::name_undefined(double h, Culprit& culprit) const {
  Point at;
  at.t = t_ + 0.5 * h;
  at.q = middle_.data();
  at.discrete = discrete_;
  if (find_undefined(*system_, at, culprit)) return;
  at.t = t_ + h;
  at.q = to_.q.data();
  find_undefined(*system_, at, culprit);
}

void DiscreteAction::correct() {
  system_->retract(to_.q.data(), newton_.correction(), to_.q.data());
  for (int i = 0; i < m_; ++i) multiplier_[index(i)] += newton_.lambda_correction()[i];
}

// dL/dq and dL/dv of the interval [from_.q, to_.q]; into the matrix -h D2D1S.
void DiscreteAction::evaluate_interval(double h, BlockMatrix* matrix) {
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    middle_[k] = 0.5 * (from_.q[k] + to_.q[k]);
    slope_[k] = (to_.q[k] - from_.q[k]) / h;
  }
  LagrangianTerms terms;
  terms.dq = dq_.data();
  terms.dv = dv_.data();
  terms.matrix = matrix;
  terms.qq = -0.25 * h * h;
  terms.qv = -0.5 * h;
  terms.vq = 0.5 * h;
  terms.vv = 1.0;
  terms.discrete = discrete_;
  system_->evaluate_lagrangian(t_ + 0.5 * h, middle_.data(), slope_.data(), terms);
}

void DiscreteAction::evaluate_rows(double t, const double* q, Linearization* lin, double* position) const {
  Point at;
  at.t = t;
  at.q = q;
  at.discrete = discrete_;
  Evaluation wanted;
  wanted.position = position;
  wanted.linearization = lin;
  system_->evaluate(at, wanted);
}

// p += factor C^T multipliers with the node whose rows are in Bt.
void DiscreteAction::add_node_impulse(const double* multipliers, double factor, double* p) const {
  const BlockMatrix& matrix = newton_.kkt().matrix();
  const BlockPattern& pattern = matrix.pattern();
  for (std::size_t k = 0; k < pattern.incidences.size(); ++k) {
    const auto [dual, primal] = pattern.incidences[k];
    add_transposed(matrix.Bt(static_cast<int>(k)), multipliers + (pattern.dual_offset[index(dual)] - n_),
                   factor, p + pattern.primal_offset[index(primal)]);
  }
}

// The matrix of a node, [M C^T; C 0]; its H may be indefinite only where rows are redundant.
KktReport DiscreteAction::factorize() {
  const PhaseTimer timer(statistics_.seconds_factorize);
  KktReport report = newton_.matrix().assess(newton_.kkt().factorize());
  ++statistics_.factorizations;
  if (report.status == Status::singular_kkt && newton_.kkt().factorize_with_fallback()) {
    report.status = Status::ok;
    report.culprit = {};
  }
  return report;
}

// v, a and lambda of a node from its q and p; p loses its part that violates the constraints.
KktReport DiscreteAction::settle(double t, Node& node) {
  double* x = newton_.rhs();
  system_->velocity(node.q.data(), node.p.data(), node.v.data());
  Point at;
  at.t = t;
  at.q = node.q.data();
  at.v = node.v.data();
  at.discrete = discrete_;
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.velocity = x + n_;
  wanted.linearization = &lin;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
    ++statistics_.evaluations;
  }
  const KktReport report =
      factorize();  // with the proximal term of Newton's matrix, which has the same masses
  if (report.status != Status::ok) return report;

  std::fill(x, x + n_, 0.0);
  for (int i = 0; i < m_; ++i) x[n_ + i] = -x[n_ + i];
  double error = 0.0;  // componentwise, backward
  {
    const PhaseTimer timer(statistics_.seconds_solve);
    error = newton_.kkt().solve_refined(x);
    ++statistics_.solves;
    ++statistics_.refinements;
  }
  for (int i = 0; i < n_; ++i) node.v[index(i)] += x[i];
  add_node_impulse(x + n_, -1.0, node.p.data());

  wanted = Evaluation();
  wanted.balance = x;
  wanted.acceleration = x + n_;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
  }
  for (int i = 0; i < n_ + m_; ++i) x[i] = -x[i];
  {
    const PhaseTimer timer(statistics_.seconds_solve);
    error = std::max(error, newton_.kkt().solve_refined(x));
    ++statistics_.solves;
    ++statistics_.refinements;
  }
  std::copy(x, x + n_, node.a.begin());
  std::copy(x + n_, x + n_ + m_, node.lambda.begin());
  if (!all_finite(x, n_ + m_) || !all_finite(node.p.data(), n_)) {
    KktReport bad;
    bad.status = Status::not_finite;
    const double* worst = std::find_if_not(x, x + n_ + m_, [](double value) { return std::isfinite(value); });
    if (worst != x + n_ + m_)
      bad.culprit = {newton_.kkt().owner(static_cast<int>(worst - x)), "acceleration or multiplier", *worst};
    find_undefined(*system_, at, bad.culprit);
    return bad;
  }
  constexpr double useless = 1e-8;  // as in ConsistentValues
  if (!(error <= useless)) {
    KktReport bad;
    bad.status = Status::singular_kkt;
    bad.culprit = {report.weakest_dual >= 0 ? system_->constraint_name(report.weakest_dual) : "",
                   "backward error of the index-1 system", error};
    return bad;
  }
  return report;
}

}  // namespace catena
