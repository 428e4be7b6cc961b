// Equal scenarios over the ranks of mpirun.
#pragma once
#include <catena/experiment/scenario.hpp>

#include <string>

namespace catena::detail {

// Runs so many by a sweep of this program, under mpirun: `workers` ranks run a row each, and one more deals. Returns why it
// did not, empty: all rows are ok.
std::string run_over_ranks(const Scenario& scenario, int scenarios, int workers);

}  // namespace catena::detail
