// The index-1 equations of a system whose rows are redundant: those who solve for multipliers beside a stepper need them there,
// at positions on the rows.
#pragma once
#include <catena/stepper/detail/index_1.hpp>

#include <optional>

namespace catena::detail {

// Attached to the system; none where its rows are not redundant, or the back end refuses it.
inline void attach_where_redundant(std::optional<Index1Equations>& equations, const System& system,
                                   StepperStatistics& statistics) {
  equations.emplace();
  if (!equations->attach(system, {}, statistics, GuardMode::off).empty() || !equations->redundant())
    equations.reset();
}

}  // namespace catena::detail
