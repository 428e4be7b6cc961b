#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/shape.hpp>

#include <numbers>

namespace catena {

double volume(const BodyShape& s) {
  constexpr double pi = std::numbers::pi;
  switch (s.kind) {
    case BodyShape::Kind::none:
      break;
    case BodyShape::Kind::box:
      return s.edges[0] * s.edges[1] * s.edges[2];
    case BodyShape::Kind::sphere:
      return 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
    case BodyShape::Kind::cylinder:
      return pi * s.radius * s.radius * s.length;
    case BodyShape::Kind::capsule:
      return pi * s.radius * s.radius * (s.length + 4.0 / 3.0 * s.radius);
  }
  return 0.0;
}

Mat3 shape_inertia(double mass, const BodyShape& s) {
  switch (s.kind) {
    case BodyShape::Kind::none:
      break;
    case BodyShape::Kind::box:
      return box_inertia(mass, s.edges);
    case BodyShape::Kind::sphere:
      return sphere_inertia(mass, s.radius);
    case BodyShape::Kind::cylinder:
      return cylinder_inertia(mass, s.radius, s.length, s.axis);
    case BodyShape::Kind::capsule:
      return capsule_inertia(mass, s.radius, s.length, s.axis);
  }
  return Mat3::Zero();
}

}  // namespace catena
