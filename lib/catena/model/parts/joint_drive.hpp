// A drive: a coordinate of a joint, or its rate, follows a function of time.
//
//   const ConstraintId hip = model.add(joint_at<RevoluteJoint>(model, ground, leg, {.axis = Vec3::Unit(1)}, "hip"));
//   model.add(JointDrive{.joint = hip, .target = functions::Sine{.amplitude = 0.5, .frequency = 2.0}});
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/frame.hpp>
#include <catena/model/parts/function.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/model/rows/markers.hpp>
#include <catena/model/rows/plan.hpp>

#include <array>
#include <string>

namespace catena {

// One row. With the coordinate s of the joint, the angle about axis_a from side_a to side_b or the displacement of point_b
// along axis_a, and the target u: s - u(t) = 0 at position level [rad or m], an angle taken modulo a whole turn; or
// s' - u(t) = 0 at velocity level [rad/s or m/s]. lambda is minus the moment of the drive on the second body about the axis
// [N m], or minus its force along it [N]; the first body feels the opposite.
struct JointDrive {
  static constexpr const char* type_name = "drive";
  static constexpr const char* summary = "a coordinate of a joint, or its rate, follows a function of time";

  ConstraintId joint{};  // between two markers, in the model already
  JointCoordinate coordinate = JointCoordinate::angle;
  bool rate = false;      // the target is that of the rate
  Function target = 0.0;  // of the time [s]: [rad] or [m]; of a rate [rad/s] or [m/s]
  bool as_placed =
      false;  // the target counts from the coordinate that the bodies have when the drive is added
  std::string name = {};

  // Set by Model::add.
  std::array<BodyId, 2> bodies = {};
  rows::Markers between = {};
  double offset = 0.0;  // that is added to the target [rad or m]

  // What Model::add and its pool ask (detail/rows_pool.hpp).
  ElementDefect join(const Model& model);
  void placed(const BodyFrame<double>* f);
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  std::string trouble_near(const BodyFrame<double>* f, double from, double to) const;
  rows::Shape shape() const;
  void save(double* out) const;
  FunctionValue target_at(double t) const;
};

void visit(ElementVisitor& visitor, JointDrive& drive);

// Compiled once, in compiled_elements.cpp.
extern template ConstraintId Model::add(JointDrive);

}  // namespace catena
