// Whether a system is one of bodies with a constant mass matrix, position constraints and a potential: what symplectic methods
// in six coordinates take.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// Empty, or what of the system a method of that name does not take, in a sentence with the name of it. autonomous: neither
// does it take constraints that move by themselves.
std::string not_hamiltonian(const System& system, const std::string& method, bool autonomous);

}  // namespace catena::detail
