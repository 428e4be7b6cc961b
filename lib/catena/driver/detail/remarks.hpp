// Remarks on a run: what its start had to correct, and how far the joints are open under a method that does not keep their
// position rows.
#pragma once
#include <catena/driver/parts/remark.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

// The row whose velocity residual is the largest in `state`, and that residual, where it is beyond roundoff: steppers
// start from consistent velocities, so it will be gone. Without a quantity where there is none.
Culprit inconsistent_velocity(const System& system, const State& state);

// The position rows at a state; empty where the stepper keeps them, and looks at them, itself.
std::vector<double> gaps_not_kept(const System& system, const Traits& traits, const State& state);

// The first constraint with such a gap that is not finite.
std::optional<Culprit> without_gap(const System& system, const std::vector<double>& gaps);

// On the joint that is open the most, where its gap is a thousandth of its largest body or arm, or more. method: the
// stepper's name.
std::optional<Remark> drift_remark(const System& system, const std::string& method,
                                   const std::vector<double>& gaps);

}  // namespace catena::detail
