// How a run of lie_dae begins: consistent values, and for order 2 a history of one step before the start, made
// from one extrapolated first-order step; and what another step size asks for at index 3.
#include <catena/solvers/lie_dae_memory.hpp>
#include <catena/stepper/compliance.hpp>
#include <catena/stepper/consistent_start.hpp>
#include <catena/stepper/phase_timer.hpp>
#include <catena/stepper/state_guard.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

using Index = LieDaeOptions::Index;

Outcome LieDae::begin(State& state, double h, bool first) {
  const PhaseTimer timer(statistics_.seconds_start);
  newton_.release();
  h_taken_ = 0.0;
  StateGuard guard(state);
  Outcome outcome = make_consistent(state, h, first);
  if (outcome.status != Status::ok) {
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  if (is(Index::three) || stabilized()) measure_resolution(state).write(Memory::of(state).resolution());
  guard.keep();
  return outcome;
}

// What roundoff makes of the multipliers of position rows: backward differences answer errors of them by these
// coefficients over h^2.
StepResolution LieDae::measure_resolution(const State& state) {
  RowErrors errors;
  errors.weights.mass = 1.0;
  // 1, -2, 1; the difference of BDF2 of itself has 9/4, -6, 11/2, -2, 1/4
  errors.gain = order_ == 1 ? std::sqrt(6.0) : std::sqrt(2.25 * 2.25 + 36.0 + 5.5 * 5.5 + 4.0 + 0.0625);
  have_matrix_ = have_projector_ = false;
  return measure_step_resolution(*system_, state, newton_.kkt(), errors, newton_.rhs());
}

// With xi_{n+1} = h v - h^2/2 v' + h^3 (v''/6 + [v, v']/12) and the same a step earlier, what
// V = sigma xi_{n+1}/h - (sigma - 1) eta_n leaves of v once g(q) = 0 has fixed the normal part of both.
LieDae::Offset LieDae::offset(int order, double h, double h_before) {
  if (order == 1) return {-0.5 * h, 0.0, 0.0};
  const double p = h_before, s = (h + p + h) / (h + p);
  Offset o;
  o.jerk = s * h * h / 6.0 - (s - 1.0) * (0.5 * h * h + 0.5 * h * p + p * p / 6.0);
  o.bracket = (s * h * h - (s - 1.0) * p * p) / 12.0;
  return o;
}

Outcome LieDae::make_consistent(State& state, double h, bool first) {
  Outcome outcome;  // with a remark where rows look redundant
  const auto refused = [&](const KktReport& r) { return failure(r.status, r.culprit); };
  {
    ConsistentValues consistent(*system_, newton_.kkt(), state.discrete.data());
    KktReport r =
        make_consistent_values(consistent, newton_.kkt(), state, first || traits().position_residual);
    if (r.status != Status::ok) return refused(r);
    state.memory.assign(memory_size(state), 0.0);
    const Memory memory = Memory::of(state);
    memory.h() = h;
    memory.compliance() = compliance_of_start(*system_, r, options_.proximal, h, outcome.culprit);
    // The velocities of t_0 are the exact ones: the first step sees that its offset is missing.
    if (!options_.perturbed_start) memory.set_offset(offset(order_, h, h));
    std::copy(state.lambda.begin(), state.lambda.end(), memory.lambda_before());
    std::copy(state.a.begin(), state.a.end(), memory.a_before());
    if (stabilized()) std::copy(state.v.begin(), state.v.end(), memory.v_prime());
  }
  set_compliance(state, Memory::of(state).compliance());
  make_work_arrays(state);
  write_history(state, h);
  return outcome;
}

// One step of history before t_0: v'' is the difference quotient of v' between t_0 and the end of one extrapolated
// first-order step. Where that step fails, v'' counts as zero, and the first steps are of order 1.
void LieDae::write_history(State& state, double h) {
  const std::size_t n = state.v.size();
  const Memory memory = Memory::of(state);
  std::vector<double> jerk(n, 0.0), bracket(n, 0.0);
  State end = state;
  if (order_ == 2 && extrapolated_step(state, h, end)) {
    for (std::size_t k = 0; k < n; ++k) jerk[k] = (end.a[k] - state.a[k]) / h;
    for (std::size_t k = 0; k < state.lambda.size(); ++k)
      memory.lambda_before()[k] = 2.0 * state.lambda[k] - end.lambda[k];
    set_compliance(state, memory.compliance());
  }
  system_->bracket(state.v.data(), state.a.data(), bracket.data());
  for (std::size_t k = 0; k < n; ++k) {
    memory.eta()[k] = state.v[k] - 0.5 * h * state.a[k] + h * h * (jerk[k] / 6.0 + bracket[k] / 12.0);
    memory.alpha()[k] = state.a[k] - 0.5 * h * jerk[k];
    memory.a_before()[k] = state.a[k] - h * jerk[k];
  }
}

// One step of size h and two of h/2 of the same form at order 1, combined to order 2; end: q, v there, and the v'
// and lambda of the index-1 system.
bool LieDae::extrapolated_step(const State& from, double h, State& end) {
  order_ = 1;
  tolerance_ = std::min(tolerance_, 1e-13);
  const auto first_order = [&](State& s, double size) {
    Memory::of(s).set_offset(offset(1, size, size));
    if (attempt(s, size).status != Status::ok) return false;
    s.q = q_;
    s.v = v_;
    s.a = a_;
    s.lambda = lambda_;
    s.t += size;
    return true;
  };
  State whole = from, half = from;
  const bool good = first_order(whole, h) && first_order(half, 0.5 * h) && first_order(half, 0.5 * h);
  order_ = options_.order;
  tolerance_ = options_.newton_tolerance;
  have_matrix_ = have_projector_ = false;
  if (!good) return false;
  std::vector<double> correction(from.v.size());
  system_->difference(whole.q.data(), half.q.data(), correction.data());
  system_->retract(half.q.data(), correction.data(), end.q.data());
  for (std::size_t k = 0; k < end.v.size(); ++k) end.v[k] = 2.0 * half.v[k] - whole.v[k];
  end.t = from.t + h;
  ConsistentValues consistent(*system_, newton_.kkt(), from.discrete.data());
  return consistent.accelerations(end.t, end.q.data(), end.v.data(), end.a.data(), end.lambda.data())
             .status == Status::ok;
}

// Adds the part normal to the constraints of change.rate v' + change.jerk v'' + change.bracket [v, v'] to v_n:
// the velocities of the method then have the offset of this step already.
KktReport LieDae::change_offset(const State& state, const Offset& change) {
  const Memory memory = Memory::of(state);
  const std::size_t n = v_.size();
  double* x = newton_.rhs();
  system_->bracket(state.v.data(), state.a.data(), work_.data());
  for (std::size_t k = 0; k < n; ++k) {
    const double jerk = 2.0 * (state.a[k] - memory.alpha()[k]) / memory.h();
    x[k] = change.rate * state.a[k] + change.jerk * jerk + change.bracket * work_[k];
  }
  std::fill(x + n, x + product_.size(), 0.0);
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  const Point at = point_of(state);
  system_->evaluate(at, wanted);
  newton_.kkt().matrix().multiply(x, product_.data());
  std::fill(product_.begin(), product_.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  const BlockPattern& p = *system_->layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {  // rows at velocity level have no offset
    const auto i = static_cast<std::size_t>(d);
    if (system_->layout().level[i] == Level::velocity)
      std::fill_n(product_.begin() + p.dual_offset[i], p.dual_size[i], 0.0);
  }
  have_matrix_ = have_projector_ = false;
  const KktReport report = newton_.kkt().factorize_and_solve(product_.data());
  ++statistics_.factorizations;
  if (report.status == Status::ok)
    for (std::size_t k = 0; k < n; ++k) v_n_[k] += product_[k];
  return report;
}

}  // namespace catena
