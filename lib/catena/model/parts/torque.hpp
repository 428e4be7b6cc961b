// Constant torque on a body. It has no potential: its work counts as supplied from outside.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/detail/torque_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

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
  detail::TorqueWrench<S> kernel() const {
    return {detail::AppliedVector<S>::make(torque, axes == Axes::body)};
  }
  bool does_work() const { return true; }
};

void visit(ElementVisitor& visitor, Torque& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(Torque);

}  // namespace catena
