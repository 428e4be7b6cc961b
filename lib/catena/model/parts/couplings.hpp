// Couplings: one row between the angles and displacements that joints of two to four bodies leave free. They hold no body in
// place; the hinges and sliders are joints of their own. Angles count full turns (rows/coupling.hpp). Another coupling is one
// line as well, also between bodies that have no part in common:
//
//   struct Linkage {
//     std::array<BodyId, 4> bodies;
//     auto made_of() const { return rows::coupling(0.0, rows::Turn<0, 1>{z, z, 1.0}, rows::Turn<2, 3>{x, x, -2.5}); }
//   };
//
// as_placed: the sum of the coordinates keeps the value that it has when the coupling is added; `held` is set to it.
// Otherwise held [rad or m] is given, and angles run from the x side of axis_a to that of axis_b (triad(),
// rows/locked.hpp).
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/list.hpp>

#include <array>
#include <numbers>
#include <string>

namespace catena {

// Sets `held` to the sum of the coordinates where the bodies are, if the coupling asks for it.
template <class E>
void hold_as_placed(E& coupling, const BodyFrame<double>* f) {
  if (!coupling.as_placed) return;
  coupling.held = 0.0;
  coupling.held = rows::kernel_of<double>(coupling).gap(f, 0.0)[0];
}

// A thread: body B advances along axis_a by pitch as it turns about it by one turn. For a cylindrical joint.
// lambda is minus the force on B along axis_a [N]; the moment on B about it is lambda pitch / 2 pi.
struct Screw {
  static constexpr const char* type_name = "screw";
  static constexpr const char* summary = "a body advances along an axis as it turns about it";

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // the same axis in the frame of B
  double pitch = 0.01;           // along axis_a in a turn about it [m]; negative: a left-hand thread
  bool as_placed = true;
  double held = 0.0;  // [m]
  std::string name = {};

  auto made_of() const {
    return rows::coupling(held, rows::Slide<0, 1>{point_a, point_b, axis_a, 1.0},
                          rows::Turn<0, 1>{axis_a, axis_b, -pitch / (2.0 * std::numbers::pi)});
  }
  void placed(const BodyFrame<double>* f) { hold_as_placed(*this, f); }
  std::string defect() const;  // pitch of zero
};

// Two wheels on a common carrier: ratio = turns of the first for one turn of the second, negative where they turn against
// each other about axes that point the same way. lambda is minus the moment on the first about its axis [N m].
struct Gear {
  static constexpr const char* type_name = "gear";
  static constexpr const char* summary = "two wheels on a carrier turn in a fixed ratio";

  std::array<BodyId, 3> bodies;       // carrier, first wheel, second wheel
  Vec3 axis_1 = Vec3::Unit(2);        // of the first wheel, frame of the carrier, any length but zero
  Vec3 wheel_axis_1 = Vec3::Unit(2);  // the same axis in the frame of the wheel
  Vec3 axis_2 = Vec3::Unit(2);        // of the second wheel, frame of the carrier
  Vec3 wheel_axis_2 = Vec3::Unit(2);
  double ratio = -1.0;
  bool as_placed = true;
  double held = 0.0;  // [rad]
  std::string name = {};

  auto made_of() const {
    return rows::coupling(held, rows::Turn<0, 1>{axis_1, wheel_axis_1, 1.0},
                          rows::Turn<0, 2>{axis_2, wheel_axis_2, -ratio});
  }
  void placed(const BodyFrame<double>* f) { hold_as_placed(*this, f); }
  std::string defect() const;  // a ratio of zero
};

// A rack moves along a direction of the carrier by radius for each radian that the pinion turns.
// lambda is minus the force on the rack along axis_rack [N], at point_rack.
struct RackAndPinion {
  static constexpr const char* type_name = "rack_and_pinion";
  static constexpr const char* summary = "a rack moves as a pinion turns";

  std::array<BodyId, 3> bodies;      // carrier, pinion, rack
  Vec3 point = Vec3::Zero();         // of the carrier, from which the rack's way is measured, its frame [m]
  Vec3 point_rack = Vec3::Zero();    // frame of the rack [m]
  Vec3 axis_rack = Vec3::Unit(0);    // along which it moves, frame of the carrier, any length but zero
  Vec3 axis_pinion = Vec3::Unit(2);  // frame of the carrier
  Vec3 wheel_axis = Vec3::Unit(2);   // the same axis in the frame of the pinion
  double radius = 0.1;               // way of the rack for a radian [m]; negative: the other way
  bool as_placed = true;
  double held = 0.0;  // [m]
  std::string name = {};

  auto made_of() const {
    return rows::coupling(held, rows::Slide<0, 2>{point, point_rack, axis_rack, 1.0},
                          rows::Turn<0, 1>{axis_pinion, wheel_axis, -radius});
  }
  void placed(const BodyFrame<double>* f) { hold_as_placed(*this, f); }
  std::string defect() const;  // a radius of zero
};

// Three bodies turn about one axis of a frame: weights . (angles) = held. (2, -1, -1): twice the angle of the case is the sum
// of those of the shafts. lambda weights_k is minus the moment on body k about the axis [N m].
struct Differential {
  static constexpr const char* type_name = "differential";
  static constexpr const char* summary =
      "a weighted sum of the angles of three bodies about one axis of a fourth holds";

  std::array<BodyId, 4> bodies;  // frame, case, first shaft, second shaft
  Vec3 axis = Vec3::Unit(2);     // frame of the first body, any length but zero
  Vec3 axis_case = Vec3::Unit(2), axis_1 = Vec3::Unit(2),
       axis_2 = Vec3::Unit(2);  // the same in the other three
  Vec3 weights = {{2.0, -1.0, -1.0}};
  bool as_placed = true;
  double held = 0.0;  // [rad]
  std::string name = {};

  auto made_of() const {
    return rows::coupling(held, rows::Turn<0, 1>{axis, axis_case, weights[0]},
                          rows::Turn<0, 2>{axis, axis_1, weights[1]},
                          rows::Turn<0, 3>{axis, axis_2, weights[2]});
  }
  void placed(const BodyFrame<double>* f) { hold_as_placed(*this, f); }
  std::string defect() const;  // a weight of zero
};

void visit(ElementVisitor& visitor, Screw& joint);
void visit(ElementVisitor& visitor, Gear& joint);
void visit(ElementVisitor& visitor, RackAndPinion& joint);
void visit(ElementVisitor& visitor, Differential& joint);

// Compiled once, in compiled_elements.cpp.
extern template ConstraintId Model::add(Screw);
extern template ConstraintId Model::add(Gear);
extern template ConstraintId Model::add(RackAndPinion);
extern template ConstraintId Model::add(Differential);

}  // namespace catena
