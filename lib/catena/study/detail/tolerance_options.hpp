// The options of a stepper that a tolerance of the run sets.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/output/parts/report.hpp>

#include <set>
#include <string>

namespace catena::detail {

// Their names; none where the stepper does not control its error.
std::set<std::string> tolerance_options(const Catalog& catalog, const std::string& stepper);

// These and all others of the local error, of one kind of component ("atol_length"), by which a run is made finer.
std::set<std::string> tolerances_of_all_kinds(const Catalog& catalog, const std::string& stepper);

// The smallest value of those that a run had; 0 of tolerances that are all 0.
double finest_tolerance(const Report& report, const std::set<std::string>& names);

}  // namespace catena::detail
