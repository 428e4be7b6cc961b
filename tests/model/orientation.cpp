// Orientations and inertia as users state them.
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace orientation_tests {

using namespace catena;

namespace {

constexpr double pi = 3.14159265358979323846;

double difference(const Mat3& a, const Mat3& b) {
  double d = 0.0;
  for (int k = 0; k < 9; ++k) d = std::fmax(d, std::abs(a[k] - b[k]));
  return d;
}

Mat3 turn(char axis, double angle) { return rotation_matrix(exponential(angle * Vec3::Unit(axis - 'x'))); }

Quat random_rotation(std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return normalized(Quat{normal(engine), normal(engine), normal(engine), normal(engine)});
}

}  // namespace

TEST_CASE("matrix to quaternion and back, whichever component is the largest") {
  std::mt19937 engine(3);
  for (int k = 0; k < 200; ++k) {
    const Mat3 R = rotation_matrix(random_rotation(engine));
    CHECK(difference(rotation_matrix(orientation_from_matrix(R)), R) <
          2e-15);  // ten roundings of numbers below 2
  }
  for (const char axis : {'x', 'y', 'z'})  // half turns: the real part vanishes
    CHECK(difference(rotation_matrix(orientation_from_matrix(turn(axis, pi))), turn(axis, pi)) < 1e-15);
}

TEST_CASE("a matrix that is no rotation is refused") {
  Mat3 R = Mat3::Identity();
  R(0, 1) = 0.01;
  CHECK_THROWS_WITH_AS(orientation_from_matrix(R),
                       "orientation matrix is not orthonormal: R^T R - I has an entry of size 0.01",
                       ModelError);
  CHECK_THROWS_WITH_AS(orientation_from_matrix(diagonal(Vec3{{1.0, 1.0, -1.0}})),
                       "orientation matrix is a reflection: its determinant is -1", ModelError);
  R(0, 1) = std::nan("");
  CHECK_THROWS_AS(orientation_from_matrix(R), ModelError);
}

TEST_CASE("axis and angle: the length of the axis does not matter, a zero axis is refused") {
  const Quat q = orientation_from_axis_angle(Vec3{{0.0, 0.0, 5.0}}, 0.5 * pi);
  CHECK(q.w == catena_test::relative(std::sqrt(0.5), 1e-15));
  CHECK(q.z == catena_test::relative(std::sqrt(0.5), 1e-15));
  CHECK_THROWS_WITH_AS(
      orientation_from_axis_angle(Vec3::Zero(), 1.0),
      "orientation from axis and angle needs finite numbers and an axis that is not zero, has length 0 "
      "and angle 1",
      ModelError);
}

TEST_CASE("the twelve Euler sequences: lower case turns about body axes, upper case about world axes") {
  const Vec3 a{{0.3, -1.1, 2.0}};
  for (const std::string s :
       {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"}) {
    CAPTURE(s);
    const Mat3 intrinsic = turn(s[0], a[0]) * turn(s[1], a[1]) * turn(s[2], a[2]);
    CHECK(difference(rotation_matrix(orientation_from_euler(s, a)), intrinsic) < 2e-15);
    std::string upper = s;
    for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
    const Mat3 extrinsic = turn(s[2], a[2]) * turn(s[1], a[1]) * turn(s[0], a[0]);
    CHECK(difference(rotation_matrix(orientation_from_euler(upper, a)), extrinsic) < 2e-15);
  }
}

TEST_CASE("unknown Euler sequences are refused with the nearest known ones") {
  const std::string rule =
      "give three axes, no two equal neighbours, in lower case (axes of the body) or in upper case (axes of "
      "the world)";
  CHECK_THROWS_WITH_AS(
      orientation_from_euler("zzx", Vec3::Zero()),
      ("Euler sequence \"zzx\" is unknown: " + rule + "; did you mean \"yzx\", \"zyx\" or \"xzx\"?").c_str(),
      ModelError);
  for (const std::string s : {"", "xy", "xYz", "xyzx", "abc"})
    CHECK_THROWS_AS(orientation_from_euler(s, Vec3::Zero()), ModelError);
}

TEST_CASE("an angular velocity given in the world frame is turned into body axes") {
  const Quat q = orientation_from_euler("zxz", Vec3{{0.5 * pi, 0.0, 0.0}});  // body x is world y
  const Vec3 omega = to_body_axes(q, Vec3{{0.0, 2.0, 0.0}});
  CHECK(omega[0] == catena_test::relative(2.0, 1e-15));
  CHECK(std::abs(omega[1]) < 1e-15);
}

TEST_CASE("principal moments and axes of any tensor, ascending and right-handed") {
  std::mt19937 engine(8);
  for (const Vec3& moments : {Vec3{{1.0, 2.0, 2.5}}, Vec3{{1e-6, 1.0, 1.0}}, Vec3{{3.0, 3.0, 3.0}}}) {
    const Mat3 axes = rotation_matrix(random_rotation(engine));
    const Mat3 J = inertia_from_principal(moments, axes);
    const PrincipalInertia p = principal_inertia(J);
    for (int k = 0; k < 3; ++k) CHECK(std::abs(p.moments[k] - moments[k]) < 1e-14);
    CHECK(difference(inertia_from_principal(p.moments, p.axes), J) < 1e-14);
    CHECK(difference(transpose_times(p.axes, p.axes), Mat3::Identity()) < 1e-14);
    CHECK(p.axes(0, 0) * (p.axes(1, 1) * p.axes(2, 2) - p.axes(1, 2) * p.axes(2, 1)) -
              p.axes(0, 1) * (p.axes(1, 0) * p.axes(2, 2) - p.axes(1, 2) * p.axes(2, 0)) +
              p.axes(0, 2) * (p.axes(1, 0) * p.axes(2, 1) - p.axes(1, 1) * p.axes(2, 0)) ==
          catena_test::relative(1.0, 1e-14));
  }
}

TEST_CASE("homogeneous solids have the moments of the textbook") {
  const Mat3 box = box_inertia(12.0, Vec3{{1.0, 2.0, 3.0}});
  CHECK(difference(box, diagonal(Vec3{{13.0, 10.0, 5.0}})) < 1e-14);
  const Mat3 cylinder = cylinder_inertia(12.0, 1.0, 2.0, 2);
  CHECK(difference(cylinder, diagonal(Vec3{{7.0, 7.0, 6.0}})) < 1e-14);
  CHECK(difference(cylinder_inertia(12.0, 1.0, 2.0, 0), diagonal(Vec3{{6.0, 7.0, 7.0}})) < 1e-14);
  CHECK(difference(rod_inertia(12.0, 2.0, 0, 0.1), diagonal(Vec3{{0.1, 4.0, 4.0}})) < 1e-14);
  CHECK(difference(sphere_inertia(5.0, 2.0), diagonal(Vec3{{8.0, 8.0, 8.0}})) < 1e-14);
}

}  // namespace orientation_tests
