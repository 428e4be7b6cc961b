// One step of the discrete action as a Newton iteration, and the index-1 system of a node.
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Growth of pivots that leaves the backward error of a solution at its target of RefinementOptions, 45 machine epsilons.
constexpr double largest_sound_growth = 45.0;

// The largest |delta_k| / max(scale_k, |q_k|), four at a time, which compilers turn into lanes.
double largest_part(const double* delta, const std::vector<double>& scale, const std::vector<double>& q) {
  constexpr std::size_t width = 4;
  double largest[width] = {};
  const std::size_t whole = q.size() / width * width;
  const double *const length = scale.data(), *const at = q.data();
  const auto part = [&](std::size_t k) { return std::abs(delta[k]) / std::max(length[k], std::abs(at[k])); };
  for (std::size_t k = 0; k < whole; k += width)
    for (std::size_t l = 0; l < width; ++l) largest[l] = std::max(largest[l], part(k + l));
  for (std::size_t k = whole; k < q.size(); ++k) largest[0] = std::max(largest[0], part(k));
  return *std::max_element(largest, largest + width);
}

bool all_finite(const double* x, int count) {
  return std::all_of(x, x + count, [](double value) { return std::isfinite(value); });
}

}  // namespace

// The multipliers enter linearly: a solve at a q that has passed the criterion gives them as well as the matrix determines
// them (redundant rows leave some of them open).
Outcome DiscreteAction::iterate(const State& state, double h) {
  new_matrix_ = false;
  // The first step makes Newton's own matrix, which says whether the forces leave a step of this size defined.
  if (!first(state) && own_matrix_.value(state) == 0.0) {
    if (find_node_matrix() && node_serves_ && iterate_with_node(state, h)) return {};
    new_matrix_ = true;
  }
  predict();
  begin_multipliers(h);
  leapt_ = false;
  for (int i = 0; i < n_; ++i) to_.q[index(i)] = from_.q[index(i)] + h * from_.v[index(i)];
  const auto evaluate_iterate = [&](const Evaluation& wanted) { evaluate(h, wanted); };
  NewtonStep step = newton_step(h);
  if (!held()) step.dependent_rows = guards_.dependent_rows(t_);
  newton_.begin(step);
  while (newton_.solve(evaluate_iterate)) {
    correct();
    newton_.assess(to_.q.data(), from_.v.data(), multiplier_.data());
  }
  return newton_.outcome(evaluate_iterate);
}

// By the factor of the node that the step leaves. False: it contracts too slowly, or something is wrong, and Newton's own
// matrix has to say what.
bool DiscreteAction::iterate_with_node(const State& state, double h) {
  predict_by_history(state, h);
  begin_multipliers(h);
  const auto evaluate_iterate = [&](const Evaluation& wanted) { evaluate(h, wanted); };
  const std::vector<double>& scale = system_->layout().scale;
  // Of a correction, beside the numbers whose roundoff it has.
  const auto size_of = [&](const double* delta) { return largest_part(delta, scale, to_.q); };
  NewtonStep step = newton_step(h);
  step.keep_matrix = true;
  newton_.begin(step);
  double last = 0.0, before = 0.0;  // corrections of q
  while (newton_.solve(evaluate_iterate)) {
    before = std::exchange(last, size_of(newton_.correction()));
    correct();
    newton_.assess(to_.q.data(), from_.v.data(), multiplier_.data());
    if (newton_.wants_matrix()) return false;
  }
  if (!newton_.converged()) return false;
  // Newton's own matrix leaves roundoff behind the last correction. Where this one leaves more, one correction more takes
  // it out of the rows.
  // A ratio of two corrections may be small by accident. The rows of the node and those of the end are apart by what a body turns in
  // the step, a hundredth of a rad where motions are resolved: norms were off by up to 1.3e-15 without this, by 7e-16 with it
  // (box chain, 100 s, four runs each).
  constexpr double fastest = 0.01;
  const double contraction = before > 0.0 ? std::max(last / before, fastest) : step.options.slow;
  if (contraction * last <= std::numeric_limits<double>::epsilon()) return true;
  double* const x = newton_.rhs();
  Evaluation wanted;
  wanted.balance = x;
  wanted.position = x + n_;
  ++statistics_.evaluations;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    evaluate(h, wanted);
  }
  for (int i = 0; i < n_ + m_; ++i) x[i] = -x[i];
  const PhaseTimer timer(statistics_.seconds_solve);
  newton_.kkt().solve(x);
  ++statistics_.solves;
  ++statistics_.newton_iterations;
  correct();
  return true;
}

