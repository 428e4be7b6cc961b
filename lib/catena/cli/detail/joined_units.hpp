#pragma once
#include <string>
#include <vector>

namespace catena::detail {

// Arguments as typed, `--set k=40 kN/m`: a unit behind the number of an assignment becomes part of it. Words that are
// among `problems` stay alone.
std::vector<std::string> join_units(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& problems);

}  // namespace catena::detail
