// A function in a model file: a number, or a map with its type and members.
#pragma once
#include <catena/io/detail/fields.hpp>
#include <catena/model/parts/function.hpp>

#include <functional>
#include <string>

namespace catena::detail {

// The text of a file that a table names, its path from the folder of the model file. Reports an error at the node and
// returns false where it cannot be read.
using LoadTable = std::function<bool(Fields& fields, const FileNode& node, std::string& text)>;

// false, with an error: `out` is unchanged.
bool read_function(Fields& owner, const FileNode& node, const OptionInfo& info, const FunctionUnits& units,
                   const LoadTable& load, Function& out);

// Two columns of a text of numbers, in rows; columns are parted by commas, semicolons, tabs or blanks. Empty lines and
// those that begin with '#' are passed over, and the first line where it is not numbers: it has the names of the columns,
// with units in brackets behind them, 'angle [deg]'. x, y: a number from 1, or such a name, with or without the unit.
// Returns what is wrong, with the line, or "".
std::string read_columns(const std::string& text, const std::string& x, const std::string& y,
                         const FunctionUnits& units, functions::Table& out);

}  // namespace catena::detail
