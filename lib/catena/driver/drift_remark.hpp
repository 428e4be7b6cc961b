// What the joints have become under a method that does not keep their position rows.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <string>

namespace catena {

// A sentence on the joint that is open the most, where the stepper promises no positions and the gap is a thousandth of
// the largest body or arm, or more; else empty.
std::string drift_remark(const System& system, const Traits& traits, const State& state);

}  // namespace catena
