// Which bodies of a model hang together.
#pragma once
#include <catena/model/model.hpp>

#include <vector>

namespace catena::detail {

// Bodies that move and are tied to each other by joints, directly or by way of others. The ground and fixed bodies
// tie nothing together: two pendulums on one ceiling are two parts.
struct ModelPart {
  std::vector<BodyId> bodies;  // in model order
  bool on_ground = false;      // by a joint
  bool forces_ground = false;  // by a force between one of its bodies and the ground or a fixed body
  bool forces_others = false;  // by a force between one of its bodies and another part
};

// In the order of their first bodies.
std::vector<ModelPart> model_parts(const Model& model);

}  // namespace catena::detail
