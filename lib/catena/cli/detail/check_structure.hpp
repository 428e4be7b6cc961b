// What a model is made of, for `catena check`: sizes, parts, scales.
#pragma once
#include <catena/cli/detail/check_report.hpp>
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

namespace catena::detail {

// model: null for a system in its own coordinates. Adds to the report, remarks included.
void inspect_structure(const System& system, const Model* model, const State& state, CheckReport& report);

}  // namespace catena::detail
