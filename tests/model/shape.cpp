// Volume and inertia of the shapes of bodies.
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/shape.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace catena;
using catena_test::relative;

namespace {

// A solid of revolution about z, sliced: discs of that radius have the volume pi r^2 dz, the moment dm r^2/2 about
// the axis, and dm (r^2/4 + z^2) across it.
template <class Radius>
Vec3 sliced(double half, const Radius& radius) {
  constexpr int slices = 200000;  // midpoint rule, whose error at the caps, r^2 linear there, is below 1e-9
  double volume = 0.0, along = 0.0, across = 0.0;
  const double dz = 2.0 * half / slices;
  for (int k = 0; k < slices; ++k) {
    const double z = -half + (k + 0.5) * dz, r = radius(z), dv = M_PI * r * r * dz;
    volume += dv;
    along += dv * r * r / 2.0;
    across += dv * (r * r / 4.0 + z * z);
  }
  return {{volume, along / volume, across / volume}};
}

}  // namespace

TEST_CASE("volume and inertia of capsules are those of their slices, about any axis") {
  for (const double length : {1e-3, 0.4, 3.0}) {
    CAPTURE(length);
    const double r = 0.3;
    const Vec3 slices = sliced(0.5 * length + r, [&](double z) {
      const double beyond = std::max(0.0, std::abs(z) - 0.5 * length);
      return std::sqrt(r * r - beyond * beyond);
    });
    for (int axis = 0; axis < 3; ++axis) {
      const BodyShape capsule{.kind = BodyShape::Kind::capsule, .radius = r, .length = length, .axis = axis};
      CHECK(volume(capsule) == relative(slices[0], 1e-8));
      const Mat3 J = shape_inertia(2.0, capsule);
      for (int k = 0; k < 3; ++k) CHECK(J(k, k) == relative(2.0 * slices[k == axis ? 1 : 2], 1e-8));
    }
  }
}

TEST_CASE("a capsule without length is a sphere; the other shapes are those of inertia.hpp") {
  const Mat3 ball = sphere_inertia(3.0, 0.2), none = capsule_inertia(3.0, 0.2, 0.0, 1);
  for (int k = 0; k < 9; ++k) CHECK(none[k] == doctest::Approx(ball[k]).epsilon(1e-15));
  using Kind = BodyShape::Kind;
  CHECK(shape_inertia(2.0, {.kind = Kind::box, .edges = {{1, 2, 3}}})(0, 0) == relative(13.0 / 6.0, 1e-15));
  CHECK(volume({.kind = Kind::box, .edges = {{1, 2, 3}}}) == 6.0);
  CHECK(volume({.kind = Kind::sphere, .radius = 2.0}) == relative(32.0 / 3.0 * M_PI, 1e-15));
  CHECK(volume({.kind = Kind::cylinder, .radius = 2.0, .length = 3.0}) == relative(12.0 * M_PI, 1e-15));
  CHECK(shape_inertia(2.0, {.kind = Kind::cylinder, .radius = 2.0, .length = 3.0, .axis = 0})(0, 0) == 4.0);
}
