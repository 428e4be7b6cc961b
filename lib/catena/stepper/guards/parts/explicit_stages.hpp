// What guards may see of an explicit step beside its end.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <string>
#include <vector>

namespace catena {

// Positions count as increments x from the beginning of the step, [v_size]; where q is plain numbers, as these, [q_size].
struct ExplicitStages {
  const System& system;
  bool plain;                                   // q is integrated as plain numbers
  const std::vector<double>&x, &v;              // at the end, on the constraints
  const std::vector<double>&x_taken, &v_taken;  // by the projection onto them
  // Local Schur pivot of the weakest row there, relative to its scale: the square of the sine between rows.
  double weakest_pivot;
  // The last stage before the end, and the rates there and at the end.
  const std::vector<double>&x_last, &v_last, &x_rate_last, &v_rate_last, &x_rate, &v_rate;
  // Where the domain of stability ends on the negative real axis. 0: the method does not say, or its steps are fixed.
  double stability_boundary;
  double open_length = 0.0;  // of the numbers whose roundoff rows see that hold open differences [m]

  // What roundoff leaves to be taken of positions (speed = 0) and of velocities at such a speed; rows at the sine s of an
  // angle to each other amplify it by 1/s.
  double noise(double speed) const;
  // The constraint that the step of size h to `end` missed by the most before it was projected. work: [v_size +
  // lambda_size], missed: [v_size], overwritten.
  std::string worst_constraint(Point end, double h, KktSolver& kkt, double* work, double* missed) const;
};

}  // namespace catena
