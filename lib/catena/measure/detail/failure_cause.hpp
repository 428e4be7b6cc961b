// What has made the steps of a run fail, beyond what the steps see.
#pragma once
#include <catena/driver/run.hpp>

#include <string>

namespace catena::detail {

// Where steps fail though their residuals are numbers, the cause may be a wrong derivative, which becomes the culprit, or
// positions that end because a drive contradicts joints, a damper that makes energy, or a force that is too stiff for the
// step, which are added to the message. last: the state in which the run has ended.
void find_cause(const System& system, const State& last, RunResult& result);

// What a joint or force says of steps between two times that it may make fail, behind its name: a drive whose target has a kink.
// at: a state for what depends on positions. Empty: none says anything.
std::string trouble_of_elements(const System& system, const State& at, double from, double to);

// A run that has reached its end with a joint open by more than a thousandth of its largest body or arm, or with a row of
// velocities that it misses by a hundredth of the largest speed, as its remark says, becomes Status::unstable: where `fails`,
// and in any case where a drive asks for positions that there are not.
void end_for_open_joint(const System& system, const State& last, bool fails, RunResult& result);

}  // namespace catena::detail
