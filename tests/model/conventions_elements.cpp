// docs/reference/conventions.md, lines 15 to 25: constraints, multipliers and forces.
#include <catena/model/joints.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include "model/conventions.hpp"
#include "support/fixture_joints.hpp"

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;
using namespace convention;

namespace {

// A blade on a belt that is carried along its own sideways direction, faster and faster: A v + a with a = 0.3 t.
struct BladeOnBelt {
  static constexpr int rows = 1;
  static constexpr Level level = Level::velocity;

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]

  template <class S>
  Vec<S, 1> rate(const BodyFrame<S>& A, const S& t) const {
    return {{dot(Vec<S, 3>(A.direction(Vec<S, 3>::Unit(1))), Vec<S, 3>(A.point_velocity(point))) + 0.3 * t}};
  }
};

}  // namespace

CONVENTION(15, "the balance is M v' - f + G^T lambda, with Omega x J Omega in -f") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  std::vector<double> r(6);
  const std::vector<double> a = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  Point at;
  at.q = s.q.data();
  at.v = s.v.data();
  at.a = a.data();
  Evaluation wanted;
  wanted.balance = r.data();
  system.evaluate(at, wanted);
  CHECK(near(part(r, 0), Vec3{{2.0, 4.0, 6.0}}));
  const Vec3 omega{{1.0, -2.0, 0.5}}, J{{0.3, 0.4, 0.5}};
  const Vec3 spin{{J[0] * omega[0], J[1] * omega[1], J[2] * omega[2]}};
  CHECK(near(part(r, 3), Vec3(Vec3{{1.2, 2.0, 3.0}} + cross(omega, spin))));
  // + G^T lambda: a joint of the centre of mass to the ground adds lambda itself
  Model held = one_body(some_body());
  held.add(SphericalJoint{.bodies = {ground, BodyId{0}}});
  CHECK(near(part(balance_of(MultibodySystem(std::move(held)), {1.0, 2.0, 3.0}), 0), Vec3{{1.0, 2.0, 3.0}}));
  // and one of another point turns it as well, by p x (R^T lambda).
  const Vec3 p{{0.2, 0.5, -0.3}}, lambda{{1.0, 2.0, 3.0}};
  Model beside = one_body(some_body());
  beside.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = p});
  const std::vector<double> turned = balance_of(MultibodySystem(std::move(beside)), {1.0, 2.0, 3.0});
  CHECK(near(part(turned, 3), cross(p, to_body_axes(some_body().orientation, lambda))));
}

CONVENTION(16, "a gap is the quantity of the second body minus that of the first") {
  Model model;
  const Body a = some_body();
  model.add(a);
  model.add({.name = "b", .position = {{4.0, 5.0, 6.0}}});
  const Vec3 pa{{0.1, 0.2, 0.3}}, pb{{-0.3, 0.0, 0.5}};
  model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .point_a = pa, .point_b = pb});
  const std::vector<double> g = gap_of(MultibodySystem(std::move(model)));
  const Vec3 expected = Vec3{{4.0, 5.0, 6.0}} + pb - (a.position + rotation_matrix(a.orientation) * pa);
  CHECK(near(part(g, 0), expected));
}

CONVENTION(17, "the force on the first body is lambda, on the second -lambda") {
  // A body of 2 kg hangs from the ground: the joint carries it with 19.62 N upwards, so lambda points down.
  Model model = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.5}}});
  model.gravity = {{0.0, 0.0, -9.81}};
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = {{0.0, 0.0, 0.5}}});
  CHECK(near(part(balance_of(MultibodySystem(model), {0.0, 0.0, -19.62}), 0), Vec3::Zero()));
  // With the body first, lambda is the force that it feels.
  Model turned = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.5}}});
  turned.gravity = {{0.0, 0.0, -9.81}};
  turned.add(SphericalJoint{.bodies = {BodyId{0}, ground}, .point_a = {{0.0, 0.0, 0.5}}});
  CHECK(near(part(balance_of(MultibodySystem(std::move(turned)), {0.0, 0.0, 19.62}), 0), Vec3::Zero()));
  // Between two bodies: +lambda on the first (-f = -lambda in the balance), -lambda on the second.
  Model pair;
  pair.add(some_body());
  pair.add({.name = "b", .position = some_body().position});
  pair.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}});
  const std::vector<double> r = balance_of(MultibodySystem(std::move(pair)), {1.0, 2.0, 3.0});
  CHECK(near(part(r, 0), Vec3{{-1.0, -2.0, -3.0}}));
  CHECK(near(part(r, 6), Vec3{{1.0, 2.0, 3.0}}));
}

