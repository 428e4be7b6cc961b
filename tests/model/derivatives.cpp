// Every derivative of every built-in constraint and force, and of the fixtures, against differences of
// fourth order and against automatic differentiation (tolerances: support/jacobian_check.hpp).
#include <catena/model/joints.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include "support/fixture_joints.hpp"
#include "support/jacobian_check.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace catena;
using namespace catena::detail;
using support::check_derivatives;

namespace {

const Vec3 p{{0.3, -0.2, 0.5}}, q{{-0.4, 0.1, 0.25}};
const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
const std::array<BodyId, 1> one{BodyId{0}};

// Gradient of the potential: moving with a force at rest releases its work.
template <class F>
void check_potential(const F& force) {
  using namespace support::check_detail;
  constexpr int n = of_element::body_count<F>;
  Draw draw(7, 1.0);
  Frame f[n];
  for (Frame& frame : f) {
    frame = draw.frame();
    frame.v = frame.omega = Vec3::Zero();
  }
  const auto kernel = force_kernel(force);
  Vec<double, 6> w[n];
  kernel.wrench(f, 0.0, w);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 6; ++c) {
      const double slope_of_potential = slope([&](double s) {
        Frame g[n];
        for (int k = 0; k < n; ++k) g[k] = k == i ? moved(f[k], s * Vec<double, 6>::Unit(c)) : f[k];
        return kernel.potential(g, 0.0);
      });
      CHECK(-slope_of_potential == catena_test::component(w[i][c], 1e-9));
    }
}

struct WrongJacobian : fixture::RopeOverPulley {
  template <class S>
  void jacobian(const BodyFrame<S>* f, const S& t, Mat<S, 1, 6>* G) const {
    automatic::jacobian(static_cast<const fixture::RopeOverPulley&>(*this), f, t, G);
    G[2](0, 4) = G[2](0, 4) * 1.001;
  }
};

// Everything by hand and for double only: a point stays in the plane z = 0.
struct PointInPlane {
  static constexpr int rows = 1;
  static constexpr bool couples = false;
  std::array<BodyId, 1> bodies;
  using F = BodyFrame<double>;
  Vec<double, 1> gap(const F& A, double) const { return {{A.x[2]}}; }
  void jacobian(const F*, double, Mat<double, 1, 6>* G) const { G[0](0, 2) = 1.0; }
  Vec<double, 1> drift(const F*, double) const { return {{0.0}}; }
  Vec<double, 1> bias(const F*, double) const { return {{0.0}}; }
  void rate_jacobian(const F*, double, Mat<double, 1, 6>*) const {}
  void geometric_stiffness(const F*, double, const Vec<double, 1>&, Mat<double, 6, 6>*) const {}
};

// The same with its row alone, over any scalar.
struct PlaneByRow {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[2]}};
  }
  template <class S>
  void jacobian(const BodyFrame<S>*, const S&, Mat<S, 1, 6>* G) const {
    G[0](0, 2) = S(1.0);
  }
};

// A spring and a damper along x between two centres of mass, by hand; entries that are zero are not written.
struct SpringAlongX {
  std::array<BodyId, 2> bodies;
  double stiffness = 300.0, damping = 7.0;  // [N/m], [N s/m]
  using F = BodyFrame<double>;
  std::array<Vec<double, 6>, 2> wrench(const F& A, const F& B, double) const {
    const double force = stiffness * (B.x[0] - A.x[0]) + damping * (B.v[0] - A.v[0]);
    return {force * Vec<double, 6>::Unit(0), -force * Vec<double, 6>::Unit(0)};
  }
  void derivatives(const F*, double, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    for (int k = 0; k < 4; ++k) {
      const double sign = k == 0 || k == 3 ? 1.0 : -1.0;
      K[k](0, 0) = sign * stiffness;
      D[k](0, 0) = sign * damping;
    }
  }
};

