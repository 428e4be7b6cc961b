// The iterate of alpha-RATTLE and its reactions.
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/alpha_rattle_memory.hpp>
#include <catena/stepper/mass_elsewhere.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {

// What the rows of a kind are, over their natural scaling.
double AlphaRattle::relative_scale(RowKind kind, double h) const {
  const AlphaWeights w(c_, theta_);
  const double natural = kind == RowKind::position ? 1.0 / (w.beta * h * h) : 1.0 / (w.gamma * h);
  return relative_to_natural(options_.scaling, h, natural);
}

// With delta = dq / (beta h^2) = d total and multipliers times impulse() the matrix is that of generalized_alpha with
// B = G^T at the points of the reactions:
//     (M dv' + ...) = H delta + G^T dlambda / impulse * mass / (2 beta), and dq = beta h^2 (da + dR_0 / (2 beta)).
// Left out, so that the iteration is linear with a factor of O(h): f, M and rows at velocity level see R_h in q with
// 1/2 - beta/gamma, and R_0 in v with 1/2 - gamma/(2 beta), less than delta says; M differs between the points.
NewtonStep AlphaRattle::newton_step(double h) const {
  const AlphaWeights w(c_, theta_);
  const double of_position = relative_scale(RowKind::position, h),
               of_velocity = relative_scale(RowKind::velocity, h);
  NewtonStep step;
  step.h = h;
  step.lambda = lambda_.data();
  step.unit = w.beta * h * h;
  step.position_factor = of_position / (w.beta * h * h);
  step.velocity_factor = of_velocity / (w.gamma * h);
  step.weights.mass = w.mass;
  step.weights.damping = w.gamma * h;
  step.weights.stiffness = w.beta * h * h;
  step.weights.increment = xi_.data();
  step.weights.keep_Bt = true;
  step.weights.position_rows = {of_position, 0.0, 0.0};
  step.weights.velocity_rows = {0.0, of_velocity, of_velocity * w.beta * h / w.gamma};
  if (!has_two_) step.weights.position_rows = step.weights.velocity_rows;
  step.dependent = compliance_ > options_.proximal ? 0.0 : 1e-10;
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
// Bt stands in half_Bt_, and the slots are zero).
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

// Takes the rows with one multiplier out of Newton's matrix and residuals: C = B = 0, D = 1, residual 0.
void AlphaRattle::silence_one(const Evaluation& wanted, double h) {
  const BlockPattern& p = *system_->layout().pattern;
  BlockMatrix& matrix = newton_.kkt().matrix();
  const double factor = newton_step(h).velocity_factor;
  for (int d = 0; d < p.dual_count(); ++d) {
    const std::size_t first = first_row(d);
    if (two_[first]) continue;
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) {
      matrix.D(d)[i] = 1.0;
      wanted.velocity[first + static_cast<std::size_t>(i)] =
          lambda_[first + static_cast<std::size_t>(i)] / factor;
    }
  }
  if (wanted.linearization == nullptr) return;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    if (two_[first_row(p.incidences[k].dual)]) continue;
    const BlockRef C = matrix.C(static_cast<int>(k));
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) C(i, j) = 0.0;
  }
}

// The matrix of all rows at the predicted iterate.
KktReport AlphaRattle::factor_rates(const State& state, double h) {
  Linearization lin;
  lin.matrix = &rates_kkt_->matrix();
  lin.mass = AlphaWeights(c_, theta_).mass;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(iterate(state, h), wanted);
  ++statistics_.factorizations;
  KktReport r = rates_kkt_->factorize();
  const double dependent = newton_step(h).dependent;
  if (r.weakest_dual_ratio < dependent) {
    r.status = Status::singular_kkt;
    r.culprit = {system_->constraint_name(r.weakest_dual), "rows become dependent, local Schur pivot",
                 r.weakest_dual_ratio};
  }
  return r;
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
    for (int i = 0; i < Bt.rows; ++i) {
      const double lambda = lambda_[first + static_cast<std::size_t>(i)] / impulse(first);
      for (int j = 0; j < Bt.cols; ++j) out[j] -= (copied ? half_Bt_[at++] : Bt(i, j)) * lambda;
    }
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
  at.lambda = lambda;
  at.forces = false;
  at.discrete = discrete;
  Evaluation wanted;
  wanted.balance = out;
  system_->evaluate(at, wanted);
  mass.solve(out);
  for (std::size_t k = 0; k < v_.size(); ++k) out[k] = -out[k];
}

