// How a run of generalized-alpha begins: consistent values, and the perturbation of a_0 and v_0 that makes
// lambda of order 2 from the first step (after Arnold, Bruels, Cardona 2015).
#include <catena/solvers/generalized_alpha_memory.hpp>
#include <catena/stepper/compliance.hpp>
#include <catena/stepper/consistent_start.hpp>
#include <catena/stepper/phase_timer.hpp>
#include <catena/stepper/state_guard.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace catena {

Outcome GeneralizedAlpha::begin(State& state, double h, bool first) {
  const PhaseTimer timer(statistics_.seconds_start);
  newton_.release();
  h_taken_ = 0.0;
  StateGuard guard(state);
  Outcome outcome = make_consistent(state, h, first);
  if (outcome.status != Status::ok) {
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  set_compliance(Memory::of(state).compliance(), h);
  make_work_arrays(state);
  if (index_three()) measure_resolution(state, h).write(Memory::of(state).resolution());
  guard.keep();
  return outcome;
}

// What roundoff makes of the multipliers at index 3.
StepResolution GeneralizedAlpha::measure_resolution(const State& state, double h) {
  const NewtonStep step = newton_step(h);
  RowErrors errors;
  errors.weights.mass = step.weights.mass;
  errors.weights.position_rows.jacobian = step.weights.position_rows.jacobian;
  errors.weights.velocity_rows.jacobian = relative_scale(RowKind::velocity, h);
  errors.row = errors.weights.position_rows.jacobian / errors.weights.mass;
  errors.gain = AlphaCoefficients::gain_from_positions(options_.rho_inf);
  return measure_step_resolution(*system_, state, newton_.kkt(), errors, newton_.rhs());
}

namespace {

Outcome not_perturbed(Outcome outcome, double h, const KktReport& why) {
  if (!outcome.culprit.quantity.empty()) return outcome;
  char text[160];
  std::snprintf(text, sizeof text,
                "no perturbed start: no accelerations on the way of a step of %.3g s, which is too long; %s",
                h, why.culprit.quantity.c_str());
  outcome.culprit = {why.culprit.name, text, why.culprit.value};
  return outcome;
}

}  // namespace

Outcome GeneralizedAlpha::make_consistent(State& state, double h, bool first) {
  const int n = system_->layout().v_size(), m = system_->layout().lambda_size();
  ConsistentValues consistent(*system_, newton_.kkt(), state.discrete.data());
  Outcome outcome;  // with a remark where rows look redundant
  const auto refused = [&](const KktReport& r) { return failure(r.status, r.culprit); };

  KktReport r = make_consistent_values(consistent, newton_.kkt(), state, first || traits().position_residual);
  if (r.status != Status::ok) return refused(r);

  state.memory.assign(Memory::size(n, m) + (keeps_matrix() ? Memory::matrix_point_size(state) : 0), 0.0);
  const Memory memory = Memory::of(state);
  memory.h() = h;
  memory.compliance() = compliance_of_start(*system_, r, options_.proximal, h, outcome.culprit);
  std::copy(state.a.begin(), state.a.end(), memory.a());
  have_matrix_ = false;
  if (!perturbed()) return outcome;

  // v''(t_0) from the accelerations one and two steps on along the path q_0 exp(s v + s^2/2 v'): drives need
  // not be defined before t_0.
  const std::size_t size = state.v.size();
  std::vector<double> jerk(size), other(size), path(size), v(size), q(state.q.size());
  std::vector<double> multipliers(state.lambda.size());
  for (std::size_t k = 0; k < size; ++k) jerk[k] = -1.5 * state.a[k] / h;
  for (const double s : {h, 2.0 * h}) {
    const double weight = s == h ? 2.0 : -0.5;  // (4 v'(h) - v'(2h) - 3 v'(0)) / (2h)
    for (std::size_t k = 0; k < size; ++k) {
      path[k] = s * (state.v[k] + 0.5 * s * state.a[k]);
      v[k] = state.v[k] + s * state.a[k];
    }
    system_->retract(state.q.data(), path.data(), q.data());
    r = consistent.accelerations(state.t + s, q.data(), v.data(), other.data(), multipliers.data());
    // A step that long leads nowhere: it will fail, and smaller ones begin without the perturbation.
    if (r.status != Status::ok) return not_perturbed(std::move(outcome), h, r);
    for (std::size_t k = 0; k < jerk.size(); ++k) jerk[k] += weight * other[k] / h;
  }
  // a_n stands for v' at t_n + (alpha_m - alpha_f) h.
  for (int k = 0; k < n; ++k) memory.a()[k] += c_.alpha() * h * jerk[static_cast<std::size_t>(k)];
  if (!index_three()) return outcome;
  // The increment of one exact step is h v + h^2/2 v' + h^3 (v''/6 + [v, v']/12), that of the method has
  // h^3 (beta + (alpha_m - alpha_f)/2) v''. With g(q_n) = 0 for all n the velocities of the method are
  // v + h^2 w with G w = G (difference): starting there leaves no transient in lambda.
  system_->bracket(state.v.data(), state.a.data(), path.data());
  const double coefficient = 1.0 / 6.0 - 0.5 * c_.alpha() - c_.beta;
  for (std::size_t k = 0; k < jerk.size(); ++k) path[k] = coefficient * jerk[k] + path[k] / 12.0;
  r = consistent.normal_part(state.t, state.q.data(), path.data(), other.data());
  if (r.status != Status::ok) return refused(r);
  for (int k = 0; k < n; ++k) memory.a_before()[k] = h * h * other[static_cast<std::size_t>(k)];
  return outcome;
}

}  // namespace catena