// C_k^T into Bt.
void DiscreteAction::predict() {
  if (!node_kept_ || node_t_ != t_ || node_q_ != from_.q) {
    Linearization lin;
    lin.matrix = &newton_.kkt().matrix();
    lin.rows_only = true;
    evaluate_rows(t_, from_.q.data(), &lin, nullptr);
  }
  node_kept_ = false;
}

// q_k+1 - 2 q_k + q_k-1 = h^2 a_k + ..., where what is left out changes by O(h^5) from step to step. Between steps of
// different sizes the velocity serves, with an error of O(h^3).
void DiscreteAction::predict_by_history(const State& state, double h) {
  const double known = h_before(state) == h ? history_.value(state) : 0.0;
  leapt_ = known > 0.0;
  if (!leapt_) {
    for (std::size_t k = 0; k < to_.q.size(); ++k)
      to_.q[k] = from_.q[k] + h * (from_.v[k] + 0.5 * h * state.a[k]);
    return;
  }
  const double *change = change_before_.of(state), *missed = missed_.of(state);
  const double by_missed = known > 1.0 ? 1.0 : 0.0;
  for (std::size_t k = 0; k < to_.q.size(); ++k) {
    leap_[k] = from_.q[k] + (change[k] + h * h * state.a[k]);
    to_.q[k] = leap_[k] + by_missed * missed[k];
  }
}

void DiscreteAction::remember_prediction(State& state) {
  double *change = change_before_.of(state), *missed = missed_.of(state);
  for (std::size_t k = 0; k < to_.q.size(); ++k) {
    change[k] = change_[k];
    missed[k] = leapt_ ? to_.q[k] - leap_[k] : 0.0;
  }
  history_.value(state) = leapt_ ? 2.0 : 1.0;
  // A factor that contracts too slowly once will mostly do so at the next step, where it would cost its iterations in
  // vain. Of sixteen steps one tries, so that this costs at most a sixteenth.
  constexpr double pause = 15.0;
  double& own = own_matrix_.value(state);
  own = new_matrix_ ? pause : std::max(own - 1.0, proximal_reduced_ ? 1.0 : 0.0);
}

void DiscreteAction::begin_multipliers(double h) {
  for (int i = 0; i < m_; ++i) multiplier_[index(i)] = 0.5 * h * h * from_.lambda[index(i)];
}

NewtonStep DiscreteAction::newton_step(double h) const {
  NewtonStep step;
  step.h = h;
  step.lambda = multiplier_.data();
  step.discrete = discrete_;
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
  const double *const p = from_.p.data(), *const dq = dq_.data(), *const dv = dv_.data();
  for (int i = 0; i < n_; ++i) wanted.balance[i] = -h * (p[i] + 0.5 * h * dq[i] - dv[i]);
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
  const double *const q = from_.q.data(), *const to = to_.q.data();
  double *const middle = middle_.data(), *const slope = slope_.data();
  const double rate = 1.0 / h;
  for (int i = 0; i < n_; ++i) {
    middle[i] = 0.5 * (q[i] + to[i]);
    slope[i] = (to[i] - q[i]) * rate;
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
  newton_.kkt().lanes().add_B(newton_.kkt().matrix(), multipliers, factor, p);
}

// The impulse that the constraints had before the node is that behind it but for terms of order h, and the rows of v, in
// rows_, without it. What is left is so small that one solution takes it out to roundoff.
void DiscreteAction::take_impulse_before(double h, Node& node) {
  const KktSolver& kkt = newton_.kkt();
  std::fill(dq_.begin(), dq_.end(), 0.0);
  kkt.lanes().add_B(kkt.matrix(), from_.lambda.data(), -0.5 * h, dq_.data());
  system_->velocity(node.q.data(), dq_.data(), dv_.data());
  kkt.lanes().add_C(kkt.matrix(), dv_.data(), 1.0, rows_.data());
  for (int i = 0; i < n_; ++i) {
    node.p[index(i)] += dq_[index(i)];
    node.v[index(i)] += dv_[index(i)];
  }
}

// Takes out of v, and of p with it, what violates the rows at velocity level, whose values are in rows_.
void DiscreteAction::project_velocity(Node& node) {
  double* x = newton_.rhs();
  const PhaseTimer timer(statistics_.seconds_solve);
  std::fill(x, x + n_, 0.0);
  for (int i = 0; i < m_; ++i) x[n_ + i] = -rows_[index(i)];
  newton_.kkt().solve(x);
  ++statistics_.solves;
  for (int i = 0; i < n_; ++i) node.v[index(i)] += x[i];
  add_node_impulse(x + n_, -1.0, node.p.data());
}

// a and lambda; returns the backward error, or 0 where the factor leaves no more than roundoff.
double DiscreteAction::solve_forces(const KktReport& factored, double* x) {
  // Multipliers that redundant rows leave open change by themselves.
  constexpr double enough = 1e-16;
  const PhaseTimer timer(statistics_.seconds_solve);
  ++statistics_.solves;
  ++statistics_.refinements;
  if (!node_serves_ || !(factored.pivot_growth <= largest_sound_growth))
    return newton_.kkt().solve_refined(x);
  std::copy(x, x + n_ + m_, forces_.begin());
  if (newton_.kkt().solve_repeatedly(x) <= enough) return 0.0;
  std::copy(forces_.begin(), forces_.end(), x);
  return newton_.kkt().solve_refined(x);
}

Point DiscreteAction::point_of_node(double t, const Node& node) const {
  Point at;
  at.t = t;
  at.q = node.q.data();
  at.v = node.v.data();
  at.discrete = discrete_;
  return at;
}

// [M, C^T; C, 0] of a node and its factor; velocity: null, or the rows at velocity level.
KktReport DiscreteAction::make_node_matrix(const Point& at, double* velocity) {
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.velocity = velocity;
  wanted.linearization = &lin;
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
  }
  newton_.kkt().update_proximal();
  newton_.measure_inertia(at.q);
  const PhaseTimer timer(statistics_.seconds_factorize);
  KktReport report = newton_.matrix().assess(newton_.kkt().factorize_symmetric(nullptr));
  node_serves_ = report.status == Status::ok && !(report.weakest_dual_ratio < DependentRows::dependent);
  // H of a node may be indefinite only where rows are redundant.
  if (report.status == Status::singular_kkt && newton_.kkt().factorize_with_fallback()) {
    report.status = Status::ok;
    report.culprit = {};
  }
  node_t_ = at.t;
  std::copy_n(at.q, n_, node_q_.begin());
  return report;
}

