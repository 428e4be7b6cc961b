// The iterate of alpha-RATTLE and its reactions.
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/detail/alpha_newton_step.hpp>
#include <catena/sparse/detail/block_product.hpp>
#include <catena/stepper/detail/mass_elsewhere.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;

double AlphaRattle::relative_scale(RowKind kind, double h) const {
  return catena::detail::relative_scale(options_.scaling, AlphaWeights(c_, theta_), kind, h);
}

// With delta = dq / (beta h^2) = d total and multipliers times impulse() the matrix is that of generalized_alpha with
// B = G^T at the points of the reactions:
//     (M dv' + ...) = H delta + G^T dlambda / impulse * mass / (2 beta), and dq = beta h^2 (da + dR_0 / (2 beta)).
// Left out, so that the iteration is linear with a factor of O(h): f, M and rows at velocity level see R_h in q with
// 1/2 - beta/gamma, and R_0 in v with 1/2 - gamma/(2 beta), less than delta says; M differs between the points.
NewtonStep AlphaRattle::newton_step(double h) const {
  NewtonStep step = alpha_newton_step(options_.scaling, AlphaWeights(c_, theta_), h, held());
  step.lambda = lambda_.data();
  step.weights.increment = xi_.data();
  step.weights.keep_Bt = true;
  if (!has_two_) step.weights.position_rows = step.weights.velocity_rows;
  step.options.tolerance = options_.newton_tolerance;
  step.options.max_iterations = options_.max_newton_iterations;
  step.options.jacobian = options_.jacobian == AlphaRattleOptions::Jacobian::every_iteration
                              ? JacobianUpdate::every_iteration
                              : JacobianUpdate::every_step;
  return step;
}

// M and, unless keep_Bt, the rows at a point, through the matrix of the Newton iteration: its factor stays.
int AlphaRattle::factor_mass(double t, const double* q, const double* discrete, MassFactor& into,
                             bool keep_Bt) {
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  lin.keep_Bt = keep_Bt;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.t = t;
  at.q = q;
  at.discrete = discrete;
  system_->evaluate(at, wanted);
  return into.make(std::as_const(newton_.kkt()).matrix());
}

// The slots Bt and the masses of R_0 (at the beginning of the step) and R_h (in its middle; with rows of both kinds its
// Bt is in half_Bt_, and the slots are zero).
int AlphaRattle::fill_reactions(const State& state, double h) {
  int bad = -1;
  if (has_one_) {
    for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = 0.5 * h * state.v[k];
    system_->retract(state.q.data(), work_.data(), q_.data());
    bad = factor_mass(state.t + 0.5 * h, q_.data(), state.discrete.data(), mass_half_, false);
    if (mixed()) each_Bt_of_one([](double entry, double& copy) { copy = entry; });
  }
  if (has_two_ && bad < 0) {
    bad = factor_mass(state.t, state.q.data(), state.discrete.data(), mass_n_, false);
    if (mixed()) each_Bt_of_one([](double& entry, double) { entry = 0.0; });
  }
  if (options_.mass_jacobian == MassJacobian::extrapolated && bad < 0) {
    for (std::size_t k = 0; k < work_.size(); ++k) work_[k] = h * state.v[k];
    system_->retract(state.q.data(), work_.data(), mass_q_.data());
    bad = factor_mass(state.t + h, mass_q_.data(), state.discrete.data(), mass_end_, true);
  }
  return bad;
}

template <class Visit>
void AlphaRattle::each_Bt_of_one(const Visit& visit_entry) {
  const BlockPattern& p = *system_->layout().pattern;
  std::size_t at = 0;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    if (two_[first_row(p.incidences[k].dual)]) continue;
    const BlockRef Bt = newton_.kkt().matrix().Bt(static_cast<int>(k));
    for (int i = 0; i < Bt.rows; ++i)
      for (int j = 0; j < Bt.cols; ++j) visit_entry(Bt(i, j), half_Bt_[at++]);
  }
}