CONVENTION(18, "revolute joint: three rows of the points, two of the axis of B across that of A") {
  const Quat leaning = exponential(Vec3{{0.02, 0.0, 0.5}});
  const Vec3 axis_b = rotation_matrix(leaning) * Vec3::Unit(2);  // as A sees it
  for (const Quat& turn : {Quat{1.0, 0.0, 0.0, 0.0}, exponential(Vec3{{0.7, -0.3, 1.9}})}) {
    const Mat3 R = rotation_matrix(turn);
    Model model;
    model.add({.name = "a", .orientation = turn});
    model.add({.name = "b", .position = {{0.0, 0.1, 0.0}}, .orientation = turn * leaning});
    const RevoluteJoint joint{.bodies = {BodyId{0}, BodyId{1}}};
    model.add(joint);
    const std::vector<double> g = gap_of(MultibodySystem(std::move(model)));
    REQUIRE(g.size() == 5);
    CHECK(near(part(g, 0), Vec3{{0.0, 0.1, 0.0}}));  // world axes, whatever the turn
    const auto kernel = rows::kernel_of<double>(joint);
    for (const Vec3& across : kernel.rest.normal) {  // directions of A, normal to its axis
      CHECK(near(dot(across, Vec3::Unit(2)), 0.0));
      CHECK(near(norm(across), 1.0));
    }
    CHECK(near(g[3], dot(Vec3(R * kernel.rest.normal[0]), Vec3(R * axis_b))));
    CHECK(near(g[4], dot(Vec3(R * kernel.rest.normal[1]), Vec3(R * axis_b))));
    // the lean of the axis, to first order the angle between the axes
    CHECK(near(std::hypot(g[3], g[4]), std::sqrt(axis_b[0] * axis_b[0] + axis_b[1] * axis_b[1])));
  }
}

CONVENTION(19, "distance: (|d|^2 - L^2)/(2L), lambda is the tension") {
  Model model = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.51}}});
  model.add(DistanceConstraint{.bodies = {ground, BodyId{0}}, .length = 0.5});
  CHECK(near(gap_of(MultibodySystem(std::move(model)))[0], (0.51 * 0.51 - 0.25) / 1.0));
  for (const double off : {1e-3, -1e-3, 1e-5}) {  // |d| - L but for its square over 2 L
    Model near_by = one_body({.position = {{0.0, 0.3 * (1.0 + off), -0.4 * (1.0 + off)}}});
    near_by.add(DistanceConstraint{.bodies = {ground, BodyId{0}}, .length = 0.5});
    const double g = gap_of(MultibodySystem(std::move(near_by)))[0];
    CHECK(near(g - 0.5 * off, 0.25 * off * off, 4e-16));
  }
  Model hanging = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.5}}});
  hanging.gravity = {{0.0, 0.0, -9.81}};
  hanging.add(DistanceConstraint{.bodies = {ground, BodyId{0}}, .length = 0.5});
  CHECK(near(part(balance_of(MultibodySystem(std::move(hanging)), {19.62}), 0),
             Vec3::Zero()));  // it pulls upwards
}

