// What a system is made of, for `catena check`: how many of what, which parts hang together, how far sizes lie apart.
#pragma once
#include <catena/cli/check_report.hpp>
#include <catena/model/model.hpp>

namespace catena {

// model: null for a system in its own coordinates. Adds to the report, remarks included.
void inspect_structure(const System& system, const Model* model, const State& state, CheckReport& report);

}  // namespace catena
