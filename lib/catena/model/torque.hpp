// Constant torque on a body. It has no potential: its work counts as supplied from outside.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/kernels/torque.hpp>

#include <array>

namespace catena {

struct Torque {
  static constexpr const char* type_name = "torque";
  static constexpr const char* summary = "constant torque on a body";

  std::array<BodyId, 1> bodies;
  Vec3 torque = Vec3::Zero();  // along `axes` [N m]
  Axes axes = Axes::world;
  std::string name = {};

  template <class S>
  TorqueKernel<S> kernel() const {
    return {cast<S>(torque), axes == Axes::body};
  }
};

void visit(ElementVisitor& visitor, Torque& force);

}  // namespace catena
