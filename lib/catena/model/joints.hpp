// The table of joints: what each is made of, one line a joint. Rows are in the order of the primitives.
#pragma once
#include <catena/model/model.hpp>
#include <catena/model/parts/couplings.hpp>
#include <catena/model/parts/joint_coupling.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_shapes.hpp>

namespace catena {

// clang-format off
using SphericalJoint = MarkerJoint<"spherical", "ball joint: two points coincide", rows::Coincide>;
using RevoluteJoint = MarkerJoint<"revolute", "hinge: two points and two axes coincide", rows::Coincide, rows::Parallel>;
using UniversalJoint = MarkerJoint<"universal", "two points coincide, the axes stay perpendicular", rows::Coincide, rows::Perpendicular>;
using CylindricalJoint = MarkerJoint<"cylindrical", "hinge that also slides along its axis", rows::OnLine, rows::Parallel>;
using PrismaticJoint = MarkerJoint<"prismatic", "slides along an axis and does not turn", rows::OnLine, rows::Locked>;
using PlanarJoint = MarkerJoint<"planar", "slides in a plane and turns about its normal", rows::InPlane, rows::Parallel>;
using WeldJoint = MarkerJoint<"weld", "two points and two triads coincide", rows::Coincide, rows::Locked>;
using PointOnLineJoint = MarkerJoint<"point_on_line", "a point stays on a line of the other body", rows::OnLine>;
using PointInPlaneJoint = MarkerJoint<"point_in_plane", "a point stays in a plane of the other body", rows::InPlane>;
using ConstantOrientationJoint = MarkerJoint<"constant_orientation", "two bodies do not turn against each other", rows::Locked>;
// clang-format on

// Massless rod: a point of body A and a point of body B stay a length apart.
// One position row (|d|^2 - L^2) / (2 L), d from the point of A to that of B: |d| - L to first order [m].
// lambda is the tension of the rod [N].
struct DistanceConstraint {
  static constexpr const char* type_name = "distance";
  static constexpr const char* summary = "massless rod: two points keep their distance";

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  double length = 1.0;           // [m], positive
  std::string name = {};

  auto made_of() const { return rows::distance(point_a, point_b, length); }
};

// Blade of a skate, or a wheel without mass: a point of the body does not move sideways.
// One velocity row, nonholonomic [m/s]. lambda is minus the force on the body along `side` [N]. It does not hold
// the body on a plane: a body that moves in a plane by itself, or other joints, must.
struct KnifeEdge {
  static constexpr const char* type_name = "knife_edge";
  static constexpr const char* summary = "blade: a point does not move sideways (nonholonomic)";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // where the blade touches, body frame [m]
  Vec3 side = Vec3::Unit(1);  // across the blade, body frame, any length but zero
  std::string name = {};

  auto made_of() const { return rows::blade(point, side); }
};

// A thin disc on a plane that is fixed in the world. Two constraints, because they have two levels: the rim
// touches the plane (DiscContact, position level, so that the height does not drift) and does not slip on it
// (RollingDisc, velocity level). A disc that rolls needs both; the first alone is a disc on ice.
// One position row: the height of the lowest point of the rim over the plane [m]. lambda is minus the force of the
// plane along its normal [N]; the contact holds both ways, so that lambda > 0 says that the disc would lift off.
struct DiscContact {
  static constexpr const char* type_name = "disc_contact";
  static constexpr const char* summary = "the rim of a thin disc touches a plane, which holds it both ways";

  std::array<BodyId, 1> bodies;
  Vec3 centre = Vec3::Zero();       // of the disc, body frame [m]
  Vec3 axis = Vec3::Unit(2);        // of the disc, body frame, any length but zero
  double radius = 1.0;              // [m]
  Vec3 plane_point = Vec3::Zero();  // a point of the plane, world frame [m]
  Vec3 normal = Vec3::Unit(2);  // out of the plane to the side of the disc, world axes, any length but zero
  std::string name = {};

  auto made_of() const { return rows::rim(centre, axis, radius, plane_point, normal); }
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  std::string trouble_near(const BodyFrame<double>* f, double from, double to) const;
};

// Two velocity rows, nonholonomic: the material point of the rim in contact does not move along the plane [m/s],
// in the directions tangents(). lambda is minus the force of the plane along them [N].
struct RollingDisc {
  static constexpr const char* type_name = "rolling_disc";
  static constexpr const char* summary = "the rim of a thin disc does not slip on a plane (nonholonomic)";

  std::array<BodyId, 1> bodies;
  Vec3 centre = Vec3::Zero();   // of the disc, body frame [m]
  Vec3 axis = Vec3::Unit(2);    // of the disc, body frame, any length but zero
  double radius = 1.0;          // [m]
  Vec3 normal = Vec3::Unit(2);  // out of the plane to the side of the disc, world axes, any length but zero
  std::string name = {};

  auto made_of() const { return rows::no_slip(centre, axis, radius, tangents()[0], tangents()[1]); }

  // Two directions of the plane at right angles, world axes; (x, y) where normal is z.
  std::array<Vec3, 2> tangents() const;
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  std::string trouble_near(const BodyFrame<double>* f, double from, double to) const;
};

// The contact that belongs to a disc that rolls, its plane through plane_point.
DiscContact contact_of(const RollingDisc& disc, const Vec3& plane_point = Vec3::Zero());

void visit(ElementVisitor& visitor, DistanceConstraint& joint);
void visit(ElementVisitor& visitor, KnifeEdge& joint);
void visit(ElementVisitor& visitor, DiscContact& joint);
void visit(ElementVisitor& visitor, RollingDisc& joint);

// Compiled once, in compiled_elements.cpp.
extern template ConstraintId Model::add(SphericalJoint);
extern template ConstraintId Model::add(RevoluteJoint);
extern template ConstraintId Model::add(UniversalJoint);
extern template ConstraintId Model::add(CylindricalJoint);
extern template ConstraintId Model::add(PrismaticJoint);
extern template ConstraintId Model::add(PlanarJoint);
extern template ConstraintId Model::add(WeldJoint);
extern template ConstraintId Model::add(PointOnLineJoint);
extern template ConstraintId Model::add(PointInPlaneJoint);
extern template ConstraintId Model::add(ConstantOrientationJoint);
extern template ConstraintId Model::add(DistanceConstraint);
extern template ConstraintId Model::add(KnifeEdge);
extern template ConstraintId Model::add(DiscContact);
extern template ConstraintId Model::add(RollingDisc);

}  // namespace catena
