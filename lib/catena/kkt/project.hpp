// Moves an initial state onto the constraints and reports how far it moved.
#pragma once
#include <catena/kkt/consistent.hpp>

namespace catena {

struct Projection {
  Status status = Status::ok;  // newton_not_converged, singular_kkt, not_finite: the state is unchanged
  Culprit culprit;             // on failure: the row with the largest gap
  double largest_position_change =
      0.0;  // max |delta_i| / s_i over all Newton corrections (SystemLayout::scale)
  double largest_velocity_change = 0.0;  // likewise, of v
};

// Newton's method along M^-1 G^T until every position row is within tolerance [m, or the unit of the row];
// then v is moved, in the norm of the mass matrix, to the nearest velocity that the constraints allow. For
// models whose bodies were placed by hand: check_initial_positions of a Model offers this.
Projection project_positions(const System& system, State& state, double tolerance = 1e-12);

}  // namespace catena
