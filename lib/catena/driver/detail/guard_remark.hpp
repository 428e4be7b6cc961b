// What guards that only report have seen.
#pragma once
#include <catena/driver/parts/remark.hpp>
#include <catena/stepper/stepper.hpp>

#include <vector>

namespace catena::detail {

// A sentence for each guard with the option report that would have refused a step.
std::vector<Remark> guard_remarks(const StepperStatistics& statistics);

}  // namespace catena::detail