// R_0 and R_h from lambda.
void AlphaRattle::compute_reactions() {
  const BlockPattern& p = *system_->layout().pattern;
  const BlockMatrix& matrix = newton_.kkt().matrix();
  std::fill(r_0_.begin(), r_0_.end(), 0.0);
  std::fill(r_h_.begin(), r_h_.end(), 0.0);
  std::size_t at = 0;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const ConstBlockRef Bt = matrix.Bt(static_cast<int>(k));
    const std::size_t first = first_row(p.incidences[k].dual);
    const bool two = two_[first] != 0, copied = !two && mixed();
    double* out =
        (two ? r_0_ : r_h_).data() + p.primal_offset[static_cast<std::size_t>(p.incidences[k].primal)];
    const double* lambda = lambda_.data() + first;
    if (!copied) {
      add_transposed(Bt, lambda, -1.0 / impulse(first), out);
      continue;
    }
    for (int i = 0; i < Bt.rows; ++i)
      for (int j = 0; j < Bt.cols; ++j) out[j] -= half_Bt_[at++] * (lambda[i] / impulse(first));
  }
  if (has_two_) mass_n_.solve(r_0_.data());
  if (has_one_) mass_half_.solve(r_h_.data());
}

// out = -M^-1 G^T lambda at a point.
void AlphaRattle::reaction(double t, const double* q, const double* discrete, const double* lambda,
                           const MassFactor& mass, double* out) {
  Point at;
  at.t = t;
  at.q = q;
  at.discrete = discrete;
  evaluate_reaction(*system_, at, lambda, out);
  mass.solve(out);
  for (std::size_t k = 0; k < v_.size(); ++k) out[k] = -out[k];
}

// a, q, v and v' of the iterate from total_ and the reactions.
void AlphaRattle::move(const State& state, double h) {
  const AlphaWeights w(c_, theta_);
  const double* vdot_n = slots_.vdot.of(state);
  const double to = 1.0 / (1.0 - c_.alpha_f);
  for (std::size_t k = 0; k < a_.size(); ++k) {
    a_[k] = total_[k] - r_0_[k] / (2.0 * w.beta) - r_h_[k] / w.gamma;
    if (theta_ != 0.0) a_n_[k] = theta_ * a_[k] + (1.0 - theta_) * vdot_n[k];
    xi_[k] = h * (state.v[k] + h * ((0.5 - c_.beta) * a_n_[k] + c_.beta * a_[k] + 0.5 * (r_0_[k] + r_h_[k])));
    vdot_[k] = to * ((1.0 - c_.alpha_m) * a_[k] + c_.alpha_m * a_n_[k] - c_.alpha_f * vdot_n[k]);
  }
  system_->retract(state.q.data(), xi_.data(), q_.data());
  set_velocity(state, h);
}

void AlphaRattle::set_velocity(const State& state, double h) {
  for (std::size_t k = 0; k < v_.size(); ++k)
    v_[k] = state.v[k] +
            h * ((1.0 - c_.gamma) * a_n_[k] + c_.gamma * a_[k] + r_h_[k] + 0.5 * (r_0_[k] + r_1_[k]));
}

// The multipliers act through the reactions alone.
Point AlphaRattle::iterate(const State& state, double h) const {
  Point at;
  at.t = state.t + h;
  at.q = q_.data();
  at.v = v_.data();
  at.a = vdot_.data();
  at.discrete = state.discrete.data();
  return at;
}

void AlphaRattle::evaluate_at(const Point& at, const Evaluation& wanted) {
  if (options_.mass_jacobian == MassJacobian::exact)
    system_->evaluate(at, wanted);
  else
    evaluate_with_mass_elsewhere(*system_, at, mass_q_.data(), wanted, work_.data());
}

void AlphaRattle::correct() {
  system_->inverse_tangent(xi_.data(), newton_.correction(), work_.data());
  for (std::size_t k = 0; k < total_.size(); ++k) total_[k] += work_[k];
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += newton_.lambda_correction()[k];
  compute_reactions();
}

}  // namespace catena
