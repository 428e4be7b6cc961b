// Whether a layout and a state fit the system that they are given with; for set-up only.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// Empty, or which array of a layout is missing or has a wrong size.
std::string defect_of(const SystemLayout& layout);

// Empty, or which numbers of the state are more or fewer than the system has. Discrete values behind those of the system
// belong to controllers.
std::string misfit_of(const SystemLayout& layout, const State& state);
// The same of q and v alone.
std::string misfit_of_motion(const SystemLayout& layout, const State& state);

// In coordinates of their own no body is known by name.
bool in_own_coordinates(const System& system);

// Holds the quaternions of bodies to what a model asks of them: empty, or a sentence with the body whose quaternion is off
// unit length by more than 1e-6. What is off by less is normalised, where the system keeps unit length by itself; where
// rows keep it, they see it. Systems in their own coordinates are left as they are.
std::string make_unit_quaternions(const System& system, State& state);

}  // namespace catena::detail
