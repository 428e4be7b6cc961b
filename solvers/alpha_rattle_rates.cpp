// The rows of alpha-RATTLE at velocity level: lambda_1, and lambda_h where there are rows of both kinds.
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/stepper/detail/compliance.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;

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
  if (r.status == Status::not_finite) find_undefined(*system_, iterate(state, h), r.culprit);
  DependentRows* guard = held() ? nullptr : guards_.dependent_rows(state.t);
  if (guard == nullptr) return r;
  const Outcome found = guard->assess(r, false);
  if (found.status != Status::ok) {
    r.status = found.status;
    r.culprit = found.culprit;
  }
  return r;
}

// R_1 of lambda_1 at the present q, and v with it. Where the mass was made there, so were the rows: C^T lambda_1, and by C v
// the rows at velocity level follow.
void AlphaRattle::compute_end_reaction(const State& state, double h) {
  const KktSolver& kkt = newton_.kkt();
  if (has_two_ && options_.mass_jacobian == MassJacobian::exact) {
    std::fill(r_1_.begin(), r_1_.end(), 0.0);
    kkt.lanes().add_C_transposed(kkt.matrix(), lambda_1_.data(), -1.0, r_1_.data());
    mass_end_.solve(r_1_.data());
  } else if (has_two_) {
    reaction(state.t + h, q_.data(), state.discrete.data(), lambda_1_.data(), mass_end_, r_1_.data());
  }
  if (rows_follow_) std::swap(v_, work_);
  if (has_one_)
    set_velocity(state, h);  // R_h may have changed
  else
    add_end_reaction(h);
  if (!rows_follow_) return;
  for (std::size_t k = 0; k < v_.size(); ++k) work_[k] = v_[k] - work_[k];
  kkt.lanes().add_C(kkt.matrix(), work_.data(), 1.0, rows_.data());
}

// The rows at velocity level, and what a compliance lets them be where it is held, into rates_ as a right-hand side; their
// largest entry. R_1 and v must be those of the present q.
double AlphaRattle::rate_residual(const State& state, double h, bool with_compliance) {
  const AlphaWeights w(c_, theta_);
  if (!rows_follow_) {
    Evaluation wanted;
    wanted.velocity = rows_.data();
    system_->evaluate(iterate(state, h), wanted);
  }
  std::fill(rates_.begin(), rates_.begin() + static_cast<std::ptrdiff_t>(v_.size()), 0.0);
  if (rows_.empty()) return 0.0;
  const double of_two = mixed() ? 1.0 : relative_scale(RowKind::position, h);
  const double of_one = mixed() ? 1.0 : relative_scale(RowKind::velocity, h);
  const double* const D = std::as_const(rates_kkt()).matrix().D(0);  // of all rows, one behind the other
  double* const rates = rates_.data() + v_.size();
  double largest = 0.0;
  if (!with_compliance || !held()) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      rates[r] = -(two_[r] ? of_two : of_one) * rows_[r];
      largest = std::max(largest, std::abs(rows_[r]));
    }
    return largest;
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const double scale = two_[r] ? of_two : of_one;
    const double impulse = h * (two_[r] ? 0.5 * w.mass * lambda_1_[r] : w.gamma * lambda_[r]);
    const double held = D[r] * impulse;
    rates[r] = held - scale * rows_[r];
    largest = std::max(largest, std::abs(rows_[r] - held / scale));
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
  compute_end_reaction(state, h);
}

// lambda_1 of the present q; its correction counts in the verdict on the iterate.
int AlphaRattle::correct_rates(const State& state, double h) {
  if (options_.mass_jacobian == MassJacobian::exact) {
    double* const rows = mixed() ? nullptr : rows_.data();
    const int bad =
        factor_mass(state.t + h, q_.data(), state.discrete.data(), mass_end_, true, v_.data(), rows);
    if (bad >= 0) return bad;
    rows_follow_ = rows != nullptr;
  }
  compute_end_reaction(state, h);
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

// The rows at velocity level to roundoff, at the q that has converged, and the mass there. correct_rates() has left all
// of it at this q, unless rows of both kinds have moved q since.
int AlphaRattle::finish(const State& state, double h) {
  if (!has_two_ || mixed()) {
    if (options_.mass_jacobian == MassJacobian::exact) {
      const int bad = factor_mass(state.t + h, q_.data(), state.discrete.data(), mass_end_, true);
      if (bad >= 0) return bad;
    }
    compute_end_reaction(state, h);
  }
  left_ = 0.0;
  if (lambda_.empty()) return -1;
  double last = std::numeric_limits<double>::infinity();
  constexpr int sweeps = 6;
  for (int k = 0; k < sweeps; ++k) {
    const double residual = rate_residual(state, h);
    double speed = 1.0;
    for (const double v : v_) speed = std::max(speed, std::abs(v));
    left_ = residual / speed;
    if (left_ <= 2.0 * std::numeric_limits<double>::epsilon() || residual > 0.5 * last) break;
    correct_impulses(state, h);
    last = residual;
  }
  // The gap of a compliance is taken out again. Multipliers that redundant rows leave open grow by their noise each
  // time, and by no more: the next step finds them anew.
  for (int k = 0; k < closing_solves && held(); ++k) {
    rate_residual(state, h, false);
    correct_impulses(state, h);
  }
  return -1;
}

// The sweeps of finish() have come to a halt above the tolerance: a smaller step is wanted.
Outcome AlphaRattle::rates_not_converged(const State& state, double h) {
  rate_residual(state, h);
  std::size_t worst = 0;
  for (std::size_t r = 1; r < rows_.size(); ++r)
    if (!(std::abs(rows_[r]) <= std::abs(rows_[worst]))) worst = r;
  const int component = static_cast<int>(v_.size() + worst);
  return failure(Status::newton_not_converged,
                 {newton_.kkt().owner(component), "velocity residual", rows_[worst]});
}

}  // namespace catena
