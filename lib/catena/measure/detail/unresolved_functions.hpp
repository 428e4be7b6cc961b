// Functions of the time that the steps of a run do not resolve.
#pragma once
#include <catena/driver/parts/run_result.hpp>
#include <catena/system/system.hpp>

#include <optional>

namespace catena::detail {

// RemarkKey::coarse_steps where the longest step is too long for a sine or chirp that a drive or a force follows: values at
// the ends of steps that are a period long are those of a constant, and no residual and no energy shows it.
std::optional<Remark> on_functions(const System& system, const RunResult& result);

}  // namespace catena::detail
