// Friction of a joint by the force that the joint carries.
#pragma once
#include <catena/model/detail/friction_wrench.hpp>
#include <catena/model/detail/reaction_of.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <string>

namespace catena {

// Against the sliding velocity u of the surfaces of a joint acts the force
//     (mu N / sqrt(|u|^2 + v_s^2) + c) u
// with the normal force N that the joint's own reaction gives at the same instant:
//     revolute                       a pin of the radius r: u = r theta', N the force across the axis. It is the moment
//                                    mu r N about the axis; thrust along the axis and bending moments have no friction
//     prismatic, point_on_line       u = s', N the force across the axis
//     cylindrical                    a shaft of the radius r: u = (s', r theta'), together, so that turning makes it slide
//     planar, point_in_plane         u in the plane at the point of B, N the force along the normal
//     spherical                      a ball of the radius r: u = r times the turning of B against A, N the force
// N = F^2 / sqrt(F^2 + N_s^2) of the reaction F. Without friction where steppers do not say that they take forces that
// depend on multipliers (Traits::reaction_forces): those are refused.
struct JointFriction {
  static constexpr const char* type_name = "joint_friction";
  static constexpr const char* summary = "dry and viscous friction of a joint by the force that it carries";
  static constexpr bool couples = true;

  ConstraintId joint{};      // between two markers, in the model already
  double coefficient = 0.0;  // mu [1], not negative
  double radius = 0.0;       // r of a pin, a shaft or a ball [m]
  double speed = 1e-3;       // v_s, sliding speed up to which friction grows [m/s], positive
  double light_load = 1e-3;  // N_s, reactions up to which friction grows with their square [N], positive
  double viscous = 0.0;      // c [N s/m], not negative
  std::string name = {};

  // Set by Model::add.
  std::array<BodyId, 2> bodies = {};
  rows::Markers between = {};
  detail::Sliding sliding = detail::Sliding::pin;
  detail::ReactionOf reaction = {};

  ElementDefect join(const Model& model);
  bool does_work() const { return coefficient != 0.0 || viscous != 0.0; }

  template <class S>
  detail::FrictionWrench<S> kernel() const {
    const auto along = rows::in_plane(between.point_a, between.point_b, between.axis_a);
    detail::FrictionWrench<S> k{{cast<S>(along.point_a), cast<S>(along.point_b), {cast<S>(along.normal[0])}},
                                {cast<S>(rows::triad(between.axis_a, between.side_a)),
                                 cast<S>(rows::side_across(rows::unit(between.axis_b), between.side_b))}};
    complete(k);
    return k;
  }
  template <class Kernel>
  void complete(Kernel& k) const {
    k.law = {sliding, coefficient, viscous, radius, speed, light_load};
  }
};

void visit(ElementVisitor& visitor, JointFriction& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(JointFriction);

}  // namespace catena
