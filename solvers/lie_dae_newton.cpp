// One step of lie_dae by Newton's method. delta / h~^2 is the unknown, h~ = h / sigma:
//     delta V' = h~ T^-1 delta,  delta a = T^-1 delta  (delta in these units; stabilized: plus those of mu)
//     H = (M + h~ D) T^-1 + h~^2 K,  B = G^T
//     rows g / h~^2: C = G;  (G V + g_t) / h~: C = G T^-1 + h~ N, N = d(G V + g_t)/dq
//     G a + (dG/dt) V + ...: C = G T^-1 + h~ (2 N + G ad_V) + O(h~^2) = 3 G T^-1 - 2 G + 2 h~ N + O(h~^2)
// The last line uses T^-1 = I + ad/2 at xi = h V and d(dG/dt V)/dV = 2 N + G ad_V; for exact Newton the rest of
// these rows is added in solve_acceleration_rows().
#include <catena/solvers/lie_dae_memory.hpp>
#include <catena/stepper/compliance.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

using Index = LieDaeOptions::Index;

Outcome LieDae::attempt(const State& state, double h) {
  t_ = state.t + h;
  discrete_ = state.discrete.data();
  bool new_matrix = false;
  const KktReport prediction = predict(state, h, new_matrix);
  if (prediction.status != Status::ok) return failure(prediction.status, prediction.culprit);
  NewtonStep step = newton_step(h);
  step.keep_matrix = keeps_matrix() && !new_matrix && find_matrix(state, step);
  if (step.keep_matrix && stabilized() && !find_projector(state)) step.keep_matrix = false;
  have_projector_ = false;
  move(state);
  const auto evaluate = [&](const Evaluation& wanted) {
    if (keeps_matrix() && wanted.linearization != nullptr) note_matrix();
    evaluate_at_iterate(wanted);
  };
  newton_.begin(step);
  while (newton_.solve(evaluate)) {
    if (stabilized() && newton_.refreshed()) {
      const KktReport r = refresh_projector(false);
      if (r.status != Status::ok) return failure(r.status, r.culprit);
    }
    if (stabilized() && exact()) solve_coupled(newton_.refreshed());
    if (is(Index::one) && exact()) solve_acceleration_rows();
    correct();
    move(state);
    if (stabilized()) {
      if (!exact()) correct_mu();
      show_all_corrections();
    }
    newton_.judge(q_.data(), v_.data(), lambda_.data());
  }
  Outcome outcome = newton_.outcome(evaluate);
  // Where rows are redundant from the start, their multipliers are open.
  const Memory memory = Memory::of(state);
  if (compliance_ <= options_.proximal) {
    MultiplierPole::Loan loan{newton_.rhs(), rate_.data(), work_.data(), q_before_.data(), newton_.kkt(), {}};
    loan.weights.mass = 1.0;
    outcome = pole_.judged(std::move(outcome), state, iterate(),
                           memory.steps() == 0.0 ? nullptr : memory.lambda_before(), loan);
    if (loan.used) have_matrix_ = false;
  }
  if (outcome.status != Status::ok) return outcome;
  return stabilized() ? find_omega(state) : check_drift(state);
}

NewtonStep LieDae::newton_step(double h) const {
  const double unit = h_tilde_ * h_tilde_;
  NewtonStep step;
  step.h = h;
  step.lambda = lambda_.data();
  step.unit = unit;
  step.position_factor = 1.0 / unit;
  step.velocity_factor = 1.0 / h_tilde_;
  step.weights.mass = 1.0;
  step.weights.damping = h_tilde_;
  step.weights.stiffness = unit;
  step.weights.increment = xi_.data();
  if (whole_matrix()) {
    step.weights.velocity_rows = {0.0, 1.0, h_tilde_};
    if (is(Index::two)) step.weights.position_rows = step.weights.velocity_rows;
    if (is(Index::one)) step.weights.position_rows = {-2.0, 3.0, 2.0 * h_tilde_};
  }
  // Where rows are redundant from the start, the compliance holds them.
  step.dependent = compliance_ > options_.proximal ? 0.0 : 1e-10;
  if (compliance_ > options_.proximal && !stabilized()) step.closing_solves = closing_solves;
  // Quadratic convergence: the next correction is no constant part of the last one.
  const bool quadratic = exact() && options_.jacobian == JacobianUpdate::every_iteration;
  step.options = {tolerance_, options_.max_newton_iterations, options_.jacobian, !quadratic};
  // Block by block it is the couplings left out that are slow, which no new matrix mends.
  if (stabilized() && !exact()) step.options.slow = 0.4;
  return step;
}

