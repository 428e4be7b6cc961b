// Whether a driven mechanism has positions at all behind the instant at which its steps failed.
#pragma once
#include <catena/system/status.hpp>
#include <catena/system/system.hpp>

#include <optional>

namespace catena::detail {

// The first instant from which on no position satisfies the rows at position level, searched for from the last state to 16
// steps [s] behind it, or from the first state on where the last one has open joints: in `why` "no position near t = 0.395 s
// satisfies A, motor, B", in `name` the one of them with the
// largest gap, in `value` the time. Nothing where positions
// continue or where that is not known. Allocates; for the end of a run.
std::optional<Culprit> no_position(const System& system, const State& last, double step);

}  // namespace catena::detail
