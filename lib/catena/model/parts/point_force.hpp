// Constant force at a point of a body.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/detail/point_force_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

#include <array>

namespace catena {

// Along world axes it has the potential -F . x and counts in the energy; along body axes (a thruster) it
// turns with the body and has none.
struct PointForce {
  static constexpr const char* type_name = "point_force";
  static constexpr const char* summary = "constant force on a point of a body";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]
  Vec3 force = Vec3::Zero();  // along `axes` [N]
  Axes axes = Axes::world;
  std::string name = {};

  template <class S>
  detail::PointForceWrench<S> kernel() const {
    return {cast<S>(point), detail::AppliedVector<S>::make(force, axes == Axes::body)};
  }
  bool does_work() const { return axes == Axes::body; }
};

void visit(ElementVisitor& visitor, PointForce& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(PointForce);

}  // namespace catena
