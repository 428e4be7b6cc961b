// Checks the derivatives that a system gives to steppers against differences of the quantities that it computes: its
// rows, their rates, its force balance. It uses only the contract of the system, so it serves bodies with a user's own
// joints and forces and systems in their own coordinates alike.
//
// At the initial configuration and at configurations near it, all are compared with central differences of fourth order
// along random directions. The number of evaluations does not depend on the size of the system. Where a difference is
// found, the entries are compared one by one. tests/support/jacobian_check.hpp checks one element without a system, to
// the last digits.
#pragma once
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena {

struct DerivativeFault {
  std::string owner;  // 'joint "hip" (spherical)'; 'body "hip"' where a force is wrong
  // "Jacobian", "drift", "bias", "rate Jacobian", "geometric stiffness", "stiffness", "damping", "mass matrix". Not wrong
  // derivatives, but what no derivative helps: "gap by velocity" of a position row whose gap depends on velocities,
  // expected 0; "Jacobian by velocity" of a velocity row that is not affine in them, whose Jacobian is `given` at one
  // velocity and `expected` at rest; "symmetry of the mass matrix", whose entry and its mirror image are `given` and
  // `expected`.
  std::string quantity;
  int block = -1;  // of the owner: dual block, or primal block where a force is wrong
  bool of_constraint = true;
  int row = -1;  // of the constraint, or component of the body's balance; from 0, messages count from 1
  std::string by = {};    // the variable of the derivative, 'body "knee"'; empty: time, or not determined
  int component = -1;     // of that block's velocity, from 0; -1: not determined
  double given = 0.0;     // by the system
  double expected = 0.0;  // by differences
};

struct DerivativeCheckOptions {
  int points = 3;         // configurations, the initial one first
  double distance = 0.1;  // of the others from it, in units of SystemLayout::scale
  // Of the largest derivative of the same block. Differences are exact to about 1e-10; a wrong derivative is wrong by a
  // sign, a factor or a term.
  double tolerance = 1e-6;
  unsigned seed = 1;
  int details = 8;  // constraints whose entries are compared one by one, at six evaluations a column
};

struct DerivativeCheck {
  int points = 0;  // configurations at which everything was finite
  // At most one for each quantity of a constraint or body. After a wrong Jacobian the others are not checked.
  std::vector<DerivativeFault> faults;
};

// state: its t, q and discrete values are used. Throws std::invalid_argument for one of another size than the system's.
DerivativeCheck check_derivatives(const System& system, const State& state,
                                  const DerivativeCheckOptions& options = {});

// A sentence for people: 'joint "hip" (spherical): Jacobian is wrong in row 2 at body "shin", z: 0.5, differences give 1'.
std::string to_text(const System& system, const DerivativeFault& fault);

}  // namespace catena
