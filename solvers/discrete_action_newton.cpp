// One step of the discrete action as a Newton iteration, and the index-1 system of a node.
#include <catena/solvers/discrete_action.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
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
  // Pivots of redundant rows are the proximal term and roundoff: their signs say nothing about H.
  constexpr double redundant = 100.0 * std::numeric_limits<double>::epsilon();
  const double weakest = report.weakest_dual_ratio;
  const bool refused = report.status == Status::ok && report.indefinite &&
                       weakest > std::max(redundant, 2.0 * options_.proximal);
  if (refused) {
    report.status = Status::singular_kkt;
    report.culprit = {"", "indefinite inertia", 0.0};
    if (report.offending_primal >= 0)
      report.culprit.name = system_->velocity_block_name(report.offending_primal);
  }
  if (report.status == Status::singular_kkt && kkt_.factorize_with_fallback()) {
    report.status = Status::ok;
    report.culprit = Culprit();
  }
  return report;
}

// Judges a Newton correction. Rounding sets a floor to both tests: that of m rows, adding up like a random
// walk along the mechanism, leaves corrections of q of a few eps sqrt(m) |q|, and of H times that in the
// balance, which is what multipliers are made of.
DiscreteAction::Correction DiscreteAction::correction(const double* delta) const {
  const std::vector<double>& scale = system_->layout().scale;
  const double eps = std::numeric_limits<double>::epsilon() * std::sqrt(1.0 + m_);
  Correction c;
  double reach = 0.0, inertia = 0.0;
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    c.size = std::max(c.size, std::abs(delta[i]) / scale[k]);
    reach = std::max(reach, std::abs(to_.q[k]) / scale[k]);
    inertia = std::max(inertia, inertia_scale_[k] * (scale[k] + std::abs(to_.q[k])));
  }
  const double tolerance = options_.newton_tolerance;
  c.q_is_small = c.size <= std::max(tolerance, 4.0 * eps * reach);
  c.multipliers_are_small =
      largest(delta + n_, m_) <= std::max(tolerance * largest(multiplier_.data(), m_), 10.0 * eps * inertia);
  return c;
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
  Correction previous;
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
    const Correction c = correction(x);
    if (c.q_is_small && (c.multipliers_are_small || previous.q_is_small)) return report;
    if (iteration >= 3 && c.size > 2.0 * previous.size && c.size > 1e-6) break;  // it runs away
    previous = c;
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
  return {kkt_.owner(worst), force ? "force balance" : "position residual",
          force ? r[worst] / (h * h) : r[worst]};
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

}  // namespace catena
