// A frame fixed in a body, which joints are put between.
//
//   model.add(between<RevoluteJoint>(model.frame(crank, {{0.2, 0.0, 0.0}}), model.frame(rod, {{-0.3, 0.0, 0.0}})));
//   model.add(joint_at<RevoluteJoint>(model, crank, rod, {.point = {{0.2, 0.0, 1.0}}, .axis = Vec3::Unit(1)}));
#pragma once
#include <catena/model/model.hpp>

#include <string>
#include <utility>

namespace catena {

// One frame in the world, at the initial positions: where a joint is assembled.
struct WorldFrame {
  Vec3 point = Vec3::Zero();  // [m]
  Vec3 axis = Vec3::Unit(2);  // of any length but zero
  Vec3 side = Vec3::Zero();   // across the axis; zero: some direction, the same one for both bodies
};

// The frame as the body has it at its initial position.
Marker frame_at(const Model& model, BodyId body, const WorldFrame& frame);

// A joint of the table between two markers; of their members those that the joint has.
template <class Joint>
Joint between(const Marker& a, const Marker& b, std::string name = {}) {  // NOLINT: name is moved
  Joint joint{};
  joint.bodies = {a.body, b.body};
  joint.point_a = a.point;
  joint.point_b = b.point;
  if constexpr (requires { joint.axis_a = a.axis; }) joint.axis_a = a.axis;
  if constexpr (requires { joint.axis_b = b.axis; }) joint.axis_b = b.axis;
  if constexpr (requires { joint.side_a = a.side; }) {
    joint.side_a = a.side;
    joint.side_b = b.side;
  }
  joint.name = std::move(name);
  return joint;
}

// A joint between two bodies that is closed at their initial positions, given by one frame in the world. The second axis of a
// universal joint is the side of the frame.
template <class Joint>
Joint joint_at(const Model& model, BodyId a, BodyId b, const WorldFrame& frame, std::string name = {}) {
  const Marker first = frame_at(model, a, frame);
  Marker second = frame_at(model, b, frame);
  if constexpr (requires { requires Joint::crosses; }) std::swap(second.axis, second.side);
  return between<Joint>(first, second, std::move(name));
}

}  // namespace catena
