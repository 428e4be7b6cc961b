// Instants at which what drives and forces follow changes from one formula to another.
#pragma once
#include <catena/model/model.hpp>

#include <vector>

namespace catena::detail {

// In rising order, each once. Of functions of the time that elements list; of types without a listing nothing is known.
std::vector<double> break_points(const Model& model);

}  // namespace catena::detail
