// Linear torsion spring and damper about an axis, over any number of turns.
#pragma once
#include <catena/model/detail/torsion_spring_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/rows/locked.hpp>

#include <array>
#include <string>

namespace catena {

// Moment k (s - s0) + c s' [N m] about axis_a, which turns B back; A feels the opposite. s [rad] is the angle from side_a to
// side_b about axis_a (rows/coordinate.hpp), in (-pi, pi] at first; it counts full turns as long as a step turns by less
// than half of one. The axes are kept parallel by a joint, which the spring is not; without, see the row of the angle.
struct TorsionSpring {
  static constexpr const char* type_name = "torsion_spring";
  static constexpr const char* summary = "linear torsion spring and damper about an axis, over full turns";
  static constexpr bool couples = true;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // the same axis in the frame of B
  Vec3 side_a = Vec3::Zero();  // frame of A, across axis_a; zero: some direction, the same one for equal axes
  Vec3 side_b = Vec3::Zero();  // frame of B, across axis_b
  double stiffness = 0.0;      // k [N m/rad]
  double damping = 0.0;        // c [N m s/rad]
  double free_angle = 0.0;     // s0 [rad], any number of turns
  std::string name = {};

  template <class S>
  detail::TorsionSpringWrench<S> kernel() const {
    return {{cast<S>(rows::triad(axis_a, side_a)), cast<S>(rows::side_across(rows::unit(axis_b), side_b))},
            S(stiffness),
            S(damping),
            S(free_angle)};
  }
  bool does_work() const { return damping != 0.0; }
  std::string defect() const;  // a side along its axis
};

void visit(ElementVisitor& visitor, TorsionSpring& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(TorsionSpring);

}  // namespace catena
