// Massless rod: a point of body A and a point of body B stay a length apart.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/element_pool.hpp>
#include <catena/model/kernels/distance.hpp>

#include <array>

namespace catena {

// One position row (|d|^2 - L^2) / (2 L), d from the point of A to that of B: |d| - L to first order [m].
// lambda is the tension of the rod [N].
struct DistanceConstraint {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "distance";
  static constexpr const char* summary = "massless rod: two points keep their distance";
  static constexpr bool couples = true;
  static constexpr LaneKernel lane_kernel = LaneKernel::distance;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  double length = 1.0;           // [m], positive
  std::string name = {};

  template <class S>
  DistanceKernel<S> kernel() const {
    return {{cast<S>(point_a), cast<S>(point_b)}, S(length)};
  }
};

void visit(ElementVisitor& visitor, DistanceConstraint& joint);

}  // namespace catena