// The history as this step sees it, and a first guess of V', lambda and mu at t_{n+1}.
KktReport LieDae::predict(const State& state, double h, bool& new_matrix) {
  const Memory memory = Memory::of(state);
  const double h_before = memory.h(), ratio = h / h_before;
  sigma_ = order_ == 1 ? 1.0 : (1.0 + 2.0 * ratio) / (1.0 + ratio);
  h_tilde_ = h / sigma_;
  const bool first = memory.steps() == 0.0;
  const double extrapolate = options_.guess == LieDaeOptions::Guess::last ? 0.0 : 1.0;
  const double* v_prime = stabilized() ? memory.v_prime() : state.v.data();
  for (std::size_t k = 0; k < v_.size(); ++k) {
    eta_[k] = memory.eta()[k];
    alpha_[k] = memory.alpha()[k];
    v_n_[k] = state.v[k];
    const double jerk = (state.a[k] - memory.a_before()[k]) / h_before;
    v_prime_[k] = v_prime[k] + extrapolate * h * (state.a[k] + (first ? 0.0 : 0.5 * h * jerk));
  }
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    lambda_[k] =
        state.lambda[k] + extrapolate * (first ? 0.0 : ratio) * (state.lambda[k] - memory.lambda_before()[k]);
  if (stabilized()) std::copy(memory.mu(), memory.mu() + memory.m, mu_.begin());
  if (!is(Index::three)) return {};
  const Offset now = offset(order_, h, h_before), before = memory.offset();
  const Offset change{now.rate - before.rate, now.jerk - before.jerk, now.bracket - before.bracket};
  if (change.rate == 0.0 && change.jerk == 0.0 && change.bracket == 0.0) return {};
  new_matrix = true;
  return change_offset(state, change);
}

// q, V and a of the iterate from its V' and mu.
void LieDae::move(const State& state) {
  const double h = h_tilde_ * sigma_;
  for (std::size_t k = 0; k < v_.size(); ++k) xi_[k] = h_tilde_ * (v_prime_[k] + (sigma_ - 1.0) * eta_[k]);
  system_->retract(state.q.data(), xi_.data(), q_.data());
  if (stabilized())
    find_velocities();
  else
    std::copy(v_prime_.begin(), v_prime_.end(), v_.begin());
  for (std::size_t k = 0; k < v_.size(); ++k)
    a_[k] = sigma_ * ((v_[k] - v_n_[k]) / h) - (sigma_ - 1.0) * alpha_[k];
}

Point LieDae::iterate() const {
  Point at;
  at.t = t_;
  at.q = q_.data();
  at.v = v_.data();
  at.a = a_.data();
  at.lambda = lambda_.data();
  at.discrete = discrete_;
  return at;
}

// The stabilized form looks at the velocity rows of all constraints as well.
void LieDae::evaluate_at_iterate(Evaluation wanted) {
  const bool borrowed = stabilized() && wanted.velocity == nullptr;
  if (borrowed) wanted.velocity = velocity_rows_.data();
  system_->evaluate(iterate(), wanted);
  if (stabilized() && !borrowed)
    std::copy(wanted.velocity, wanted.velocity + lambda_.size(), velocity_rows_.begin());
}

// Exact Newton at index 1: the derivative of the rows along the correction, by a central difference, against what
// the matrix makes of it; what is missing is of order h~^2 and is solved for again until nothing is.
void LieDae::solve_acceleration_rows() {
  constexpr int most_sweeps = 8;
  constexpr double enough = 1e-9, angle = 1e-5;  // angle: of the difference, in units of the bodies' size
  if (lambda_.empty()) return;
  const PhaseTimer timer(statistics_.seconds_solve);
  const auto n = static_cast<std::ptrdiff_t>(v_.size());
  const std::vector<double>& scale = system_->layout().scale;
  const double* D = newton_.kkt().matrix().D(0);
  double* u = newton_.rhs();
  newton_.kkt().matrix().multiply(u, target_.data());
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double size = 0.0;
    for (std::size_t k = 0; k < v_.size(); ++k) size = std::max(size, std::abs(u[k]) / scale[k]);
    if (!(size > 0.0) || !std::isfinite(size)) return;
    const double epsilon = angle / size;
    rows_along(u, epsilon, rows_after_.data());
    rows_along(u, -epsilon, product_.data() + n);
    std::fill(product_.begin(), product_.begin() + n, 0.0);
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      const double derivative =
          (rows_after_[k] - product_[v_.size() + k]) / (2.0 * epsilon) * h_tilde_ * h_tilde_;
      product_[v_.size() + k] = target_[v_.size() + k] - derivative + D[k] * u[v_.size() + k];
    }
    newton_.kkt().solve(product_.data());
    ++statistics_.solves;
    double change = 0.0;
    for (std::size_t k = 0; k < v_.size(); ++k) change = std::max(change, std::abs(product_[k]) / scale[k]);
    for (std::size_t k = 0; k < product_.size(); ++k) u[k] += product_[k];
    if (!(change > enough * size)) return;
  }
}

// The acceleration rows where q has moved by epsilon u, and V and a with it.
void LieDae::rows_along(const double* u, double epsilon, double* rows) {
  system_->inverse_tangent(xi_.data(), u, work_.data());
  const double a_per = epsilon / (h_tilde_ * h_tilde_);
  for (std::size_t k = 0; k < v_.size(); ++k) {
    moved_a_[k] = a_[k] + a_per * work_[k];
    moved_v_[k] = v_[k] + h_tilde_ * a_per * work_[k];
    work_[k] = epsilon * u[k];
  }
  system_->retract(q_.data(), work_.data(), moved_q_.data());
  Point at = iterate();
  at.q = moved_q_.data();
  at.v = moved_v_.data();
  at.a = moved_a_.data();
  Evaluation wanted;
  wanted.acceleration = rows;
  system_->evaluate(at, wanted);
}

// delta / h~^2 and the change of lambda come from Newton; V' moves by h~ T^-1(xi) of the first.
void LieDae::correct() {
  system_->inverse_tangent(xi_.data(), newton_.correction(), work_.data());
  for (std::size_t k = 0; k < v_.size(); ++k) v_prime_[k] += h_tilde_ * work_[k];
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += newton_.lambda_correction()[k];
}

}  // namespace catena