// The factor of the node that the step leaves, which is in hand or is made again, to the bit: a function of t and q. The
// statistics do not count it, so that a run without a break and one that was resumed have the same counts.
bool DiscreteAction::find_node_matrix() {
  if (node_kept_ && node_t_ == t_ && node_q_ == from_.q) return true;
  node_kept_ = make_node_matrix(point_of_node(t_, from_), nullptr).status == Status::ok;
  return node_kept_;
}

// v, a and lambda of a node from its q and p; p loses its part that violates the constraints. State: of the node before.
KktReport DiscreteAction::settle(const State& state, double h, Node& node) {
  double* x = newton_.rhs();
  system_->velocity(node.q.data(), node.p.data(), node.v.data());
  const Point at = point_of_node(state.t + h, node);
  ++statistics_.evaluations;
  ++statistics_.factorizations;
  const KktReport report = make_node_matrix(at, rows_.data());
  if (report.status != Status::ok) return report;
  const double proximal = m_ > 0 ? *newton_.kkt().matrix().proximal(0) : 0.0;
  take_impulse_before(h, node);
  project_velocity(node);

  Evaluation wanted;
  wanted.balance = x;
  wanted.velocity = rows_.data();
  wanted.acceleration = x + n_;
  const auto evaluate_forces = [&] {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at, wanted);
  };
  evaluate_forces();
  // One solution leaves roundoff, unless rows are so soft that the proximal term shows. Another one is as good as a
  // refinement of the first.
  constexpr double roundoff = 4.0 * std::numeric_limits<double>::epsilon();  // as in NewtonMonitor
  constexpr int most = 3;  // as RefinementOptions::max_steps
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    const double residual = largest_of(rows_.data(), m_);
    if (residual <= roundoff * largest_of(node.v.data(), n_, 1.0) || residual > 0.5 * last) break;
    project_velocity(node);
    evaluate_forces();
    last = residual;
  }
  for (int i = 0; i < n_ + m_; ++i) x[i] = -x[i];
  const double error = solve_forces(report, x);
  proximal_reduced_ = m_ > 0 && *newton_.kkt().matrix().proximal(0) != proximal;
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
  if (!(error <= KktSolver::useless_error)) {
    KktReport bad;
    bad.status = Status::singular_kkt;
    bad.culprit = {report.weakest_dual >= 0 ? system_->constraint_name(report.weakest_dual) : "",
                   "backward error of the index-1 system", error};
    return bad;
  }
  return report;
}

}  // namespace catena
