// A controller that drives a coordinate of a joint along a function of time.
#pragma once
#include <catena/model/detail/controller_law.hpp>
#include <catena/model/detail/coordinate_force.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <string>

namespace catena {

// With the coordinate s of the joint, as JointForce has it, and the error e = target(t) - s, the moment or force
//     Q = proportional e + integral z + derivative e',   bounded by -limit <= Q <= limit
// acts on the second body. With a period T it is computed at the instants 0, T, 2 T, ... and held between them, with
// z <- z + T e at each of them; without one it acts at every moment, with z' = e from the start of the run on, to order 4
// in the step whatever the method. z stays where the limit is reached and e leads further beyond it. It acts through
// JointForce's point and axis; its work counts as supplied.
struct JointPid {
  static constexpr const char* type_name = "pid";
  static constexpr const char* summary = "bounded PID controller of a coordinate of a joint";
  static constexpr bool couples = true;

  ConstraintId joint{};  // between two markers, in the model already
  JointCoordinate coordinate = JointCoordinate::angle;
  Function target = 0.0;      // of the time [rad or m]
  double proportional = 0.0;  // [N m/rad or N/m]
  double integral = 0.0;      // [N m/rad/s or N/m/s]
  double derivative = 0.0;    // [N m s/rad or N s/m]
  double limit = 0.0;         // [N m or N]; 0: none
  double period = 0.0;        // [s]; 0: it acts at every moment
  std::string name = {};

  // Set by Model::add.
  std::array<BodyId, 2> bodies = {};
  rows::Markers between = {};

  ElementDefect join(const Model& model);
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  bool does_work() const { return true; }
  double sampling_period() const { return period; }
  bool integrates() const { return law().integrates(); }
  void sample(const BodyFrame<double>* f, double t, double* values) const;

  template <class S>
  detail::CoordinateForce<S, detail::ControllerLaw> kernel() const {
    auto k = detail::force_between<S, detail::ControllerLaw>(between);
    complete(k);
    return k;
  }
  // What is not among the parameters of the kernel.
  template <class Kernel>
  void complete(Kernel& k) const {
    k.turns = coordinate == JointCoordinate::angle;
    k.law = law();
  }
  detail::ControllerLaw law() const { return {&target, proportional, integral, derivative, limit, period}; }
};

void visit(ElementVisitor& visitor, JointPid& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(JointPid);

}  // namespace catena