// Numbers left by others where a derivative is to be written.
template <class M, std::size_t N>
void spoil(M (&blocks)[N]) {
  for (M& block : blocks) block = M::Constant(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

TEST_CASE("knife edge, rolling disc and its contact: all derivatives are those of the rate and of the gap") {
  CHECK_NOTHROW(check_derivatives(KnifeEdge{one, p, q, ""}));
  const RollingDisc disc{one, p, {{0.3, -0.2, 1.0}}, 0.7, {{0.1, -0.3, 0.8}}, ""};
  CHECK_NOTHROW(check_derivatives(disc));
  CHECK_NOTHROW(check_derivatives(contact_of(disc, q)));
}

TEST_CASE("the contact point of a rolling disc has the velocity of the gap across the plane") {
  // The rim's lowest point moves along the normal as fast as the height changes.
  support::check_detail::Draw draw(3, 1.0);
  for (const Vec3& normal : {Vec3::Unit(2), Vec3{{1.0, -0.1, 0.3}}}) {
    const RollingDisc disc{one, p, q, 0.7, normal, ""};
    const auto t = disc.tangents();
    CHECK(norm(Vec3(cross(t[0], t[1]) - (1.0 / norm(normal)) * normal)) < 1e-15);
    const auto frame = draw.frame();
    const auto contact = rows::kernel_of<double>(contact_of(disc));
    const Vec3 n = contact.normal;
    const rows::RimContact<double> rim(contact.rim, transpose_times(frame.R, n));
    // Lowest: no other point of the rim is nearer to the plane.
    const Vec3 a = rim.a, down = (1.0 / 0.7) * (rim.arm - p);
    const double height = dot(n, frame.point(rim.arm));
    for (int k = 1; k < 12; ++k)
      CHECK(dot(n, frame.point(p + 0.7 * (std::cos(0.5 * k) * down + std::sin(0.5 * k) * a))) > height);
    CHECK(contact.gap(&frame, 0.0)[0] == catena_test::relative(height, 1e-14));
    Mat<double, 1, 6> G[1];
    contact.jacobian(&frame, 0.0, G);
    CHECK((G[0] * support::check_detail::velocity(frame))[0] ==
          catena_test::relative(dot(n, frame.point_velocity(rim.arm)), 1e-14));
  }
}

TEST_CASE("spherical joint: all derivatives are those of the gap") {
  CHECK_NOTHROW(check_derivatives(SphericalJoint{two, p, q}));
}

TEST_CASE("revolute joint: all derivatives are those of the gap") {
  CHECK_NOTHROW(check_derivatives(RevoluteJoint{two, p, q, {{1.0, 2.0, -0.5}}, {{0.2, 0.0, 3.0}}}));
}

TEST_CASE("revolute joint: the two directions are orthonormal and normal to the axis") {
  for (const Vec3& axis :
       {Vec3{{1.0, 2.0, -0.5}}, Vec3{{0.0, 0.0, 1e-3}}, Vec3{{0.0, -4.0, 0.0}}, Vec3{{1, 1, 1}}}) {
    const auto k = rows::kernel_of<double>(RevoluteJoint{two, p, q, axis, axis});
    CHECK(dot(k.rest.normal[0], k.rest.normal[0]) == catena_test::relative(1.0, 1e-15));
    CHECK(dot(k.rest.normal[1], k.rest.normal[1]) == catena_test::relative(1.0, 1e-15));
    CHECK(std::abs(dot(k.rest.normal[0], k.rest.normal[1])) < 1e-15);
    CHECK(std::abs(dot(k.rest.normal[0], axis)) < 1e-15 * norm(axis) * 4);
    CHECK(std::abs(dot(k.rest.normal[1], axis)) < 1e-15 * norm(axis) * 4);
  }
}

TEST_CASE("distance: all derivatives are those of the gap") {
  CHECK_NOTHROW(check_derivatives(DistanceConstraint{two, p, q, 0.7, ""}));
}

TEST_CASE("distance: on the constraint the row of the Jacobian has unit length and the gap is |d| - L") {
  const auto k = rows::kernel_of<double>(DistanceConstraint{two, Vec3::Zero(), Vec3::Zero(), 0.5, ""});
  BodyFrame<double> f[2];
  for (auto& frame : f) frame = {Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3::Zero()};
  f[1].x = Vec3{{0.3, 0.0, 0.4}};
  Mat<double, 1, 6> G[2];
  k.jacobian(f, 0.0, G);
  CHECK(norm(Vec3{{G[1](0, 0), G[1](0, 1), G[1](0, 2)}}) == catena_test::relative(1.0, 1e-15));
  f[1].x = (1.0 + 1e-4) * f[1].x;  // second-order error: (1e-4)^2 / 2 of the length
  CHECK(k.gap(f, 0.0)[0] == catena_test::relative(0.5e-4, 1e-4));
}

TEST_CASE("spring and damper: all derivatives are those of the force, and the spring's is the potential's") {
  CHECK_NOTHROW(check_derivatives(SpringDamper{two, p, q, 3.0, 0.0, 0.4, ""}));
  CHECK_NOTHROW(check_derivatives(SpringDamper{two, p, q, -2.0, 0.7, 0.4, ""}));
  CHECK_NOTHROW(check_derivatives(SpringDamper{two, p, q, 3.0, 0.7, 0.0, ""}));
  check_potential(SpringDamper{two, p, q, 3.0, 0.7, 0.4, ""});
}

TEST_CASE("spring without rest length: smooth where the points coincide") {
  const auto k = SpringDamper{two, Vec3::Zero(), Vec3::Zero(), 3.0, 0.0, 0.0, ""}.kernel<double>();
  BodyFrame<double> f[2];
  for (auto& frame : f) frame = {Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3::Zero()};
  Mat<double, 6, 6> K[4], D[4];
  k.derivatives(f, 0.0, K, D);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(K[3](i, j) == (i == j ? 3.0 : 0.0));
}

TEST_CASE("point force and torque: all derivatives are those of the wrench") {
  for (const Axes axes : {Axes::world, Axes::body}) {
    CHECK_NOTHROW(check_derivatives(PointForce{one, p, q, axes, ""}));
    CHECK_NOTHROW(check_derivatives(Torque{one, q, axes, ""}));
  }
  check_potential(PointForce{one, p, q, Axes::world, ""});
}

TEST_CASE(
    "automatic derivatives of users' constraints: three and four bodies, velocity level, explicit time") {
  CHECK_NOTHROW(check_derivatives(
      fixture::RopeOverTwoPulleys{{BodyId{0}, BodyId{1}, BodyId{2}, BodyId{3}}, p, q, p, q, 1.0, ""}));
  CHECK_NOTHROW(
      check_derivatives(fixture::RopeOverPulley{{BodyId{0}, BodyId{1}, BodyId{2}}, p, q, p, 1.0, ""}));
  CHECK_NOTHROW(check_derivatives(fixture::KnifeEdge{one, p, ""}));
  CHECK_NOTHROW(check_derivatives(fixture::PointOnRisingFloor{one, p}));
}

TEST_CASE("users' constraints with some analytic members: the rest is differentiated from those") {
  CHECK_NOTHROW(check_derivatives(fixture::KnifeEdgeWithJacobian{{one, p, ""}}));
  CHECK_NOTHROW(check_derivatives(fixture::DrivenDistance{two, 0.8}));
  CHECK_NOTHROW(check_derivatives(PointInPlane{one}));
}

TEST_CASE("entries that a user's derivative does not write are zero") {
  support::check_detail::Draw draw(5, 1.0);
  const BodyFrame<double> f[2] = {draw.frame(), draw.frame()};
  Mat<double, 1, 6> row[1];
  Mat<double, 6, 6> K[4], D[4], single[1];
  const auto only = [](const auto& block, int entry, double value) {
    for (int k = 0; k < block.rows * block.cols; ++k) {
      CAPTURE(k);
      CHECK(block[k] == (k == entry ? value : 0.0));
    }
  };
  const auto plane = constraint_kernel(PointInPlane{one});
  spoil(row);
  plane.jacobian(f, 0.0, row);
  only(row[0], 2, 1.0);
  spoil(row);
  plane.rate_jacobian(f, 0.0, row);
  only(row[0], -1, 0.0);
  spoil(single);
  plane.geometric_stiffness(f, 0.0, {{1.5}}, single);
  only(single[0], -1, 0.0);
  spoil(K);
  spoil(D);
  // Over duals too, which automatic derivatives of the rest take.
  BodyFrame<Dual<double, 1>> moved[1] = {automatic::moving(f[0])};
  Mat<Dual<double, 1>, 1, 6> of_dual[1];
  spoil(of_dual);
  automatic::best_jacobian(PlaneByRow{one}, static_cast<const BodyFrame<Dual<double, 1>>*>(moved),
                           Dual<double, 1>(0.0), of_dual);
  for (int k = 0; k < 6; ++k) {
    CHECK(of_dual[0][k].value == (k == 2 ? 1.0 : 0.0));
    CHECK(of_dual[0][k].d[0] == 0.0);
  }
  CHECK_NOTHROW(check_derivatives(PlaneByRow{one}));
  force_kernel(SpringAlongX{two}).derivatives(f, 0.0, K, D);
  for (int k = 0; k < 4; ++k) {
    const double sign = k == 0 || k == 3 ? 1.0 : -1.0;
    only(K[k], 0, sign * 300.0);
    only(D[k], 0, sign * 7.0);
  }
}

TEST_CASE("automatic derivatives of users' forces: velocity dependent, three bodies") {
  CHECK_NOTHROW(check_derivatives(fixture::PropellerDrag{one, p, 0.9}));
  CHECK_NOTHROW(check_derivatives(fixture::Cluster{{BodyId{0}, BodyId{1}, BodyId{2}}, 2.0}));
  check_potential(fixture::Cluster{{BodyId{0}, BodyId{1}, BodyId{2}}, 2.0});
}

TEST_CASE("the check of derivatives finds a Jacobian that is wrong by one part in a thousand, and names it") {
  const WrongJacobian wrong{{{BodyId{0}, BodyId{1}, BodyId{2}}, p, q, p, 1.0, ""}};
  const support::DerivativeReport report = support::derivative_report(wrong);
  CHECK_FALSE(report.good());
  REQUIRE(report.find("jacobian", "differences") != nullptr);
  CHECK_FALSE(report.find("jacobian", "differences")->good());
  CHECK_FALSE(report.find("jacobian", "automatic differentiation")->good());
  CHECK(report.find("drift", "differences")->good());
  CHECK_THROWS_AS(check_derivatives(wrong), std::runtime_error);
  CHECK(report.text().find("WRONG") != std::string::npos);
}
