// Ball joint: a point of body A and a point of body B coincide.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/element_pool.hpp>
#include <catena/model/kernels/spherical.hpp>

#include <array>

namespace catena {

// Three position rows, world axes [m]. lambda is the force on the first body in world axes [N]; the force
// on the second is -lambda.
struct SphericalJoint {
  static constexpr int rows = 3;
  static constexpr const char* type_name = "spherical";
  static constexpr const char* summary = "ball joint: two points coincide";
  static constexpr bool couples = false;
  static constexpr LaneKernel lane_kernel = LaneKernel::spherical;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  std::string name = {};

  template <class S>
  SphericalKernel<S> kernel() const {
    return {cast<S>(point_a), cast<S>(point_b)};
  }
};

void visit(ElementVisitor& visitor, SphericalJoint& joint);

}  // namespace catena
