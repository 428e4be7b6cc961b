// Every numbered line of docs/reference/conventions.md, in order.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/distance_constraint.hpp>
#include <catena/model/inertia.hpp>
#include <catena/model/orientation.hpp>
#include <catena/model/point_force.hpp>
#include <catena/model/revolute_joint.hpp>
#include <catena/model/spherical_joint.hpp>
#include <catena/model/spring_damper.hpp>
#include <catena/model/torque.hpp>

#include "support/fixture_joints.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

using namespace catena;

namespace {

constexpr double pi = 3.14159265358979323846;

std::set<int>& asserted() {
  static std::set<int> numbers;
  return numbers;
}
struct Register {
  explicit Register(int number) { asserted().insert(number); }
};

// One test for line `number` of the page.
#define CONVENTION(number, claim)             \
  const Register registered_##number(number); \
  TEST_CASE("convention " #number ": " claim)

bool near(double a, double b, double tolerance = 1e-14) {
  return std::abs(a - b) <= tolerance * (1.0 + std::abs(b));
}
template <int N>
bool near(const Vec<double, N>& a, const Vec<double, N>& b, double tolerance = 1e-14) {
  for (int k = 0; k < N; ++k)
    if (!near(a[k], b[k], tolerance)) return false;
  return true;
}

Body some_body() {
  return {.name = "a",
          .mass = 2.0,
          .inertia = diagonal(Vec3{{0.3, 0.4, 0.5}}),
          .position = {{0.5, -1.0, 3.0}},
          .orientation = exponential(Vec3{{0.4, -0.2, 1.1}}),
          .velocity = {{0.1, 0.7, -0.3}},
          .angular_velocity = {{1.0, -2.0, 0.5}}};
}

std::vector<double> balance_of(const MultibodySystem& system, const std::vector<double>& lambda,
                               bool with_velocity = false) {
  const State s = system.initial_state();
  std::vector<double> r(s.v.size()), still(s.v.size(), 0.0);
  Point at;
  at.q = s.q.data();
  at.v = with_velocity ? s.v.data() : still.data();
  at.lambda = lambda.empty() ? nullptr : lambda.data();
  Evaluation wanted;
  wanted.balance = r.data();
  system.evaluate(at, wanted);
  return r;
}
Vec3 part(const std::vector<double>& x, std::size_t first) {
  return {{x[first], x[first + 1], x[first + 2]}};
}

std::vector<double> gap_of(const MultibodySystem& system) {
  const State s = system.initial_state();
  std::vector<double> g(s.lambda.size());
  Point at;
  at.q = s.q.data();
  Evaluation wanted;
  wanted.position = g.data();
  system.evaluate(at, wanted);
  return g;
}

Model one_body(const Body& body) {
  Model model;
  model.add(body);
  return model;
}

}  // namespace

CONVENTION(1, "SI units") {
  Model model = one_body({.mass = 3.0, .position = {{0.0, 0.0, 2.0}}, .velocity = {{4.0, 0.0, 0.0}}});
  model.gravity = {{0.0, 0.0, -9.81}};
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  const Energy e = system.energy(0.0, s.q.data(), s.v.data());
  CHECK(near(e.kinetic, 24.0));                           // kg (m/s)^2 = J
  CHECK(near(e.potential, 3.0 * 9.81 * 2.0));             // kg m/s^2 m = J
  CHECK(near(balance_of(system, {})[2], 29.43));          // N
  CHECK(near(exponential(Vec3{{0.0, 0.0, pi}}).z, 1.0));  // rad
}

CONVENTION(2, "the ground stands for the world frame") {
  Model model = one_body(some_body());
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_a = {{1.0, 2.0, 3.0}}});
  const std::vector<double> g = gap_of(MultibodySystem(std::move(model)));
  CHECK(near(part(g, 0), Vec3(some_body().position - Vec3{{1.0, 2.0, 3.0}})));
}

CONVENTION(3, "position and velocity are those of the centre of mass, in the world frame") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  CHECK(near(part(s.q, 0), some_body().position));
  CHECK(near(part(s.v, 0), some_body().velocity));
  Model pushed = one_body(some_body());  // a force through it does not turn the body
  pushed.add(PointForce{.bodies = {BodyId{0}}, .force = {{1.0, 2.0, 3.0}}});
  CHECK(near(part(balance_of(MultibodySystem(std::move(pushed)), {}), 3), Vec3::Zero()));
}

CONVENTION(4, "inertia about the centre of mass, in the body frame") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  const double v2 = 0.01 + 0.49 + 0.09, turning = 0.3 * 1.0 + 0.4 * 4.0 + 0.5 * 0.25;
  CHECK(near(system.energy(0.0, s.q.data(), s.v.data()).kinetic, 0.5 * (2.0 * v2 + turning)));
}

