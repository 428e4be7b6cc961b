// The steppers that come with the library: an explicit list. A new one is a file pair and a line in catalog.cpp.
#pragma once
#include <catena/stepper/stepper_entry.hpp>

#include <vector>

namespace catena {

std::vector<StepperEntry> builtin_steppers();

// Those that this build was configured without.
std::vector<LeftOutStepper> left_out_steppers();

}  // namespace catena
