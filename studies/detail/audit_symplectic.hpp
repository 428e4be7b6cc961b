// Whether one step of a method is a symplectic map of the cotangent bundle of the constraint manifold.
#pragma once
#include <catena/stepper/stepper.hpp>

namespace catena::detail {

// ||A^T Omega A - Omega|| (Frobenius) of one step of size h [s] of two bodies, started anew: a double pendulum in space
// on ball joints, with different inertias and gravity, in maximal coordinates. A is the derivative of the step in the
// canonical chart (theta, p): rotations R_i exp(theta_i~) of both bodies and p = dL/dtheta', by central differences of
// order 4 with step d = 1e-3. Their error is below 1e-10: d^4/30 of the fifth derivative, 3e-14, and the 1e-13 that an
// iteration may leave, over d.
// Throws std::runtime_error where the stepper refuses the bodies or a step fails.
double symplectic_defect(Stepper& stepper, double h = 0.02);

// A method of order p that is not symplectic has a defect of h^(p + 1): the largest step shows it (dormand_prince with
// fixed steps: 8.6e-9 at 0.02 s, 3.8e-4 at 0.1 s).
inline constexpr double symplectic_steps[] = {0.02, 0.05, 0.1};

}  // namespace catena::detail
