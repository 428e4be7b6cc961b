// A rigid body as a user describes it.
#pragma once
#include <catena/math/rotation.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/model/parts/shape.hpp>

#include <cstdint>
#include <string>

namespace catena {

// The axes along which a vector is given: those of the inertial frame or those of the body.
enum class Axes : std::uint8_t { world, body };

// Which velocities a body has. What would move it otherwise is borne by something that is not part of the model and is
// not reported: it does no work.
enum class BodyMotion : std::uint8_t {
  rigid,  // six: shifts and turns
  point,  // three: shifts, keeping its orientation; its inertia is not read
  planar  // three: shifts across `normal` and turns about it
};

struct Body {
  std::string name = {};                 // unique in the model; empty: "body N", N its number
  double mass = 1.0;                     // [kg], positive
  Mat3 inertia = Mat3::Identity();       // about the centre of mass, body frame [kg m^2] (inertia.hpp)
  Vec3 position = Vec3::Zero();          // centre of mass, world frame [m]
  Quat orientation = Quat::Identity();   // body -> world, scalar first, unit (orientation.hpp)
  Vec3 velocity = Vec3::Zero();          // of the centre of mass, world frame [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // body frame [rad/s] (to_body_axes takes it from the world frame)
  bool fixed = false;                    // stays where it is, like the ground
  BodyShape shape = {};                  // for pictures; the physics does not read it
  BodyMotion motion = BodyMotion::rigid;
  Vec3 normal =
      Vec3::Unit(2);  // of the plane of a planar body, world frame, any length but zero; else not read
};

// Throws ModelError naming the body unless mass and inertia are those of a rigid body (positive, symmetric,
// principal moments within the triangle inequality to a relative 1e-9), every number and its square are finite, so is
// the kinetic energy, and the quaternion has unit length to 1e-6; normalises the quaternion. A fixed body has no
// velocity; its mass and inertia only need to be finite. The inertia of a point becomes zero and the normal of a planar body
// a unit vector; their velocities must be among those that they have.
void check_and_normalize(Body& body);

}  // namespace catena
