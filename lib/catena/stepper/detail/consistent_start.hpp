// How every implicit stepper begins: with values that fit the constraints and the equations of motion.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/stepper.hpp>

namespace catena::detail {

// Checks the positions of a started state where asked to, moves its velocities onto the constraints, and finds its
// accelerations and multipliers. The report of the first of these that fails, else of the index-1 system, with its
// weakest row whatever the back end; kkt: the solver of consistent.
inline KktReport make_consistent_values(ConsistentValues& consistent, const KktSolver& kkt, State& state,
                                        bool check_positions) {
  KktReport r;
  if (check_positions) r = consistent.check_positions(state.t, state.q.data(), start_position_tolerance);
  if (r.status != Status::ok) return r;
  double change = 0.0;
  r = consistent.project_velocities(state.t, state.q.data(), state.v.data(), change);
  if (r.status != Status::ok) return r;
  r = consistent.accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
  if (r.status == Status::ok) kkt.find_weakest_row(r);
  return r;
}

}  // namespace catena::detail
