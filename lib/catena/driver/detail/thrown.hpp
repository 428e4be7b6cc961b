// Exceptions of code that takes part in a run; for the driver itself.
#pragma once
#include <catena/driver/parts/run_result.hpp>

#include <string>

namespace catena::detail {

// In a handler: ends the run with Status::exception, the name of what threw and its text; a run that something else has
// ended gets a remark. name: where the exception does not say its own (NamedError).
void end_for_exception(RunResult& result, const std::string& name);

}  // namespace catena::detail
