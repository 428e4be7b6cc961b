// What there is to say of a sweep.
#pragma once
#include <catena/study/sweep.hpp>

#include <string>

namespace catena::detail {

// "[###-------] 3 of 10 rows, 1 failed   0:12 left"; seconds: since this process began with the first of its own.
std::string progress_line(const SweepCounts& counts, double seconds);
// "6 rows: 4 ok, 2 failed (1 crashed), 0 left\n".
std::string counts_text(const SweepCounts& counts, const std::string& shard);
// Failed rows, each quantity over each axis, Sobol indices.
std::string sweep_text(const SweepTable& table);

}  // namespace catena::detail
