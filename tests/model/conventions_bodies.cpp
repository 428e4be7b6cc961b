// docs/reference/conventions.md, lines 1 to 11: units, bodies, frames and orientation.
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "model/conventions.hpp"

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;
using namespace convention;

CONVENTION(1, "SI units") {
  Model model = one_body({.mass = 3.0, .position = {{0.0, 0.0, 2.0}}, .velocity = {{4.0, 0.0, 0.0}}});
  model.gravity = {{0.0, 0.0, -9.81}};
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  const Energy e = system.energy(point_of(s));
  CHECK(near(e.kinetic, 24.0));                           // kg (m/s)^2 = J
  CHECK(near(e.potential, 3.0 * 9.81 * 2.0));             // kg m/s^2 m = J
  CHECK(near(balance_of(system, {})[2], 29.43));          // N
  CHECK(near(exponential(Vec3{{0.0, 0.0, pi}}).z, 1.0));  // rad

  // Seconds: thrown upwards with 4 m/s while it turns by 2 rad/s, for a quarter of a second.
  Model thrown = one_body({.velocity = {{0.0, 0.0, 4.0}}, .angular_velocity = {{0.0, 0.0, 2.0}}});
  thrown.gravity = {{0.0, 0.0, -8.0}};
  const MultibodySystem flight(std::move(thrown));
  State at = flight.initial_state();
  GeneralizedAlpha stepper;
  REQUIRE(run(flight, stepper, at, RunOptions{.step = 0.0625, .end = 0.25}).status == Status::ok);
  CHECK(near(at.t, 0.25));
  CHECK(near(at.q[2], 4.0 * 0.25 - 0.5 * 8.0 * 0.25 * 0.25));  // of order 2: a parabola is exact
  CHECK(near(at.v[2], 4.0 - 8.0 * 0.25));
  CHECK(near(at.q[6], std::sin(0.5 * 2.0 * 0.25)));  // half the angle
}

CONVENTION(2, "the world is inertial, and the ground is fixed in it at the origin, unturned for ever") {
  // A ball without forces keeps its velocities: nothing in the balance of a frame that accelerates or turns.
  Body ball = some_body();
  ball.inertia = diagonal(Vec3{{0.4, 0.4, 0.4}});
  const std::vector<double> free = balance_of(MultibodySystem(one_body(ball)), {}, true);
  CHECK(norm(part(free, 0)) == 0.0);
  CHECK(norm(part(free, 3)) < 1e-15);

  // Points and axes of the ground are those of the world: at first ...
  const Vec3 anchor{{1.0, 2.0, 3.0}}, axis{{0.2, -0.5, 1.0}};
  Model apart = one_body(some_body());
  apart.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_a = anchor});
  CHECK(near(part(gap_of(MultibodySystem(std::move(apart))), 0), Vec3(some_body().position - anchor)));

  // ... and after a heavy body has swung about them: its hinge is where it was, and it points where it did.
  const Vec3 arm{{0.0, 0.4, 0.1}}, turned_axis = to_body_axes(some_body().orientation, axis);
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  Body hung = some_body();
  hung.mass = 2000.0;
  hung.inertia = diagonal(Vec3{{300.0, 400.0, 500.0}});
  hung.position = anchor - rotation_matrix(hung.orientation) * arm;
  const BodyId id = model.add(hung);
  model.add(RevoluteJoint{
      .bodies = {ground, id}, .point_a = anchor, .point_b = arm, .axis_a = axis, .axis_b = turned_axis});
  model.check_initial_positions();
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  GeneralizedAlpha stepper;
  const RunResult result = run(system, stepper, s, RunOptions{.step = 5e-3, .end = 1.0});
  REQUIRE(result.status == Status::ok);
  const RigidBodyState at = system.bodies(s)[0];
  const Mat3 R = rotation_matrix(at.orientation);
  CHECK(norm(Vec3(at.position - hung.position)) > 0.1);  // it has moved
  // Newton ends at 1e-10 of the body's size, and the last correction squares that.
  CHECK(near(Vec3(at.position + R * arm), anchor, 1e-10));
  CHECK(near(Vec3(R * turned_axis), axis, 1e-10));
}

CONVENTION(3, "position and velocity are those of the centre of mass, in the world frame") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  CHECK(near(part(s.q, 0), some_body().position));
  CHECK(near(part(s.v, 0), some_body().velocity));
  const RigidBodyState seen = system.bodies(s)[0];
  CHECK(near(seen.position, some_body().position));
  CHECK(near(seen.velocity, some_body().velocity));
  Model pushed = one_body(some_body());  // a force through it does not turn the body
  pushed.add(PointForce{.bodies = {BodyId{0}}, .force = {{1.0, 2.0, 3.0}}});
  CHECK(near(part(balance_of(MultibodySystem(std::move(pushed)), {}), 3), Vec3::Zero()));
}

