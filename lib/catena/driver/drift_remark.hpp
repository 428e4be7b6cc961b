// What the joints have become under a method that does not keep their position rows: one evaluation at the end of a run.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena {

// The position rows at a state; empty where the stepper keeps them, and looks at them, itself.
std::vector<double> gaps_not_kept(const System& system, const Traits& traits, const State& state);

// The first constraint with such a gap that is not finite.
std::optional<Culprit> without_gap(const System& system, const std::vector<double>& gaps);

// A sentence on the joint that is open the most, where its gap is a thousandth of the largest body or arm, or more; else
// empty. method: the stepper's name.
std::string drift_remark(const System& system, const std::string& method, const std::vector<double>& gaps);

}  // namespace catena
