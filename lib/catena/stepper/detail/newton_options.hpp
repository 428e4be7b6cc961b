// Options that the steppers with a Newton iteration have in common.
#pragma once
#include <catena/math/option.hpp>

namespace catena::detail {

inline void visit_newton(OptionVisitor& visitor, double& tolerance, int& max_iterations) {
  visitor.real({"newton_tolerance", "1", "largest scaled correction that counts as converged", 1e-16, 1e-2},
               tolerance);
  visitor.integer({"max_newton_iterations", "1", "after these the step is cut", 1, 100}, max_iterations);
}

inline void visit_proximal(OptionVisitor& visitor, double& proximal) {
  visitor.real({"proximal", "1", "dual proximal term relative to the local Schur scale", 0.0, 1e-6},
               proximal);
}

}  // namespace catena::detail
