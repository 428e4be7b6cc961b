// How a run of alpha-RATTLE begins: consistent values, and the acceleration of the applied forces alone.
#include <catena/kkt/consistent.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/detail/alpha_newton_step.hpp>
#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

#include <algorithm>

namespace catena {
using namespace detail;

void AlphaRattle::begin_history(State& state, double, ConsistentValues&, Outcome& outcome) {
  const int bad = factor_mass(state.t, state.q.data(), state.discrete.data(), mass_end_, false);
  if (bad >= 0) {
    outcome = failure(Status::singular_kkt,
                      {system_->velocity_block_name(bad), "mass matrix not positive definite", 0.0});
    return;
  }
  const Point at = point_of(state);
  Evaluation wanted;
  double *vdot = slots_.vdot.of(state), *a = slots_.a.of(state);
  wanted.balance = vdot;  // -f
  system_->evaluate(at, wanted);
  mass_end_.solve(vdot);
  for (std::size_t k = 0; k < state.v.size(); ++k) a[k] = vdot[k] = -vdot[k];
  for (const MemorySlot& slot : {slots_.lambda, slots_.lambda_1, slots_.middle_before})
    std::copy(state.lambda.begin(), state.lambda.end(), slot.of(state));
}

void AlphaRattle::make_work_arrays(const State&) {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  rows_at_end_ = false;
  for (auto* x : {&q_, &mass_q_, &rows_q_}) x->assign(static_cast<std::size_t>(layout.q_size), 0.0);
  for (auto* x :
       {&v_, &a_, &vdot_, &xi_, &total_, &r_0_, &r_h_, &r_1_, &v_without_end_, &a_n_, &work_, &a_after_})
    x->assign(n, 0.0);
  for (auto* x : {&lambda_, &lambda_1_, &rows_, &node_}) x->assign(m, 0.0);
  rates_.assign(n + m, 0.0);
  std::size_t half = 0;
  const BlockPattern& p = *layout.pattern;
  for (const auto& [dual, primal] : p.incidences)
    half += static_cast<std::size_t>(p.dual_size[static_cast<std::size_t>(dual)] *
                                     p.primal_size[static_cast<std::size_t>(primal)]);
  half_Bt_.assign(has_one_ && has_two_ ? half : 0, 0.0);
}

Linearization AlphaRattle::mass_and_rows(double h) const {
  return alpha_mass_and_rows(options_.scaling, AlphaWeights(c_, 0.0), h, !has_two_);
}

void AlphaRattle::scaled(const Point& initial, double compliance) {
  theta_ = 0.0;
  rows_at_end_ = false;  // the matrix was made anew
  if (!mixed()) return;
  Linearization lin;
  lin.matrix = &rates_kkt_->matrix();
  lin.mass = AlphaWeights(c_, 0.0).mass;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(initial, wanted);
  hold_rows(*rates_kkt_, compliance);
}

}  // namespace catena
