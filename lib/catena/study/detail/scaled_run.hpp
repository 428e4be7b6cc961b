// One run of a scaling study.
#pragma once
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaling.hpp>

#include <atomic>

namespace catena {
class Catalog;
}

namespace catena::detail {

// With the problem's own end.
Scenario scenario_of(const ScaleRequest& request, const ScaledRun& run);

// With as many steps as are asked for.
Scenario timed_scenario(const ScaleRequest& request, const ScaledRun& run, double step);
// Of one that was killed, or ended with an exit status.
std::string why_not_ended(const OwnProcess& process);

// Runs it once, with as many steps as are asked for, in a process of its own, and takes the times where its steps took the
// least time so far. slowest: [s] a step, of the repetitions so far.
void repeat(ScaledRun& run, const ScaleRequest& request, double step, const Catalog& catalog,
            const std::atomic<bool>* stop, double base_bytes, double& slowest);

}  // namespace catena::detail
