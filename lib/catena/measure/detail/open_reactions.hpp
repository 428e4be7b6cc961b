// Which components of which reactions the constraints leave open where rows are redundant.
#pragma once
#include <catena/assembly/parts/body_system.hpp>
#include <catena/kkt/detail/redundancy.hpp>

namespace catena::detail {

// Fills Redundancy::open from its null vectors: a component is open where one of them has a force or a torque along it, and
// unique otherwise. In the axes of the joint's first marker at the state, where it has markers. Nonlinear dependence does
// not enter: the null vectors are those of the state.
void find_open_reactions(const BodySystem& system, const State& state, Redundancy& redundancy);

}  // namespace catena::detail
