// Numbers of a state that nothing can be made of any more.
#pragma once
#include <catena/system/system.hpp>

#include <optional>
#include <string>

namespace catena::detail {

// The first coordinate, velocity, acceleration or multiplier without a finite square, NaN above all, with the name of
// its body or joint. Allocates nothing where there is none.
std::optional<Culprit> without_square(const System& system, const State& state);

// The body or coordinate that a component of v belongs to.
std::string velocity_owner(const System& system, int component);

}  // namespace catena::detail
