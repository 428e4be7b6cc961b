// What guards that only report have seen.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// A sentence for each guard with the option report that would have refused a step.
std::vector<std::string> guard_remarks(const StepperStatistics& statistics);

}  // namespace catena::detail