CONVENTION(4, "inertia about the centre of mass, in the body frame") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  const double v2 = 0.01 + 0.49 + 0.09, turning = 0.3 * 1.0 + 0.4 * 4.0 + 0.5 * 0.25;
  CHECK(near(system.energy(point_of(s)).kinetic, 0.5 * (2.0 * v2 + turning)));
}

CONVENTION(5, "gravity is a vector in the world frame with potential -m g.x") {
  Model model = one_body(some_body());
  model.gravity = {{1.0, 2.0, -3.0}};
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  CHECK(near(system.energy(point_of(s)).potential, -2.0 * (0.5 - 2.0 - 9.0)));
  CHECK(near(part(balance_of(system, {}), 0), Vec3{{-2.0, -4.0, 6.0}}));
}

CONVENTION(6, "angular velocity is in the body frame, R' = R Omega~") {
  const Vec3 omega{{1.0, -2.0, 0.5}}, p{{0.3, 0.2, -0.7}};
  const Mat3 R = rotation_matrix(some_body().orientation);
  const double h = 1e-3;  // central difference: h^2 |omega|^3 |p| / 6
  const Mat3 ahead = R * rotation_matrix(exponential(h * omega)),
             behind = R * rotation_matrix(exponential(-h * omega));
  CHECK(near(Vec3((0.5 / h) * (ahead * p - behind * p)), Vec3(R * (skew(omega) * p)), 3e-6));
  CHECK(near(Vec3(skew(omega) * p), cross(omega, p)));
  const BodyFrame<double> f{Vec3::Zero(), R, Vec3::Zero(), omega};
  CHECK(near(f.point_velocity(p), Vec3(R * cross(omega, p))));
  // The body's own: what its velocities do to its coordinates, and to a point of it under a joint.
  Model model = one_body(some_body());
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = p});
  const MultibodySystem system(std::move(model));
  CHECK(near(part(rate_of(system), 0), Vec3(some_body().velocity + R * cross(omega, p))));
  const State s = system.initial_state();
  const auto turned = [&](double t) {
    std::vector<double> delta(s.v), q(s.q);
    for (double& x : delta) x *= t;
    system.retract(s.q.data(), delta.data(), q.data());
    return rotation_matrix(Quat{q[3], q[4], q[5], q[6]});
  };
  CHECK(near(Vec3((0.5 / h) * (turned(h) * p - turned(-h) * p)), Vec3(R * (skew(omega) * p)), 3e-6));
}

CONVENTION(7, "quaternions: scalar first, unit length, either sign") {
  const Quat q{0.5, 0.1, -0.7, 0.5};  // 0.25 + 0.01 + 0.49 + 0.25 = 1
  const State s = MultibodySystem(one_body({.orientation = q})).initial_state();
  CHECK(s.q[3] == 0.5);
  CHECK(s.q[4] == 0.1);
  CHECK(s.q[5] == -0.7);
  CHECK(s.q[6] == 0.5);

  // Unit length: refused where it is not, brought to it where it nearly is, kept by every perturbation and by runs.
  CHECK_THROWS_AS(one_body({.orientation = {0.5, 0.1, -0.7, 0.501}}), ModelError);
  const auto length_off = [](const std::vector<double>& x) {
    return std::abs(squared_norm(Quat{x[3], x[4], x[5], x[6]}) - 1.0);
  };
  CHECK(
      length_off(MultibodySystem(one_body({.orientation = {0.5, 0.1, -0.7, 0.5 + 5e-7}})).initial_state().q) <
      1e-15);
  Model model = one_body({.orientation = q, .angular_velocity = {{3.0, -20.0, 1.0}}});
  const MultibodySystem system(std::move(model));
  State moved = system.initial_state();
  const double turn[6] = {0.0, 0.0, 0.0, 1.0, -2.5, 0.3};
  for (int k = 0; k < 1000; ++k) {
    system.retract(moved.q.data(), turn, moved.q.data());
    REQUIRE(length_off(moved.q) < 2e-15);
  }
  State run_to = system.initial_state();
  GeneralizedAlpha stepper;
  REQUIRE(run(system, stepper, run_to, RunOptions{.step = 1e-3, .end = 0.5}).status == Status::ok);
  CHECK(length_off(run_to.q) < 2e-15);

  // q and -q: the same matrix, no turn between them, the same forces, gaps and next orientation, bit for bit.
  const Quat minus{-q.w, -q.x, -q.y, -q.z};
  const Mat3 a = rotation_matrix(q), b = rotation_matrix(minus);
  for (int k = 0; k < 9; ++k) CHECK(a[k] == b[k]);
  const auto held = [](const Quat& orientation) {
    Body body = some_body();
    body.orientation = orientation;
    Model m = one_body(body);
    m.gravity = {{1.0, 2.0, 3.0}};
    m.add(RevoluteJoint{
        .bodies = {ground, BodyId{0}}, .point_b = {{0.1, 0.2, 0.3}}, .axis_b = {{1.0, 2.0, -1.0}}});
    m.add(SpringDamper{
        .bodies = {ground, BodyId{0}}, .point_b = {{0.3, 0.1, -0.2}}, .stiffness = 10.0, .damping = 2.0});
    return m;
  };
  const MultibodySystem plus_system(held(q)), minus_system(held(minus));
  CHECK(gap_of(plus_system) == gap_of(minus_system));
  const std::vector<double> lambda{1.0, -2.0, 3.0, 0.5, 0.7};
  CHECK(balance_of(plus_system, lambda, true) == balance_of(minus_system, lambda, true));
  const std::vector<double> from = plus_system.initial_state().q, to = minus_system.initial_state().q;
  CHECK(from[3] == -to[3]);
  std::vector<double> between(6), next(from), other_next(to);
  plus_system.difference(from.data(), to.data(), between.data());
  CHECK(between == std::vector<double>(6, 0.0));
  plus_system.retract(from.data(), turn, next.data());
  minus_system.retract(to.data(), turn, other_next.data());
  for (std::size_t k = 3; k < 7; ++k) CHECK(next[k] == -other_next[k]);
}

