// The stiffnesses of a rule for reactions, constraint by constraint.
#pragma once
#include <catena/measure/parts/reaction_rule.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// The name between the quotation marks of 'joint "hip" (spherical)'; all of it where there are none.
std::string plain_name(const std::string& label);

// Throws SelectionError for a system in its own coordinates, whose rows make no reactions, and where the rule names a joint that
// is not there.
std::vector<JointStiffness> joint_stiffness(const System& system, const ReactionRule& rule);

}  // namespace catena::detail
