// Momentum, residuals and the monitor.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/model/joints.hpp>

#include "support/relative.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;

TEST_CASE("momentum of a rigid spin about the origin is the inertia about the origin times the spin") {
  // Two bodies turning with W about the origin: L = sum (m (|x|^2 I - x x^T) + R J R^T) W.
  const Vec3 W = {{0.3, -0.5, 0.7}};
  Model model;
  Vec3 expected = Vec3::Zero(), linear = Vec3::Zero();
  std::vector<RigidBodyState> states;
  for (int k = 0; k < 2; ++k) {
    Body body;
    body.mass = 2.0 + k;
    body.inertia = diagonal(Vec3{{1.0, 2.0, 2.5}});
    body.position = {{1.0 + k, -0.5, 0.25 * k}};
    body.orientation = exponential(Vec3{{0.4, 0.1 * k, -0.7}});
    const Mat3 R = rotation_matrix(body.orientation);
    body.velocity = cross(W, body.position);
    body.angular_velocity = R.transpose() * W;
    const Vec3 x = body.position;
    expected += body.mass * (dot(x, x) * W - dot(x, W) * x) + R * body.inertia * (R.transpose() * W);
    linear += body.mass * body.velocity;
    states.push_back({body.position, body.orientation, body.velocity, body.angular_velocity});
    model.add(body);
  }
  const Momentum p = momentum(model, states);
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(p.angular[k] - expected[k]) <= 1e-14 * norm(expected));
    CHECK(std::abs(p.linear[k] - linear[k]) <= 1e-15 * norm(linear));
  }
}

TEST_CASE("fixed bodies have no momentum") {
  Model model;
  model.add(Body{.mass = 3.0, .fixed = true});
  const Momentum p =
      momentum(model, {{{{1.0, 0.0, 0.0}}, Quat::Identity(), {{1.0, 2.0, 3.0}}, Vec3::Unit(0)}});
  CHECK(norm(p.linear) == 0.0);
  CHECK(norm(p.angular) == 0.0);
}

TEST_CASE("a point of a body moves with it: velocity is the derivative of position") {
  const Vec3 point = {{0.3, -0.2, 0.5}}, omega = {{0.5, 1.0, -2.0}}, v = {{1.0, 0.0, -1.0}};
  const auto at = [&](double t) {
    return RigidBodyState{t * v, exponential(Vec3{{0.1, 0.2, 0.3}}) * exponential(t * omega), v, omega};
  };
  const double h = 1e-5;  // central difference: h^2 |omega|^3 + eps / h ~ 1e-9
  const Vec3 difference = (0.5 / h) * (point_position(at(h), point) - point_position(at(-h), point)) -
                          point_velocity(at(0.0), point);
  CHECK(norm(difference) <= 3e-9);
}

TEST_CASE("residuals at three levels name the worst constraint") {
  const ToyPendulum system;
  ResidualMeter meter(system);
  State s = system.initial_state();
  s.q = {0.6, -0.7};
  s.v = {1.0, 0.5};
  s.a = {0.25, 2.0};
  const Residuals r = meter(s);
  CHECK(r.position.value == catena_test::relative(std::abs(0.5 * (0.36 + 0.49 - 1.0)), 1e-15));
  CHECK(r.velocity.value == catena_test::relative(0.6 - 0.35, 1e-15));
  CHECK(r.acceleration.value <= 1e-15);
  CHECK(r.position.constraint == 0);

  s.a.clear();  // a stepper that knows no accelerations
  CHECK(std::isnan(meter(s).acceleration.value));
  CHECK(meter(s).position.value == r.position.value);
}

TEST_CASE("the worst constraint of each level is recorded by its own number") {
  // Three balls, each held at its centre: one is off its place, one moves, one accelerates.
  Model model;
  for (int k = 0; k < 3; ++k) {
    const Vec3 place = {{1.0 * k, 0.0, 0.0}};
    model.add(SphericalJoint{.bodies = {ground, model.add(Body{.position = place})}, .point_a = place});
  }
  const MultibodySystem system(model);
  State state = system.initial_state();
  state.q[7 * 1 + 2] += 1e-3;
  state.v[6 * 2 + 1] = 0.1;
  state.a.assign(state.v.size(), 0.0);
  state.a[6 * 0 + 0] = 10.0;
  Measurements measurements(system, select(builtin_quantities(), "residuals/worst"));
  std::vector<double> row(static_cast<std::size_t>(measurements.width()));
  measurements(state, {}, row.data());
  CHECK(row == std::vector<double>{0.0, 1.0, 2.0, 0.0});  // time, position, velocity, acceleration
}

TEST_CASE("the monitor keeps the largest errors over all states and where they were") {
  const ToyPendulum system;
  Monitor monitor;
  monitor.begin(system);
  State s = system.initial_state();
  CHECK(monitor.observe(s));
  const double energy = s.q[1] * 9.81;
  s.t = 0.5;
  s.q = {0.0, -1.5};
  CHECK(monitor.observe(s));
  s.t = 1.0;
  s.q = {0.0, -1.0};
  CHECK(monitor.observe(s));
  const MonitorResult& m = monitor.result();
  CHECK(m.states == 3);
  CHECK(m.energy_error.t == 0.5);
  CHECK(m.energy_error.value == catena_test::relative(std::abs(-1.5 * 9.81 - energy), 1e-15));
  CHECK(!m.energy_error_is_absolute());
  CHECK(m.energy_error_max() == m.energy_error.value / std::abs(energy));
  CHECK(m.position.value == 0.625);
  CHECK(m.position.t == 0.5);
  CHECK(m.position.constraint == 0);
}

TEST_CASE("the energy error is absolute where the initial energy is zero, exactly or to roundoff") {
  MonitorResult m;
  m.energy_error.value = 0.25;
  CHECK(m.energy_error_is_absolute());
  CHECK(m.energy_error_max() == 0.25);
  m.energy_initial.potential = 1e-13;
  CHECK(!m.energy_error_is_absolute());  // nothing moved: 1e-13 may be all there is
  m.kinetic_max = 10.0;
  CHECK(m.energy_error_is_absolute());
  m.energy_initial.potential = -2.0;
  CHECK(!m.energy_error_is_absolute());
  CHECK(m.energy_error_max() == 0.125);
}

TEST_CASE("a residual that is not a number is not forgotten") {
  const ToyPendulum system;
  Monitor monitor;
  monitor.begin(system);
  State s = system.initial_state();
  s.v[0] = std::numeric_limits<double>::quiet_NaN();
  monitor.observe(s);
  monitor.observe(system.initial_state());
  CHECK(std::isnan(monitor.result().velocity.value));
  CHECK(std::isnan(monitor.result().energy_error.value));
}

TEST_CASE("the fastest body is that which is the fastest in units of its size, not of metres and radians") {
  Model model;
  for (const double size : {10.0, 0.1})  // [m] radius of gyration
    model.add(Body{.name = size > 1.0 ? "ship" : "wheel", .inertia = size * size * Mat3::Identity()});
  const MultibodySystem system(model);
  State s = system.initial_state();
  s.v[0] = 3e200;  // [m/s] of the ship: 3e199 sizes a second
  s.v[9] = 1e200;  // [rad/s] of the wheel
  Monitor monitor;
  monitor.begin(system);
  CHECK_FALSE(monitor.observe(s));  // the energy is no number
  CHECK(monitor.failure().culprit.name == "body \"wheel\", the fastest");
}