CONVENTION(8, "R(q) turns body components into world components") {
  const Quat q = orientation_from_axis_angle(Vec3::Unit(0), 0.5 * pi);
  const Mat3 R = rotation_matrix(q);
  const BodyFrame<double> f{Vec3::Zero(), R, Vec3::Zero(), Vec3::Zero()};
  for (int k = 0; k < 3; ++k) CHECK(near(f.direction(Vec3::Unit(k)), Vec3{{R(0, k), R(1, k), R(2, k)}}));
  CHECK(near(f.direction(Vec3::Unit(1)), Vec3::Unit(2)));  // the body's y points along world z
}

CONVENTION(9, "right-handed turns") {
  const Quat q{std::cos(0.25 * pi), 0.0, 0.0, std::sin(0.25 * pi)};
  CHECK(near(Vec3(rotation_matrix(q) * Vec3::Unit(0)), Vec3::Unit(1)));
  const Quat same = orientation_from_axis_angle(Vec3::Unit(2), 0.5 * pi);
  CHECK(near(same.w, q.w));
  CHECK(near(same.z, q.z));
}

CONVENTION(10, "products compose from the right") {
  const Quat a = exponential(Vec3{{0.3, 0.4, -0.2}}), b = exponential(Vec3{{-1.0, 0.2, 0.6}});
  const Vec3 p{{1.0, 2.0, 3.0}};
  CHECK(near(Vec3(rotation_matrix(a * b) * p), Vec3(rotation_matrix(a) * (rotation_matrix(b) * p))));
}

CONVENTION(11, "Euler sequences: lower case about body axes, upper case about world axes") {
  const Vec3 angles{{0.3, 0.7, -1.1}}, p{{1.0, 2.0, 3.0}};
  const auto z = [](double a) { return rotation_matrix(exponential(a * Vec3::Unit(2))); };
  const auto x = [](double a) { return rotation_matrix(exponential(a * Vec3::Unit(0))); };
  CHECK(near(Vec3(rotation_matrix(orientation_from_euler("zxz", angles)) * p),
             Vec3(z(0.3) * (x(0.7) * (z(-1.1) * p)))));
  CHECK(near(Vec3(rotation_matrix(orientation_from_euler("ZXZ", angles)) * p),
             Vec3(z(-1.1) * (x(0.7) * (z(0.3) * p)))));
  const auto y = [](double a) { return rotation_matrix(exponential(a * Vec3::Unit(1))); };
  CHECK(near(Vec3(rotation_matrix(orientation_from_euler("xyz", angles)) * p),
             Vec3(x(0.3) * (y(0.7) * (z(-1.1) * p)))));
  CHECK(near(Vec3(rotation_matrix(orientation_from_euler("XYZ", angles)) * p),
             Vec3(z(-1.1) * (y(0.7) * (x(0.3) * p)))));
}