CONVENTION(20, "velocity constraints: A v + a, and A^T lambda in the balance") {
  Model model = one_body(some_body());
  model.add(fixture::KnifeEdge{.bodies = {BodyId{0}}});
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  double rate = 0.0;
  Point at;
  at.q = s.q.data();
  at.v = s.v.data();
  Evaluation wanted;
  wanted.velocity = &rate;
  system.evaluate(at, wanted);
  const Mat3 R = rotation_matrix(some_body().orientation);
  const Vec3 across{{R(0, 1), R(1, 1), R(2, 1)}};
  CHECK(near(rate, dot(across, some_body().velocity)));
  CHECK(near(part(balance_of(system, {3.0}), 0), Vec3(3.0 * across)));
  CHECK(near(part(balance_of(system, {3.0}), 3), Vec3::Zero()));  // the blade is under the centre of mass

  // With a of its own, and beside the centre of mass: the blade slides on a belt.
  const Vec3 p{{0.2, 0.5, -0.3}};
  Model carried = one_body(some_body());
  carried.add(BladeOnBelt{.bodies = {BodyId{0}}, .point = p});
  const MultibodySystem belt(std::move(carried));
  const Vec3 arm = cross(p, Vec3::Unit(1));  // A of Omega: e_y . (Omega x p) = Omega . (p x e_y)
  CHECK(near(rate_of(belt, 0.5)[0],
             dot(across, some_body().velocity) + dot(arm, some_body().angular_velocity) + 0.3 * 0.5));
  CHECK(near(part(balance_of(belt, {3.0}), 0), Vec3(3.0 * across)));
  CHECK(near(part(balance_of(belt, {3.0}), 3), Vec3(3.0 * arm)));
}

CONVENTION(21, "geometric stiffness is the derivative of G_i^T lambda") {
  // By hand: the ball joint turns body B with p x (R^T lambda); turning it by dtheta changes that by p~ (R^T lambda)~.
  const Vec3 p{{0.2, 0.5, -0.3}}, lambda{{1.0, -2.0, 0.5}};
  BodyFrame<double> f[2];
  for (auto& frame : f)
    frame = {Vec3::Zero(), rotation_matrix(some_body().orientation), Vec3::Zero(), Vec3::Zero()};
  Mat<double, 6, 6> K[4];
  rows::kernel_of<double>(SphericalJoint{{ground, BodyId{0}}, Vec3::Zero(), p})
      .geometric_stiffness(f, 0.0, lambda, K);
  const Vec3 turn{{0.3, -0.4, 0.2}};
  const double h = 1e-4;  // central difference: h^2 |turn|^3 |lambda| |p| / 6 ~ 1e-10
  const auto torque = [&](double s) {
    return cross(p, transpose_times(Mat3(f[1].R * rotation_matrix(exponential(s * turn))), lambda));
  };
  Vec3 product;
  for (int r = 0; r < 3; ++r)
    product[r] = K[3](3 + r, 3) * turn[0] + K[3](3 + r, 4) * turn[1] + K[3](3 + r, 5) * turn[2];
  CHECK(near(product, Vec3((0.5 / h) * (torque(h) - torque(-h))), 1e-8));

  // Every block of a joint that couples, K_ij against G_i^T lambda as body j moves by (dx, dtheta).
  const auto kernel =
      rows::kernel_of<double>(DistanceConstraint{{BodyId{0}, BodyId{1}}, p, Vec3{{-0.1, 0.3, 0.2}}, 0.5, ""});
  f[1].x = {{0.4, 0.7, -0.2}};
  const Vec<double, 1> tension{{2.5}};
  kernel.geometric_stiffness(f, 0.0, tension, K);
  const auto pull = [&](int i, int j, int c, double step) {
    BodyFrame<double> g[2] = {f[0], f[1]};
    if (c < 3)
      g[j].x[c] += step;
    else
      g[j].R = g[j].R * rotation_matrix(exponential(step * Vec3::Unit(c - 3)));
    Mat<double, 1, 6> G[2];
    kernel.jacobian(g, 0.0, G);
    Vec<double, 6> out;
    for (int r = 0; r < 6; ++r) out[r] = G[i](0, r) * tension[0];
    return out;
  };
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int c = 0; c < 6; ++c) {
        const Vec<double, 6> slope = (0.5 / h) * (pull(i, j, c, h) - pull(i, j, c, -h));
        for (int r = 0; r < 6; ++r)
          CHECK(near(K[2 * i + j](r, c), slope[r], 1e-7));  // h^2 times the third derivative over 6
      }
}

