// The options of a run held to their ranges; for the driver itself.
#pragma once
#include <catena/driver/run.hpp>

namespace catena {

// Throws std::invalid_argument, see run().
const RunOptions& checked(const RunOptions& options, double t_begin);

}  // namespace catena