// a, q, v and v' of the iterate from total_ and the reactions.
void AlphaRattle::move(const State& state, double h) {
  const AlphaWeights w(c_, theta_);
  const double* vdot_n = Memory::of(state).vdot();
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

// The rows at velocity level with R_1 at the present q, into rates_ as a right-hand side; their largest entry.
double AlphaRattle::rate_residual(const State& state, double h) {
  const AlphaWeights w(c_, theta_);
  if (has_two_)
    reaction(state.t + h, q_.data(), state.discrete.data(), lambda_1_.data(), mass_end_, r_1_.data());
  set_velocity(state, h);
  Evaluation wanted;
  wanted.velocity = rows_.data();
  system_->evaluate(iterate(state, h), wanted);
  std::fill(rates_.begin(), rates_.begin() + static_cast<std::ptrdiff_t>(v_.size()), 0.0);
  const double of_two = mixed() ? 1.0 : relative_scale(RowKind::position, h);
  const double of_one = mixed() ? 1.0 : relative_scale(RowKind::velocity, h);
  const BlockPattern& p = *system_->layout().pattern;
  double largest = 0.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const double* D = std::as_const(rates_kkt()).matrix().D(d);
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) {
      const int row = p.dual_offset[static_cast<std::size_t>(d)] + i;
      const auto r = static_cast<std::size_t>(row - p.primal_dimension);
      const double scale = two_[r] ? of_two : of_one;
      const double held = D[i] * h * (two_[r] ? 0.5 * w.mass * lambda_1_[r] : w.gamma * lambda_[r]);
      rates_[static_cast<std::size_t>(row)] = held - scale * rows_[r];
      largest = std::max(largest, std::abs(rows_[r] - held / scale));
    }
  }
  return largest;
}

// One correction of lambda_1 and lambda_h by the factor in hand, which is that of [mass M, G^T; G, 0] up to O(h), at
// fixed a and q.
void AlphaRattle::correct_impulses(const State& state, double h) {
  const AlphaWeights w(c_, theta_);
  rates_kkt().solve(rates_.data());
  ++statistics_.solves;
  const double* mu = rates_.data() + v_.size();
  for (std::size_t r = 0; r < lambda_.size(); ++r)
    if (two_[r])
      lambda_1_[r] += 2.0 * mu[r] / (h * w.mass);
    else
      lambda_[r] += mu[r] / (h * w.gamma);
  if (has_one_) {
    std::copy(r_h_.begin(), r_h_.end(), work_.begin());
    compute_reactions();
    for (std::size_t k = 0; k < total_.size(); ++k) total_[k] += (r_h_[k] - work_[k]) / w.gamma;
  }
  if (has_two_)
    reaction(state.t + h, q_.data(), state.discrete.data(), lambda_1_.data(), mass_end_, r_1_.data());
  set_velocity(state, h);
}

// lambda_1 of the present q; its correction counts in the verdict on the iterate.
int AlphaRattle::correct_rates(const State& state, double h) {
  if (options_.mass_jacobian == MassJacobian::exact) {
    const int bad = factor_mass(state.t + h, q_.data(), state.discrete.data(), mass_end_, true);
    if (bad >= 0) return bad;
  }
  rate_residual(state, h);
  correct_impulses(state, h);
  const AlphaWeights w(c_, theta_);
  const double* mu = rates_.data() + v_.size();
  double* change = newton_.rhs() + v_.size();
  for (std::size_t r = 0; r < lambda_.size(); ++r) {
    const double of_end = two_[r] ? c_position_ * 2.0 * mu[r] / (h * w.mass) : mu[r] / (h * w.gamma);
    if (std::abs(of_end) > std::abs(change[r])) change[r] = of_end;
  }
  return -1;
}

// The rows at velocity level to roundoff, at the q that has converged, and the mass there.
int AlphaRattle::finish(const State& state, double h) {
  if (options_.mass_jacobian == MassJacobian::exact) {
    const int bad = factor_mass(state.t + h, q_.data(), state.discrete.data(), mass_end_, true);
    if (bad >= 0) return bad;
  }
  if (lambda_.empty()) return -1;
  double last = std::numeric_limits<double>::infinity();
  constexpr int sweeps = 6;
  for (int k = 0; k < sweeps; ++k) {
    const double residual = rate_residual(state, h);
    double speed = 1.0;
    for (const double v : v_) speed = std::max(speed, std::abs(v));
    if (residual <= 2.0 * std::numeric_limits<double>::epsilon() * speed || residual > 0.5 * last) break;
    correct_impulses(state, h);
    last = residual;
  }
  return -1;
}

}  // namespace catena
