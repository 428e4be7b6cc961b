// Hinge: a point and an axis of body A coincide with a point and an axis of body B.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/element_pool.hpp>
#include <catena/model/kernels/revolute.hpp>

#include <array>

namespace catena {

// Five position rows: three of the points as in SphericalJoint [m], then the two components of B's axis
// across A's axis [rad]. lambda 0 ... 2: force on the first body, world axes [N]; lambda 3, 4: bending
// moments [N m] (kernels/revolute.hpp).
struct RevoluteJoint {
  static constexpr int rows = 5;
  static constexpr const char* type_name = "revolute";
  static constexpr const char* summary = "hinge: two points and two axes coincide";
  static constexpr bool couples = true;
  static constexpr LaneKernel lane_kernel = LaneKernel::revolute;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // frame of B, any length but zero
  std::string name = {};

  template <class S>
  RevoluteKernel<S> kernel() const {
    const Vec3 a = unit(axis_a);
    // The world axis that is most nearly normal to a gives the first direction across it.
    int least = 0;
    for (int k = 1; k < 3; ++k)
      if (abs(a[k]) < abs(a[least])) least = k;
    const Vec3 b1 = unit(cross(a, Vec3::Unit(least)));
    const Vec3 b2 = cross(a, b1);
    return {{cast<S>(point_a), cast<S>(point_b)}, {cast<S>(b1), cast<S>(b2)}, cast<S>(unit(axis_b))};
  }

 private:
  static Vec3 unit(const Vec3& a) { return (1.0 / norm(a)) * a; }
};

void visit(ElementVisitor& visitor, RevoluteJoint& joint);

}  // namespace catena
