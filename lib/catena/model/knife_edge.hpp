// Blade of a skate, or a wheel without mass: a point of the body does not move sideways.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/element_pool.hpp>
#include <catena/model/kernels/knife_edge.hpp>

#include <array>

namespace catena {

// One velocity row, nonholonomic [m/s]. lambda is minus the force on the body along `side` [N]. It does not hold
// the body on a plane: a body that moves in a plane by itself, or other joints, must.
struct KnifeEdge {
  static constexpr int rows = 1;
  static constexpr Level level = Level::velocity;
  static constexpr const char* type_name = "knife_edge";
  static constexpr const char* summary = "blade: a point does not move sideways (nonholonomic)";
  static constexpr bool couples = false;
  static constexpr LaneKernel lane_kernel = LaneKernel::knife_edge;

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // where the blade touches, body frame [m]
  Vec3 side = Vec3::Unit(1);  // across the blade, body frame, any length but zero
  std::string name = {};

  template <class S>
  KnifeEdgeKernel<S> kernel() const {
    return {cast<S>(point), cast<S>(Vec3((1.0 / norm(side)) * side))};
  }
};

void visit(ElementVisitor& visitor, KnifeEdge& joint);

}  // namespace catena
