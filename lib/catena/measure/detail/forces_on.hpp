// The forces that act on a body which messages know by the name of its velocity block.
#pragma once
#include <catena/model/model.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// block: 'body "hip"', as System::velocity_block_name says it.
struct ForcesOn {
  BodyId body = ground;  // ground: no body has the name
  std::vector<ForceId> forces;
};
ForcesOn forces_on(const Model& model, const std::string& block);

}  // namespace catena::detail
