// Whether the derivatives that a system hands to steppers are those of what it computes: its rows, their rates, its
// force balance. All through the contract of the system, so for bodies with joints and forces of the user's own and
// for systems in their own coordinates alike.
//
// At the initial configuration and at configurations about it everything is compared with central differences of
// fourth order along random directions, in a number of evaluations that does not depend on the size of the system.
// What differs is then looked at entry by entry. One element alone, without a system and to the last digits, is the
// business of tests/support/jacobian_check.hpp.
#pragma once
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena {

struct DerivativeFault {
  std::string owner;  // 'joint "hip" (spherical)'; 'body "hip"' where forces are to blame
  std::string
      quantity;  // "Jacobian", "drift", "bias", "rate Jacobian", "geometric stiffness", "stiffness", "damping",
                 // "mass matrix"
  int block = -1;  // of the owner: dual block, or primal block where forces are to blame
  bool of_constraint = true;
  int row = -1;           // of the constraint, or component of the body's balance; from 0
  std::string by = {};    // what it is the derivative by, 'body "knee"'; empty: time, or not told apart
  int component = -1;     // of that block's velocity, from 0; -1: not told apart
  double given = 0.0;     // by the system
  double expected = 0.0;  // by differences
};

struct DerivativeCheckOptions {
  int points = 3;         // configurations, the initial one first
  double distance = 0.1;  // of the others from it, in units of SystemLayout::scale
  double tolerance =
      1e-6;  // of the largest derivative of the same block; wrong ones differ by parts of themselves
  unsigned seed = 1;
  int details = 8;  // constraints that are looked at entry by entry
};

struct DerivativeCheck {
  int points = 0;  // configurations at which everything was finite
  // One for every quantity of a constraint or body; after a wrong Jacobian none of the others.
  std::vector<DerivativeFault> faults;
};

// state: of the size of the system's; its t, q and discrete values are used.
DerivativeCheck check_derivatives(const System& system, const State& state,
                                  const DerivativeCheckOptions& options = {});

}  // namespace catena
