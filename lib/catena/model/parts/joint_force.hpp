// Spring, damper, friction and actuator along a coordinate of a joint.
#pragma once
#include <catena/model/detail/coordinate_force.hpp>
#include <catena/model/detail/coordinate_law.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <string>

namespace catena {

// With the coordinate s of the joint, the angle about axis_a over any number of turns or the displacement along it, the
// moment or force
//     Q = a(t) - k (s - s0) - c s' - spring(s) - damper(s') - friction s' / sqrt(s'^2 + friction_rate^2)
// acts on the second body, about or along the axis; the first body feels the opposite. The joint must leave the coordinate
// free. The springs have a potential, where the function of one has an integral; all else counts by its work.
struct JointForce {
  static constexpr const char* type_name = "joint_force";
  static constexpr const char* summary =
      "spring, damper, friction and actuator along a coordinate of a joint";
  static constexpr bool couples = true;

  ConstraintId joint{};  // between two markers, in the model already
  JointCoordinate coordinate = JointCoordinate::angle;
  double stiffness = 0.0;       // k [N m/rad or N/m]
  double damping = 0.0;         // c [N m s/rad or N s/m]
  double free = 0.0;            // s0 [rad or m]
  Function spring = 0.0;        // of s: [N m or N]
  Function damper = 0.0;        // of s': [N m or N]
  Function actuator = 0.0;      // a, of the time [N m or N]
  double friction = 0.0;        // [N m or N], not negative
  double friction_rate = 1e-3;  // rate up to which friction grows [rad/s or m/s], positive
  std::string name = {};

  // Set by Model::add.
  std::array<BodyId, 2> bodies = {};
  rows::Markers between = {};

  ElementDefect join(const Model& model);
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  bool does_work() const { return kernel<double>().law.does_work(); }
  static constexpr const char* jump = detail::passed_over_text;
  bool may_jump() const { return spring.has_integral() && !spring.break_points().empty(); }
  bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const;

  template <class S>
  detail::CoordinateForce<S, detail::CoordinateLaw> kernel() const {
    auto k = detail::force_between<S, detail::CoordinateLaw>(between);
    complete(k);
    return k;
  }
  // What is not among the parameters of the kernel.
  template <class Kernel>
  void complete(Kernel& k) const {
    k.turns = coordinate == JointCoordinate::angle;
    k.law = {stiffness, damping, free, &spring, &damper, &actuator, friction, friction_rate};
  }
};

void visit(ElementVisitor& visitor, JointForce& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(JointForce);

}  // namespace catena