CONVENTION(5, "gravity is a vector in the world frame with potential -m g.x") {
  Model model = one_body(some_body());
  model.gravity = {{1.0, 2.0, -3.0}};
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  CHECK(near(system.energy(0.0, s.q.data(), s.v.data()).potential, -2.0 * (0.5 - 2.0 - 9.0)));
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
}

CONVENTION(7, "quaternions: scalar first, unit length, either sign") {
  const Quat q{0.5, 0.1, -0.7, 0.5};  // 0.25 + 0.01 + 0.49 + 0.25 = 1
  Model model = one_body({.orientation = q});
  const State s = MultibodySystem(std::move(model)).initial_state();
  CHECK(near(s.q[3], 0.5));
  CHECK(near(s.q[4], 0.1));
  CHECK(near(s.q[5], -0.7));
  const Mat3 a = rotation_matrix(q), b = rotation_matrix(Quat{-q.w, -q.x, -q.y, -q.z});
  for (int k = 0; k < 9; ++k) CHECK(a[k] == b[k]);
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
}

CONVENTION(12, "seven coordinates and six velocities for each moving body, in the order of the model") {
  Model model;
  model.add({.name = "wall", .position = {{9.0, 9.0, 9.0}}, .fixed = true});
  model.add(some_body());
  model.add({.name = "b", .position = {{7.0, 0.0, 0.0}}, .angular_velocity = {{0.0, 0.0, 5.0}}});
  const State s = MultibodySystem(std::move(model)).initial_state();
  REQUIRE(s.q.size() == 20);
  for (std::size_t k = 14; k < 20; ++k) CHECK(s.q[k] == 0.0);
  REQUIRE(s.v.size() == 12);
  const Body a = some_body();
  CHECK(near(part(s.q, 0), a.position));
  CHECK(near(s.q[3], a.orientation.w));
  CHECK(near(part(s.q, 4), a.orientation.vec()));
  CHECK(near(part(s.v, 0), a.velocity));
  CHECK(near(part(s.v, 3), a.angular_velocity));
  CHECK(s.q[7] == 7.0);
  CHECK(s.v[11] == 5.0);
}

CONVENTION(13, "perturbations act on the right") {
  Model model = one_body(some_body());
  const Vec3 p{{0.2, 0.5, -0.3}};
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = p});
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  const double delta[6] = {0.1, 0.2, 0.3, 0.4, -0.5, 0.6};
  double out[10];
  system.retract(s.q.data(), delta, out);
  CHECK(near(Vec3{{out[0], out[1], out[2]}}, Vec3(some_body().position + Vec3{{0.1, 0.2, 0.3}})));
  const Quat expected = some_body().orientation * exponential(Vec3{{0.4, -0.5, 0.6}});
  const double sign = out[3] * expected.w > 0.0 ? 1.0 : -1.0;
  CHECK(near(sign * out[3], expected.w));
  CHECK(near(Vec3(sign * Vec3{{out[4], out[5], out[6]}}), expected.vec()));

  // Columns of G: the gap along retract. Central difference with h = 1e-5: h^2 |p| / 6 + eps / h ~ 3e-11.
  const auto kernel = SphericalJoint{{ground, BodyId{0}}, Vec3::Zero(), p, ""}.kernel<double>();
  const auto frames = [&](const double* q, BodyFrame<double>* f) {
    f[0] = {Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3::Zero()};
    f[1] = {Vec3{{q[0], q[1], q[2]}}, rotation_matrix(Quat{q[3], q[4], q[5], q[6]}), Vec3::Zero(),
            Vec3::Zero()};
  };
  BodyFrame<double> f[2];
  frames(s.q.data(), f);
  Mat<double, 3, 6> G[2];
  kernel.jacobian(f, 0.0, G);
  for (int c = 0; c < 6; ++c) {
    const double h = 1e-5;
    double step[6] = {}, ahead[10], behind[10];
    step[c] = h;
    system.retract(s.q.data(), step, ahead);
    step[c] = -h;
    system.retract(s.q.data(), step, behind);
    BodyFrame<double> fa[2], fb[2];
    frames(ahead, fa);
    frames(behind, fb);
    const Vec3 slope = (0.5 / h) * (kernel.gap(fa, 0.0) - kernel.gap(fb, 0.0));
    CHECK(near(slope, Vec3{{G[1](0, c), G[1](1, c), G[1](2, c)}}, 1e-10));
  }
}

