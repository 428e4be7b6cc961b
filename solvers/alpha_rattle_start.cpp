// How a run of alpha-RATTLE begins: consistent values, and the acceleration of the applied forces alone.
#include <catena/kkt/consistent.hpp>
#include <catena/solvers/alpha_newton_step.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/stepper/compliance.hpp>
#include <catena/stepper/consistent_start.hpp>
#include <catena/stepper/phase_timer.hpp>
#include <catena/stepper/state_guard.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

Outcome AlphaRattle::begin(State& state, double h, bool first) {
  const PhaseTimer timer(statistics_.seconds_start);
  make_work_arrays();
  h_taken_ = 0.0;
  StateGuard guard(state);
  Outcome outcome = make_consistent(state, h, first);
  if (outcome.status != Status::ok) {
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  set_compliance(slots_.compliance.value(state), h);
  guard.keep();
  return outcome;
}

Outcome AlphaRattle::make_consistent(State& state, double h, bool first) {
  const int n = system_->layout().v_size();
  Outcome outcome;  // with a remark where rows look redundant
  const auto refused = [&](const KktReport& r) { return failure(r.status, r.culprit); };
  KktReport r;
  {
    ConsistentValues consistent(*system_, newton_.kkt(), state.discrete.data());
    r = make_consistent_values(consistent, newton_.kkt(), state, first || traits().position_residual);
    if (r.status != Status::ok) return refused(r);
  }
  const int bad = factor_mass(state.t, state.q.data(), state.discrete.data(), mass_end_, false);
  if (bad >= 0)
    return failure(Status::singular_kkt,
                   {system_->velocity_block_name(bad), "mass matrix not positive definite", 0.0});

  memory_.begin(state);
  slots_.h.value(state) = h;
  slots_.compliance.value(state) = compliance_of_start(*system_, r, options_.proximal, h, outcome.culprit);
  const Point at = point_of(state);
  Evaluation wanted;
  double *vdot = slots_.vdot.of(state), *a = slots_.a.of(state);
  wanted.balance = vdot;  // -f
  system_->evaluate(at, wanted);
  mass_end_.solve(vdot);
  for (int k = 0; k < n; ++k) a[k] = vdot[k] = -vdot[k];
  for (const MemorySlot& slot : {slots_.lambda, slots_.lambda_1, slots_.middle_before})
    std::copy(state.lambda.begin(), state.lambda.end(), slot.of(state));
  return outcome;
}

void AlphaRattle::make_work_arrays() {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  for (auto* x : {&q_, &q_before_, &mass_q_}) x->assign(static_cast<std::size_t>(layout.q_size), 0.0);
  for (auto* x : {&v_, &a_, &vdot_, &xi_, &total_, &r_0_, &r_h_, &r_1_, &a_n_, &work_, &rate_, &v_before_,
                  &a_before_, &a_after_})
    x->assign(n, 0.0);
  for (auto* x : {&lambda_, &lambda_1_, &rows_, &node_}) x->assign(m, 0.0);
  rates_.assign(n + m, 0.0);
  std::size_t half = 0;
  const BlockPattern& p = *layout.pattern;
  for (const auto& [dual, primal] : p.incidences)
    half += static_cast<std::size_t>(p.dual_size[static_cast<std::size_t>(dual)] *
                                     p.primal_size[static_cast<std::size_t>(primal)]);
  half_Bt_.assign(has_one_ && has_two_ ? half : 0, 0.0);
  newton_.allocate();
}

Linearization AlphaRattle::mass_and_rows(double h) const {
  return alpha_mass_and_rows(options_.scaling, AlphaWeights(c_, 0.0), h, !has_two_);
}

// As in generalized_alpha: a function of the system, of State::memory and, with rows that are not scaled naturally, of
// h alone.
void AlphaRattle::set_compliance(double epsilon, double h) {
  theta_ = 0.0;
  const Point at = initial_.of(*system_);
  Linearization lin = mass_and_rows(h);
  lin.matrix = &newton_.kkt().matrix();
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  const auto set = [&](KktSolver& kkt) {
    if (epsilon > options_.proximal)
      kkt.set_compliance(epsilon);
    else
      kkt.update_proximal();
  };
  set(newton_.kkt());
  newton_.measure_inertia();
  if (mixed()) {
    lin.matrix = &rates_kkt_->matrix();
    lin.position_rows = lin.velocity_rows = {};
    system_->evaluate(at, wanted);
    set(*rates_kkt_);
  }
  compliance_ = epsilon;
  scaled_for_ = h;
  if (options_.scaling == RowScaling::natural) initial_.release();
}

}  // namespace catena
