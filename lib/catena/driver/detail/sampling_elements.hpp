// Joints and forces that sample the motion by themselves.
#pragma once
#include <catena/driver/parts/controller.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

// One controller for each element of a model that has a period; none for systems in their own coordinates.
std::vector<std::unique_ptr<Controller>> sampling_elements(const System& system);

}  // namespace catena::detail
