// What other programs call things, and their words here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace catena::detail {

// Of a type of joint or force, "u-joint" or "Hinge Joint" say; "": none is known. It may be a type of either kind.
std::string own_type_for(std::string_view word);

// Of a key; known: the keys of its map. "": none of them has another name like that.
std::string own_key_for(std::string_view word, const std::vector<std::string>& known);

// Whether this is a name of the inertial frame elsewhere.
bool names_inertial_frame(std::string_view word);

}  // namespace catena::detail
