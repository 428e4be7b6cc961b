// The residuals of a system with its mass matrix taken from other coordinates than the rest.
#pragma once
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/system.hpp>

namespace catena::detail {

// As system.evaluate(at, wanted), but with M(mass_q) in place of M(at.q) in the balance. The derivative of M a by q
// drops out of the matrix, whose M stays that of at.q: where mass_q is within O(h^2) of at.q, Newton's method
// contracts by as much. work: [v_size].
inline void evaluate_with_mass_elsewhere(const System& system, const Point& at, const double* mass_q,
                                         const Evaluation& wanted, double* work) {
  Point rest = at;
  rest.a = nullptr;
  system.evaluate(rest, wanted);
  if (wanted.balance == nullptr || at.a == nullptr) return;
  Point inertia;
  inertia.t = at.t;
  inertia.q = mass_q;
  evaluate_inertia(system, inertia, at.a, work);
  for (int k = 0; k < system.layout().v_size(); ++k) wanted.balance[k] += work[k];
}

}  // namespace catena::detail
