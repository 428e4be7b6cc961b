// A thin disc on a plane that is fixed in the world. Two constraints, because they stand at two levels: the rim
// touches the plane (DiscContact, position level, so that the height does not drift) and does not slip on it
// (RollingDisc, velocity level). A disc that rolls needs both; the first alone is a disc on ice.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/element_pool.hpp>
#include <catena/model/kernels/disc_contact.hpp>
#include <catena/model/kernels/rolling_disc.hpp>

#include <array>

namespace catena {

// One position row: the height of the lowest point of the rim over the plane [m]. lambda is minus the force of the
// plane along its normal [N]; the contact holds both ways, so that lambda > 0 says that the disc would lift off.
struct DiscContact {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "disc_contact";
  static constexpr const char* summary = "the rim of a thin disc touches a plane";
  static constexpr bool couples = false;
  static constexpr LaneKernel lane_kernel = LaneKernel::disc_contact;

  std::array<BodyId, 1> bodies;
  Vec3 centre = Vec3::Zero();       // of the disc, body frame [m]
  Vec3 axis = Vec3::Unit(2);        // of the disc, body frame, any length but zero
  double radius = 1.0;              // [m]
  Vec3 plane_point = Vec3::Zero();  // a point of the plane, world frame [m]
  Vec3 normal = Vec3::Unit(2);  // out of the plane to the side of the disc, world axes, any length but zero
  std::string name = {};

  template <class S>
  DiscContactKernel<S> kernel() const;
  std::string defect_at(const BodyFrame<double>* f, double t) const;
};

// Two velocity rows, nonholonomic: the material point of the rim in contact does not move along the plane [m/s],
// in the directions tangents(). lambda is minus the force of the plane along them [N].
struct RollingDisc {
  static constexpr int rows = 2;
  static constexpr Level level = Level::velocity;
  static constexpr const char* type_name = "rolling_disc";
  static constexpr const char* summary = "the rim of a thin disc does not slip on a plane (nonholonomic)";
  static constexpr bool couples = false;
  static constexpr LaneKernel lane_kernel = LaneKernel::rolling_disc;

  std::array<BodyId, 1> bodies;
  Vec3 centre = Vec3::Zero();   // of the disc, body frame [m]
  Vec3 axis = Vec3::Unit(2);    // of the disc, body frame, any length but zero
  double radius = 1.0;          // [m]
  Vec3 normal = Vec3::Unit(2);  // out of the plane to the side of the disc, world axes, any length but zero
  std::string name = {};

  // Two directions of the plane at right angles, world axes; (x, y) where normal is z.
  std::array<Vec3, 2> tangents() const;

  template <class S>
  RollingDiscKernel<S> kernel() const;
  std::string defect_at(const BodyFrame<double>* f, double t) const;
};

void visit(ElementVisitor& visitor, DiscContact& joint);
void visit(ElementVisitor& visitor, RollingDisc& joint);

// The contact that belongs to a disc that rolls, its plane through plane_point.
DiscContact contact_of(const RollingDisc& disc, const Vec3& plane_point = Vec3::Zero());

template <class S>
DiscContactKernel<S> DiscContact::kernel() const {
  const Vec3 e = (1.0 / norm(axis)) * axis, n = (1.0 / norm(normal)) * normal;
  return {{cast<S>(centre), cast<S>(e), S(radius)}, cast<S>(n), S(dot(n, plane_point))};
}

template <class S>
RollingDiscKernel<S> RollingDisc::kernel() const {
  const Vec3 e = (1.0 / norm(axis)) * axis;
  const std::array<Vec3, 2> t = tangents();
  return {{cast<S>(centre), cast<S>(e), S(radius)}, {cast<S>(t[0]), cast<S>(t[1])}};
}

}  // namespace catena