CONVENTION(22, "a wrench: force in world axes, torque about the centre of mass in body axes") {
  const Vec3 force{{1.0, 2.0, 3.0}}, point{{0.3, -0.2, 0.1}};
  Model model = one_body(some_body());
  model.add(PointForce{.bodies = {BodyId{0}}, .point = point, .force = force});
  const std::vector<double> r = balance_of(MultibodySystem(std::move(model)), {});  // -w
  CHECK(near(part(r, 0), Vec3(-force)));
  const Vec3 world_torque = cross(Vec3(rotation_matrix(some_body().orientation) * point), force);
  CHECK(near(part(r, 3), Vec3(-to_body_axes(some_body().orientation, world_torque))));
}

CONVENTION(23, "a stretched spring pulls its ends together, a damper resists their parting") {
  Model model = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.8}}, .velocity = {{0.0, 0.0, -0.1}}});
  model.add(
      SpringDamper{.bodies = {ground, BodyId{0}}, .stiffness = 100.0, .damping = 5.0, .rest_length = 0.5});
  const std::vector<double> r = balance_of(MultibodySystem(std::move(model)), {}, true);
  CHECK(near(-r[2], 100.0 * 0.3 + 5.0 * 0.1, 1e-13));  // the force on the body is upwards, to the ground
  // Between two bodies that part: each is pulled to the other.
  Model pair;
  pair.add({.name = "a", .velocity = {{-0.2, 0.0, 0.0}}});
  pair.add({.name = "b", .position = {{0.8, 0.0, 0.0}}, .velocity = {{0.1, 0.0, 0.0}}});
  pair.add(
      SpringDamper{.bodies = {BodyId{0}, BodyId{1}}, .stiffness = 100.0, .damping = 5.0, .rest_length = 0.5});
  const std::vector<double> ends = balance_of(MultibodySystem(std::move(pair)), {}, true);
  CHECK(near(-ends[0], 31.5, 1e-13));
  CHECK(near(-ends[6], -31.5, 1e-13));
}

CONVENTION(24, "PointForce and Torque: world axes by default, body axes on request") {
  const Vec3 value{{1.0, 2.0, 3.0}};
  for (const Quat& turn :
       {Quat{1.0, 0.0, 0.0, 0.0}, some_body().orientation, exponential(Vec3{{-2.0, 1.0, 0.3}})}) {
    const Mat3 R = rotation_matrix(turn);
    const auto wrench = [&](auto element) {
      Body body = some_body();
      body.orientation = turn;
      Model model = one_body(body);
      model.add(element);
      return balance_of(MultibodySystem(std::move(model)), {});
    };
    CHECK(near(part(wrench(PointForce{.bodies = {BodyId{0}}, .force = value}), 0), Vec3(-value)));
    CHECK(near(part(wrench(PointForce{.bodies = {BodyId{0}}, .force = value, .axes = Axes::body}), 0),
               Vec3(-(R * value))));
    CHECK(near(part(wrench(Torque{.bodies = {BodyId{0}}, .torque = value}), 3),
               Vec3(-transpose_times(R, value))));
    CHECK(near(part(wrench(Torque{.bodies = {BodyId{0}}, .torque = value, .axes = Axes::body}), 3),
               Vec3(-value)));
  }
}

CONVENTION(25, "what has a potential counts in the energy, what has none does not") {
  const auto potential = [&](auto element) {
    Model model = one_body(some_body());
    model.add(element);
    const MultibodySystem system(std::move(model));
    const State s = system.initial_state();
    return system.energy(point_of(s)).potential;
  };
  const Vec3 value{{1.0, 2.0, 3.0}};
  CHECK(
      near(potential(PointForce{.bodies = {BodyId{0}}, .force = value}), -dot(value, some_body().position)));
  CHECK(potential(PointForce{.bodies = {BodyId{0}}, .force = value, .axes = Axes::body}) == 0.0);
  CHECK(potential(Torque{.bodies = {BodyId{0}}, .torque = value}) == 0.0);
  CHECK(potential(SpringDamper{.bodies = {ground, BodyId{0}}, .damping = 5.0, .rest_length = 0.5}) == 0.0);
  const double stretch = norm(some_body().position) - 0.5;
  CHECK(near(potential(SpringDamper{.bodies = {ground, BodyId{0}}, .stiffness = 100.0, .rest_length = 0.5}),
             50.0 * stretch * stretch));
}
