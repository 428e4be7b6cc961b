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

namespace {

// out[k] = number(k), four at a time, which compilers turn into lanes.
template <class Number>
void set_each(std::vector<double>& out, const Number& number) {
  constexpr std::size_t width = 4;
  double* const to = out.data();
  const std::size_t n = out.size();
  std::size_t k = 0;
  for (; k + width <= n; k += width) {
    double x[width];
    for (std::size_t l = 0; l < width; ++l) x[l] = number(k + l);
    for (std::size_t l = 0; l < width; ++l) to[k + l] = x[l];
  }
  for (; k < n; ++k) to[k] = number(k);
}

}  // namespace

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

// M and the rows at a point, those in Bt unless keep_Bt, through the matrix of the Newton iteration: its factor stays.
// velocity: null, or the rows at velocity level with v.
int AlphaRattle::factor_mass(double t, const double* q, const double* discrete, MassFactor& into,
                             bool keep_Bt, const double* v, double* velocity) {
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  lin.keep_Bt = keep_Bt;
  lin.rows_only = system_->layout().constant_mass && into.made();
  Evaluation wanted;
  wanted.linearization = &lin;
  wanted.velocity = velocity;
  Point at;
  at.t = t;
  at.q = q;
  at.v = v;
  at.discrete = discrete;
  system_->evaluate(at, wanted);
  return lin.rows_only ? -1 : into.make(std::as_const(newton_.kkt()).matrix());
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
  if (has_two_ && bad < 0 && finds_rows_of_end(state)) {
    BlockMatrix& matrix = newton_.kkt().matrix();
    std::copy_n(matrix.C_pool(), matrix.incidence_layout().size, matrix.Bt_pool());
  } else if (has_two_ && bad < 0) {
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

// Whether C holds the rows of the last step's end, which are those of R_0 now.
bool AlphaRattle::finds_rows_of_end(const State& state) {
  const bool found = rows_at_end_ && rows_t_ == state.t && rows_q_ == state.q && mass_n_.made();
  rows_at_end_ = false;
  return found;
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
  if (has_two_) std::fill(r_0_.begin(), r_0_.end(), 0.0);
  if (has_one_) std::fill(r_h_.begin(), r_h_.end(), 0.0);
  if (!mixed()) {
    const double per = has_two_ ? c_position_ : c_velocity_;
    newton_.kkt().lanes().add_B(matrix, lambda_.data(), -1.0 / per, (has_two_ ? r_0_ : r_h_).data());
  }
  std::size_t at = 0;
  for (std::size_t k = 0; mixed() && k < p.incidences.size(); ++k) {
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
  rows_follow_ = false;
  const double* const vdot_n = slots_.vdot.of(state);
  const double to = 1.0 / (1.0 - c_.alpha_f), per_0 = 1.0 / (2.0 * w.beta), per_h = 1.0 / w.gamma;
  const double beta = c_.beta, alpha_m = c_.alpha_m, alpha_f = c_.alpha_f, theta = theta_;
  const double *const a = a_.data(), *const a_n = a_n_.data(), *const total = total_.data(),
                      *const r_0 = r_0_.data(), *const r_h = r_h_.data(), *const v = state.v.data();
  set_each(a_, [=](std::size_t k) { return total[k] - per_0 * r_0[k] - per_h * r_h[k]; });
  if (theta != 0.0) set_each(a_n_, [=](std::size_t k) { return theta * a[k] + (1.0 - theta) * vdot_n[k]; });
  set_each(xi_, [=](std::size_t k) {
    return h * (v[k] + h * ((0.5 - beta) * a_n[k] + beta * a[k] + 0.5 * (r_0[k] + r_h[k])));
  });
  set_each(vdot_, [=](std::size_t k) {
    return to * ((1.0 - alpha_m) * a[k] + alpha_m * a_n[k] - alpha_f * vdot_n[k]);
  });
  system_->retract(state.q.data(), xi_.data(), q_.data());
  set_velocity(state, h);
}

void AlphaRattle::set_velocity(const State& state, double h) {
  const double gamma = c_.gamma;
  const double *const v = state.v.data(), *const a_n = a_n_.data(), *const a = a_.data(),
                      *const r_h = r_h_.data(), *const r_0 = r_0_.data();
  set_each(v_without_end_, [=](std::size_t k) {
    return v[k] + h * ((1.0 - gamma) * a_n[k] + gamma * a[k] + r_h[k] + 0.5 * r_0[k]);
  });
  add_end_reaction(h);
}

void AlphaRattle::add_end_reaction(double h) {
  const double *const without = v_without_end_.data(), *const r_1 = r_1_.data();
  set_each(v_, [=](std::size_t k) { return without[k] + 0.5 * h * r_1[k]; });
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
