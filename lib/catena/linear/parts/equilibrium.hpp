// Where a mechanism rests.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>
#include <catena/linear/parts/modes.hpp>

#include <string>
#include <vector>

namespace catena {

struct EquilibriumOptions {
  // Largest force balance of a body at the end, relative to the largest force that acts on the same body there, or on it displaced
  // by its own size; and largest displacement, over the size of a body, by which Newton's method would still move it. Positive.
  // The method ends near roundoff, 1e-14.
  double tolerance = 1e-10;
  // At most; positive. A pendulum let go from its side needs 13, a helix of ten bars that unwinds under its weight 57, one of
  // 50 bars 382, one of 100 bars more than these.
  int iterations = 500;
  bool stability = true;  // false: Equilibrium::modes remains empty
};

struct Equilibrium {
  // newton_not_converged: the iterations were used up, or a body is on its way to infinity; singular_kkt, not_finite,
  // inconsistent_start: no position on the joints; unsupported: an element samples the motion.
  Status status = Status::ok;
  Culprit culprit = {};
  State state = {};  // at rest, with lambda: the reactions; where it is not ok the last one
  int iterations = 0;
  double residual = 0.0;  // the force balance, as in EquilibriumOptions::tolerance
  struct Move {
    std::string name;  // 'body "bob"'
    double distance =
        0.0;  // of the centre of mass [m]; of coordinates of their own the largest change of those that are no angles
    double turn = 0.0;  // [rad]; of coordinates of their own the largest change of an angle
  };
  std::vector<Move> moves = {};  // the farthest first, beside the size of the body
  // Stability and the motions along which nothing acts; those are held where they were. Empty with status unsupported where
  // the equations at the end are not to be linearized.
  Modes modes = {};
};

// Moves the positions of `state` to a place where all forces balance with v = 0, at the time of the state: by pseudo-transient
// continuation, implicit Euler steps from rest that grow as the residual falls, until they are Newton's. From a place that is
// no equilibrium the mechanism sinks along its forces to a near stable one; an unstable equilibrium is left where it is, and
// `modes` says so. Velocities of the state count as zero, velocity rows hold the motion as they do at rest.
Equilibrium find_equilibrium(const System& system, const State& state,
                             const EquilibriumOptions& options = {});

}  // namespace catena
