// What is wrong with a mass matrix that a user has written; for set-up only.
#pragma once
#include <catena/system/system.hpp>

#include <optional>
#include <string>

namespace catena::detail {

// An entry of the mass matrix that differs from its mirror image, both counted from 0 over all velocities.
struct Asymmetry {
  int row = 0, column = 0;
  double entry = 0.0, mirrored = 0.0;
};
// matrix: with the mass matrix of the system alone in H. The entries that differ most; none: it is symmetric to roundoff.
std::optional<Asymmetry> asymmetry_of_mass(const BlockMatrix& matrix);

// Of a system in its own coordinates, at t, q and the discrete values of a state of its size: empty, or a sentence that
// says where the mass matrix is not symmetric, or that it is not positive definite for the velocities that the rows allow.
std::string defect_of_mass(const System& system, const State& state);

}  // namespace catena::detail
