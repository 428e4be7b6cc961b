// The unit behind the values of what varies, "25 kN/m": a table of numbers has it once, in the title of its column.
#pragma once
#include <catena/study/detail/database.hpp>

#include <string>

namespace catena::detail {

// "kN/m" where every value of the column is a number with that unit behind it; empty: they have none, or several, or are no
// numbers.
std::string common_unit(Database& database, const std::string& column);

// "25" of "25 kN/m"; all of a text without a blank.
std::string without_unit(const std::string& cell);

}  // namespace catena::detail
