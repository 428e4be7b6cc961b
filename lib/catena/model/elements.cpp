// The listings of the built-in constraints and forces.
#include <catena/model/joints.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/model/parts/torsion_spring.hpp>

namespace catena {
namespace {

using joint_detail::visit_name;

// What every element between a point of one body and a point of another has.
template <class E>
void visit_points(ElementVisitor& v, E& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
}

template <class E>
void visit_disc(ElementVisitor& v, E& e) {
  v.bodies({"bodies", "", "the body with the disc"}, e.bodies.data(), 1);
  v.vector({"centre", "m", "of the disc, body frame"}, e.centre);
  v.direction({"axis", "1", "of the disc, body frame"}, e.axis);
  v.real({.name = "radius", .unit = "m", .meaning = "of the rim", .minimum = 0.0, .above_minimum = true},
         e.radius);
}

void visit_axes(ElementVisitor& v, const char* meaning, Axes& axes) {
  visit_choice(v, {"axes", "", meaning}, axes, {"world", "body"});
}

}  // namespace

void joint_detail::visit_name(ElementVisitor& v, std::string& name) {
  v.text({"name", "", "for messages and results; empty: the type and a number"}, name);
}

void joint_detail::visit_points(ElementVisitor& v, BodyId* bodies, Vec3& point_a, Vec3& point_b) {
  v.bodies({"bodies", "", "first and second body"}, bodies, 2);
  v.vector({"point_a", "m", "point of the first body, its frame"}, point_a);
  v.vector({"point_b", "m", "point of the second body, its frame"}, point_b);
}

void joint_detail::visit_axes(ElementVisitor& v, Vec3& axis_a, Vec3* axis_b) {
  v.direction({"axis_a", "1", "axis in the first body, its frame"}, axis_a);
  if (axis_b != nullptr) v.direction({"axis_b", "1", "axis in the second body, its frame"}, *axis_b);
}

void joint_detail::visit_sides(ElementVisitor& v, Vec3& side_a, Vec3& side_b) {
  v.side({"side_a", "1",
          "direction across axis_a, frame of the first body; 0: axis_a x the axis of the frame that is most "
          "across it"},
         side_a);
  v.side({"side_b", "1",
          "direction across axis_b, frame of the second body; 0: axis_b x the axis of the frame that is most "
          "across it"},
         side_b);
}

void joint_detail::measure_cross(rows::Markers& markers) {
  const Vec3 a = rows::unit(markers.axis_a), b = rows::unit(markers.axis_b);
  markers.side_b = b;
  markers.axis_b = rows::across(b);
  constexpr double straight = 1e-6;  // [rad] of axes that are parallel in their frames: any side does
  if (norm(cross(a, b)) > straight) markers.side_a = b;
}

bool lies_along(const Vec3& axis, const Vec3& side) {
  const double size = norm(axis) * norm(side);
  return size > 0.0 && norm(cross(axis, side)) < 1e-6 * size;  // below, errors of arithmetic turn the triad
}

std::string defect_of_sides(const Vec3& axis_a, const Vec3& side_a, const Vec3& axis_b, const Vec3& side_b) {
  if (lies_along(axis_a, side_a)) return "side_a must not lie along axis_a";
  if (lies_along(axis_b, side_b)) return "side_b must not lie along axis_b";
  return {};
}

void visit(ElementVisitor& v, DistanceConstraint& e) {
  visit_points(v, e);
  v.real({.name = "length",
          .unit = "m",
          .meaning = "distance of the two points",
          .minimum = 0.0,
          .above_minimum = true},
         e.length);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, KnifeEdge& e) {
  v.bodies({"bodies", "", "the body with the blade"}, e.bodies.data(), 1);
  v.vector({"point", "m", "where the blade touches, body frame"}, e.point);
  v.direction({"side", "1", "across the blade, body frame"}, e.side);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, DiscContact& e) {
  visit_disc(v, e);
  v.vector({"plane_point", "m", "a point of the plane, world frame"}, e.plane_point);
  v.direction({"normal", "1", "out of the plane to the side of the disc, world axes"}, e.normal);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, RollingDisc& e) {
  visit_disc(v, e);
  v.direction({"normal", "1", "out of the plane to the side of the disc, world axes"}, e.normal);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, SpringDamper& e) {
  visit_points(v, e);
  v.real({"stiffness", "N/m", "force per elongation; negative pushes apart (a buckling link)"}, e.stiffness);
  v.real({"damping", "N s/m", "force per rate of elongation"}, e.damping);
  v.real({"rest_length", "m", "length without force", 0.0}, e.rest_length);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, TorsionSpring& e) {
  v.bodies({"bodies", "", "first and second body"}, e.bodies.data(), 2);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_sides(v, e.side_a, e.side_b);
  v.real({"stiffness", "N m/rad", "moment per angle"}, e.stiffness);
  v.real({"damping", "N m s/rad", "moment per angular velocity"}, e.damping);
  v.real({"free_angle", "rad", "angle from side_a to side_b without moment, over any number of turns"},
         e.free_angle);
  visit_name(v, e.name);
}

std::string TorsionSpring::defect() const { return defect_of_sides(axis_a, side_a, axis_b, side_b); }

void visit(ElementVisitor& v, PointForce& e) {
  v.bodies({"bodies", "", "the body that it acts on"}, e.bodies.data(), 1);
  v.vector({"point", "m", "where it acts, body frame"}, e.point);
  v.vector({"force", "N", "along `axes`"}, e.force);
  visit_axes(v, "along which the force is given; body: it turns with the body", e.axes);
  visit_name(v, e.name);
}

void visit(ElementVisitor& v, Torque& e) {
  v.bodies({"bodies", "", "the body that it acts on"}, e.bodies.data(), 1);
  v.vector({"torque", "N m", "along `axes`"}, e.torque);
  visit_axes(v, "along which the torque is given; body: it turns with the body", e.axes);
  visit_name(v, e.name);
}

}  // namespace catena
