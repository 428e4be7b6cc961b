// What a body looks like, about its centre of mass and along its axes.
#pragma once
#include <catena/math/small.hpp>

#include <cstdint>

namespace catena {

// For pictures alone: no inertia, joint or force reads it.
struct BodyShape {
  enum class Kind : std::uint8_t {
    none,      // not stated: the box of the inertia is shown
    box,       // edges
    sphere,    // radius
    cylinder,  // radius, length, axis
    capsule    // radius, length between the centres of its half spheres, axis
  };
  Kind kind = Kind::none;
  Vec3 edges = Vec3::Zero();  // along x, y, z [m]
  double radius = 0.0;        // [m]
  double length = 0.0;        // [m]
  int axis = 2;               // 0, 1, 2: the body's x, y, z
};

// Of a homogeneous solid of that shape; of none: 0.
double volume(const BodyShape& shape);                    // [m^3]
Mat3 shape_inertia(double mass, const BodyShape& shape);  // [kg m^2], inertia.hpp

}  // namespace catena
