// Redundant rows as the reports of runs and checks have them in JSON.
#pragma once
#include <catena/kkt/detail/redundancy.hpp>

#include <nlohmann/json_fwd.hpp>

namespace catena::detail {

// Keys: docs/reference/command_line.md.
nlohmann::ordered_json redundancy_json(const Redundancy& redundancy);

}  // namespace catena::detail