CONVENTION(14, "the tangent operator is the right one") {
  const Vec3 xi{{0.4, -1.0, 0.7}}, d{{0.3, 0.5, -0.2}};
  const double h = 1e-4;  // central difference: h^2 |d|^3 ~ 1e-9
  const Quat ahead = conjugate(exponential(xi)) * exponential(xi + h * d);
  const Quat behind = conjugate(exponential(xi)) * exponential(xi - h * d);
  CHECK(near(Vec3((0.5 / h) * (logarithm(ahead) - logarithm(behind))), Vec3(tangent(xi) * d), 1e-8));
}

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
}

CONVENTION(18, "revolute joint: three rows of the points, two of the axis of B across that of A") {
  Model model;
  model.add({.name = "a"});
  model.add({.name = "b", .position = {{0.0, 0.1, 0.0}}, .orientation = exponential(Vec3{{0.02, 0.0, 0.5}})});
  const RevoluteJoint joint{.bodies = {BodyId{0}, BodyId{1}}};
  model.add(joint);
  const std::vector<double> g = gap_of(MultibodySystem(std::move(model)));
  REQUIRE(g.size() == 5);
  CHECK(near(part(g, 0), Vec3{{0.0, 0.1, 0.0}}));
  const Vec3 axis_b = rotation_matrix(exponential(Vec3{{0.02, 0.0, 0.5}})) * Vec3::Unit(2);
  const auto kernel = joint.kernel<double>();
  CHECK(near(g[3], dot(kernel.normal[0], axis_b)));
  CHECK(near(g[4], dot(kernel.normal[1], axis_b)));
  // the lean of the axis, to first order the angle between the axes
  CHECK(near(std::hypot(g[3], g[4]), std::sqrt(axis_b[0] * axis_b[0] + axis_b[1] * axis_b[1])));
}

CONVENTION(19, "distance: (|d|^2 - L^2)/(2L), lambda is the tension") {
  Model model = one_body({.mass = 2.0, .position = {{0.0, 0.0, -0.51}}});
  model.add(DistanceConstraint{.bodies = {ground, BodyId{0}}, .length = 0.5});
  CHECK(near(gap_of(MultibodySystem(std::move(model)))[0], (0.51 * 0.51 - 0.25) / 1.0));
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
}

CONVENTION(21, "geometric stiffness is the derivative of G_i^T lambda") {
  // By hand: the ball joint turns body B with p x (R^T lambda); turning it by dtheta changes that by p~ (R^T lambda)~.
  const Vec3 p{{0.2, 0.5, -0.3}}, lambda{{1.0, -2.0, 0.5}};
  BodyFrame<double> f[2];
  for (auto& frame : f)
    frame = {Vec3::Zero(), rotation_matrix(some_body().orientation), Vec3::Zero(), Vec3::Zero()};
  Mat<double, 6, 6> K[4];
  SphericalJoint{{ground, BodyId{0}}, Vec3::Zero(), p, ""}.kernel<double>().geometric_stiffness(f, 0.0,
                                                                                                lambda, K);
  const Vec3 turn{{0.3, -0.4, 0.2}};
  const double h = 1e-4;  // central difference: h^2 |turn|^3 |lambda| |p| / 6 ~ 1e-10
  const auto torque = [&](double s) {
    return cross(p, transpose_times(Mat3(f[1].R * rotation_matrix(exponential(s * turn))), lambda));
  };
  Vec3 product;
  for (int r = 0; r < 3; ++r)
    product[r] = K[3](3 + r, 3) * turn[0] + K[3](3 + r, 4) * turn[1] + K[3](3 + r, 5) * turn[2];
  CHECK(near(product, Vec3((0.5 / h) * (torque(h) - torque(-h))), 1e-8));
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
}

CONVENTION(24, "PointForce and Torque: world axes by default, body axes on request") {
  const Vec3 value{{1.0, 2.0, 3.0}};
  const Mat3 R = rotation_matrix(some_body().orientation);
  const auto wrench = [&](auto element) {
    Model model = one_body(some_body());
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

CONVENTION(25, "what has a potential counts in the energy, what has none does not") {
  const auto potential = [&](auto element) {
    Model model = one_body(some_body());
    model.add(element);
    const MultibodySystem system(std::move(model));
    const State s = system.initial_state();
    return system.energy(0.0, s.q.data(), s.v.data()).potential;
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

TEST_CASE("every numbered line of the page of conventions has its test") {
  const auto page = std::filesystem::path(CATENA_SOURCE_FOLDER) / "docs/reference/conventions.md";
  std::ifstream in(page);
  REQUIRE(in.good());
  std::set<int> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t dot_at = line.find(". ");
    if (dot_at == 0 || dot_at > 3 || line.find_first_not_of("0123456789") != dot_at) continue;
    lines.insert(std::stoi(line));
  }
  CHECK(lines.size() > 20);
  CHECK(lines == asserted());
}
