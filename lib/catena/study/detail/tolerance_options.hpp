// The options of a stepper that a tolerance of the run sets.
#pragma once
#include <catena/experiment/catalog.hpp>

#include <set>
#include <string>

namespace catena::detail {

// Their names; none where the stepper does not control its error.
std::set<std::string> tolerance_options(const Catalog& catalog, const std::string& stepper);

}  // namespace catena::detail
