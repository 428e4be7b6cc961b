// Every row primitive: its derivatives, and that it vanishes exactly where it says.
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>

#include "support/jacobian_check.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;
using support::check_derivatives;

namespace {

const Vec3 p{{0.3, -0.2, 0.5}}, q{{-0.4, 0.1, 0.25}}, u{{0.4, -0.3, 0.8}}, w{{-0.2, 0.9, 0.3}},
    s{{1.0, 0.2, -0.1}};

// A joint of one list of rows.
template <class Make>
struct Rows {
  std::array<BodyId, 2> bodies{BodyId{0}, BodyId{1}};
  static auto made_of() { return Make{}(); }
};

struct DrivenAngle {
  auto operator()() const { return rows::angle(u, s, w, p, {0.3, 5.0, -0.7}); }
};
struct DrivenDisplacement {
  auto operator()() const { return rows::displacement(p, q, u, {0.3, 5.0, -0.7}); }
};
struct Hinge {
  auto operator()() const { return rows::list(rows::coincide(p, q), rows::parallel(u, w)); }
};
struct Everything {
  auto operator()() const {
    return rows::list(rows::on_line(p, q, u), rows::distance(q, p, 1.3), rows::perpendicular(w, u),
                      rows::locked(rows::triad(u, s), rows::triad(w, p)),
                      rows::angle(u, s, w, p, {0.1, 2.0, 0.3}));
  }
};

BodyFrame<double> frame(const Vec3& x, const Quat& turn) {
  return {x, rotation_matrix(turn), Vec3::Zero(), Vec3::Zero()};
}

}  // namespace

TEST_CASE("every joint of the table: derivatives are those of its gap") {
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  CHECK_NOTHROW(check_derivatives(UniversalJoint{two, p, q, u, w}));
  CHECK_NOTHROW(check_derivatives(CylindricalJoint{two, p, q, u, w}));
  CHECK_NOTHROW(check_derivatives(PrismaticJoint{two, p, q, u, w, s, p}));
  CHECK_NOTHROW(check_derivatives(PlanarJoint{two, p, q, u, w}));
  CHECK_NOTHROW(check_derivatives(WeldJoint{two, p, q, u, w, s, p}));
  CHECK_NOTHROW(check_derivatives(PointOnLineJoint{two, p, q, u}));
  CHECK_NOTHROW(check_derivatives(PointInPlaneJoint{two, p, q, u}));
  CHECK_NOTHROW(check_derivatives(ConstantOrientationJoint{two, p, q, u, w, s, p}));
}

TEST_CASE("coordinates and lists of rows: derivatives are those of the gap") {
  CHECK_NOTHROW(check_derivatives(Rows<DrivenAngle>{}));
  CHECK_NOTHROW(check_derivatives(Rows<DrivenDisplacement>{}));
  CHECK_NOTHROW(check_derivatives(Rows<Hinge>{}));
  CHECK_NOTHROW(check_derivatives(Rows<Everything>{}));
}

TEST_CASE("an angle is measured modulo whole turns about the axis of the first body") {
  const rows::Angle<double> row =
      rows::angle(Vec3::Unit(2), Vec3::Unit(0), Vec3::Unit(2), Vec3::Unit(0), {0.0, 4.0, 0.0});
  for (const double t : {0.0, 0.3, 1.0, 7.0, 100.0}) {
    const BodyFrame<double> f[2] = {
        frame(p, exponential(Vec3{{0.2, 0.4, -0.1}})),
        frame(q, exponential(Vec3{{0.2, 0.4, -0.1}}) * exponential(Vec3{{0.0, 0.0, 4.0 * t + 0.05}}))};
    CHECK(row.gap(f, t)[0] == doctest::Approx(0.05).epsilon(1e-9));  // 400 rad, each to some eps of them
  }
}

TEST_CASE("locked triads have no second root, whichever way the bodies are turned") {
  const rows::Locked<double> row = rows::locked(Mat3::Identity(), Mat3::Identity());
  for (const Vec3& axis :
       {Vec3{{1.0, 0.0, 0.0}}, Vec3{{0.0, 1.0, 0.0}}, Vec3{{0.0, 0.0, 1.0}}, Vec3{{0.6, -0.64, 0.48}}})
    for (const double angle : {0.0, 1e-8, 0.5, 2.0, 3.0, 3.141592653589793, -2.5}) {
      const BodyFrame<double> f[2] = {frame(p, {1.0, 0.0, 0.0, 0.0}),
                                      frame(q, exponential(Vec3(angle * axis)))};
      const Vec3 c = row.gap(f, 0.0);
      CAPTURE(angle);
      // |c| = 2 sin(|angle| / 2); each of the nine entries of E is rounded once
      CHECK(std::abs(norm(c) - 2.0 * std::sin(0.5 * std::abs(angle))) < 9 * 2.3e-16);
      CHECK(rows::Locked<double>::meaning.violation(c.e, nullptr) ==
            doctest::Approx(std::abs(angle)).epsilon(1e-7));
    }
}

TEST_CASE("a blade takes a side of any length") {
  const rows::Blade<double> blade = rows::blade(p, Vec3{{0.0, 2.0, 0.0}});
  for (int k = 0; k < 3; ++k) CHECK(blade.side[k] == (k == 1 ? 1.0 : 0.0));
}
