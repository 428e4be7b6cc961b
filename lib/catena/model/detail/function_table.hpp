// The function through the points of a table.
#pragma once
#include <catena/model/parts/function.hpp>

#include <memory>

namespace catena::detail {

std::shared_ptr<const Function::Shape> make_table_shape(functions::Table table);

}  // namespace catena::detail
