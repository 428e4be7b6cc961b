// Which motions are steady: rotors without stiffness, points and planar bodies that turn, and motions that only look steady.
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_force.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace steady_motions_tests {
namespace {

using namespace catena;
using namespace catena::test;

LinearMotion linear(const Model& model) {
  const MultibodySystem system(model);
  LinearMotion motion = linearize(system, system.initial_state());
  motion.system = nullptr;
  return motion;
}

// Of K x + (D - M S + sigma M) y, y = (sigma + E) x, by the matrix of iterations and by single products, for scattered x.
double error_of_shifted_matrix(const LinearMotion& motion, double sigma) {
  const SystemLayout& layout = motion.system->layout();
  const std::size_t n = static_cast<std::size_t>(layout.v_size()),
                    all = n + static_cast<std::size_t>(layout.lambda_size());
  std::vector<double> x(all, 0.0), y(n), by_matrix(all), sum(all), term(all);
  for (std::size_t k = 0; k < n; ++k) x[k] = detail::scattered(k) - 0.5;
  BlockMatrix matrix(layout.pattern, Border::separate);
  detail::fill_shifted(motion, sigma, matrix);
  matrix.multiply(x.data(), by_matrix.data());
  detail::MotionProducts products(motion);
  detail::times_E(motion, x.data(), y.data());
  for (std::size_t k = 0; k < n; ++k) y[k] += sigma * x[k];
  products.stiffness(x.data(), sum.data());
  products.damping(y.data(), term.data());
  for (std::size_t k = 0; k < n; ++k) sum[k] += term[k];
  products.mass(y.data(), term.data());
  double error = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    error = std::max(error, std::abs(sum[k] + sigma * term[k] - by_matrix[k]));
  return error;
}

TEST_CASE(
    "a motor whose torque balances a damper for an instant keeps no steady speed, a constant one does") {
  const Function torques[] = {functions::Sine{.amplitude = 2.0, .frequency = 1.0, .offset = 2.0},
                              functions::SmoothStep{.from = 2.0, .to = 5.0, .start = 3.0, .end = 4.0}, 2.0};
  for (const Function& torque : torques) {
    Model model;
    const BodyId a = model.add(Body{.name = "a", .angular_velocity = {{0.0, 0.0, 2.0}}});
    const ConstraintId hinge = model.add(joint_at<RevoluteJoint>(model, ground, a, {}));
    model.add(JointForce{.joint = hinge, .damping = 1.0, .actuator = torque});
    const LinearMotion motion = linear(model);
    if (&torque == &torques[2]) {
      CHECK(motion.status == Status::ok);
      CHECK(distance_to(eigenvalues(model), -1.0) < 1e-14);
    } else {
      CHECK(motion.status == Status::inconsistent_start);
      CHECK(motion.culprit.name == "body \"a\"");
    }
  }
}

TEST_CASE("a block that passes the middle of its spring is not steady") {
  Model model;
  const BodyId a = model.add(Body{.name = "a", .velocity = Vec3::Unit(0)});
  const ConstraintId rail = model.add(joint_at<PrismaticJoint>(model, ground, a, {.axis = Vec3::Unit(0)}));
  model.add(JointForce{.joint = rail, .coordinate = JointCoordinate::displacement, .stiffness = 100.0});
  const LinearMotion motion = linear(model);
  CHECK(motion.status == Status::inconsistent_start);
  CHECK(motion.culprit.name == "body \"a\"");
  CHECK(motion.culprit.why.find("not steady") != std::string::npos);
}

TEST_CASE("symmetric wheels on which nothing acts are steady: zero eigenvalues alone") {
  Model skew_wheel;
  const Quat turned = exponential(Vec3((0.7 / std::sqrt(14.0)) * Vec3{{1.0, 2.0, 3.0}}));
  const Vec3 at{{0.3, 0.2, 0.7}};
  const BodyId wheel = skew_wheel.add(Body{.mass = 1.3,
                                           .inertia = diagonal(Vec3{{0.1, 0.1, 0.2}}),
                                           .position = at,
                                           .orientation = turned,
                                           .angular_velocity = {{0.0, 0.0, 7.0}}});
  skew_wheel.add(joint_at<RevoluteJoint>(
      skew_wheel, ground, wheel, {.point = at, .axis = Vec3(rotation_matrix(turned) * Vec3::Unit(2))}));

  Model two_wheels;
  for (const double spin : {7.0, 3.0}) {
    const Vec3 place{{spin, 0.2, 0.7}};
    const BodyId w = two_wheels.add(Body{.mass = 1.3,
                                         .inertia = diagonal(Vec3{{0.15, 0.15, 0.2}}),
                                         .position = place,
                                         .angular_velocity = {{0.0, 0.0, spin}}});
    two_wheels.add(joint_at<RevoluteJoint>(two_wheels, ground, w, {.point = place}));
  }
  for (const Model* model : {&skew_wheel, &two_wheels}) {
    const MultibodySystem system(*model);
    const LinearMotion motion = linearize(system, system.initial_state());
    REQUIRE(motion.status == Status::ok);
    const Modes modes = find_modes(motion, {.count = 100});
    CHECK(modes.modes.empty());
    CHECK(modes.zeros == (model == &skew_wheel ? 2 : 4));
  }
}

// m l^2 b'' = m l^2 Omega^2 sin b cos b - m g l sin b with the azimuth free, and a shaft that turns with it. Beside the reach of its
// arm the bob is small: both zeros and no growth are found where its own size would leave four digits.
TEST_CASE("a governor of a small bob on a long arm keeps both zeros, and does not grow") {
  const double g = 9.81, omega = 5.0, l = 1.0, J = 0.1, m = 2.0;
  const double c = g / (l * omega * omega), s = std::sqrt(1.0 - c * c);
  for (const double inertia : {1e-3, 1e-7, 1e-9}) {
    CAPTURE(inertia);
    Model model;
    model.gravity = {{0.0, 0.0, -g}};
    const Vec3 about{{0.0, 0.0, omega}};
    const BodyId shaft =
        model.add(Body{.name = "shaft", .inertia = J * Mat3::Identity(), .angular_velocity = about});
    const Quat turned = exponential(Vec3{{0.0, -std::acos(c), 0.0}});
    const BodyId bob = model.add(Body{.name = "bob",
                                      .mass = m,
                                      .inertia = inertia * Mat3::Identity(),
                                      .position = {{l * s, 0.0, -l * c}},
                                      .orientation = turned,
                                      .velocity = {{0.0, omega * l * s, 0.0}},
                                      .angular_velocity = transpose_times(rotation_matrix(turned), about)});
    model.add(joint_at<RevoluteJoint>(model, ground, shaft, {.axis = Vec3::Unit(2)}));
    model.add(joint_at<RevoluteJoint>(model, shaft, bob, {.axis = Vec3::Unit(1)}));
    const MultibodySystem system(model);
    const LinearMotion motion = linearize(system, system.initial_state());
    REQUIRE(motion.status == Status::ok);
    const Modes modes = find_modes(motion, {.count = 100});
    CHECK(modes.zeros == 2);
    CHECK(modes.unstable == 0);
    REQUIRE(modes.modes.size() == 1);
    if (inertia > 1e-8) continue;
    // With p = (J + m l^2 sin^2) phi' kept: w^2 = Omega^2 sin^2 (1 + 4 m l^2 cos^2 / (J + m l^2 sin^2)), from
    // l^2 b'' = -g l sin b + p^2 l^2 sin b cos b / (J + m l^2 sin^2)^2.
    const double rate = omega * s * std::sqrt(1.0 + 4.0 * m * l * l * c * c / (J + m * l * l * s * s));
    CHECK(std::abs(modes.modes[0].eigenvalue - std::complex<double>(0.0, rate)) < 1e-7 * rate);
  }
}

TEST_CASE("a point mass as a conical pendulum: s^2 = -Omega^2 (1 + 3 cos^2)") {
  const double b = 0.7, l = 1.3, g = 9.81, omega = std::sqrt(g / (l * std::cos(b)));
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId bob = model.add(Body{.name = "bob",
                                    .position = {{l * std::sin(b), 0.0, -l * std::cos(b)}},
                                    .velocity = {{0.0, omega * l * std::sin(b), 0.0}},
                                    .motion = BodyMotion::point});
  model.add(DistanceConstraint{.bodies = {ground, bob}, .length = l});
  const MultibodySystem system(model);
  const LinearMotion motion = linearize(system, system.initial_state());
  REQUIRE(motion.status == Status::ok);
  CHECK(motion.unsteady < 1e-14);
  CHECK(std::abs(motion.turning[2] - omega) < 1e-12 * omega);
  const Modes modes = find_modes(motion, {.count = 100});
  CHECK(modes.zeros == 2);
  REQUIRE(modes.modes.size() == 1);
  const double rate = omega * std::sqrt(1.0 + 3.0 * std::cos(b) * std::cos(b));
  CHECK(std::abs(modes.modes[0].eigenvalue - std::complex<double>(0.0, rate)) < 1e-12 * rate);
}

TEST_CASE(
    "a body that circles on a spring, as a rigid one, a point and in a plane: s^2 = -(k/m + 3 Omega^2)") {
  const double m = 2.0, k = 50.0, rest_length = 0.8, r = 1.0,
               omega = std::sqrt(k * (r - rest_length) / (m * r));
  const double rate = std::sqrt(k / m + 3.0 * omega * omega);
  const Vec3 along{{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}}, normal{{1.0 / 3.0, -2.0 / 3.0, -2.0 / 3.0}};
  for (const BodyMotion kind : {BodyMotion::rigid, BodyMotion::point, BodyMotion::planar})
    for (const double spin : {0.0, 5.0}) {
      if (kind == BodyMotion::point && spin > 0.0) continue;
      Model model;
      const BodyId a = model.add(Body{.mass = m,
                                      .inertia = 0.3 * Mat3::Identity(),
                                      .position = r * along,
                                      .velocity = Vec3(omega * r * cross(normal, along)),
                                      .angular_velocity = spin * normal,
                                      .motion = kind,
                                      .normal = normal});
      model.add(SpringDamper{.bodies = {ground, a}, .stiffness = k, .rest_length = rest_length});
      const MultibodySystem system(model);
      const LinearMotion motion = linearize(system, system.initial_state());
      CAPTURE(spin);
      CAPTURE(motion.culprit.why);
      REQUIRE(motion.status == Status::ok);
      CHECK(norm(Vec3(motion.turning - omega * normal)) < 1e-12 * omega);
      std::vector<std::complex<double>> s;
      for (const Mode& mode : find_modes(motion, {.count = 100}).modes) s.push_back(mode.eigenvalue);
      CHECK(distance_to(s, {0.0, rate}) < 1e-10 * rate);
      if (kind == BodyMotion::planar) CHECK(s.size() == 1);
      CHECK(error_of_shifted_matrix(motion, 4.0) < 1e-12);
    }
}

TEST_CASE("a planar body and a point that circle about each other: s^2 = -(k (1/m + 1/M) + 3 Omega^2)") {
  const double m = 2.0, M = 3.0, k = 40.0, rest_length = 0.8, r = 1.0;
  const double both = 1.0 / m + 1.0 / M, omega = std::sqrt(k * (r - rest_length) * both / r);
  Model model;
  BodyId id[2];
  for (int i = 0; i < 2; ++i) {
    const double x = i == 0 ? r * M / (m + M) : -r * m / (m + M);
    id[i] = model.add(Body{.mass = i == 0 ? m : M,
                           .position = {{x, 0.0, 0.0}},
                           .velocity = {{0.0, omega * x, 0.0}},
                           .angular_velocity = {{0.0, 0.0, i == 0 ? 1.5 : 0.0}},
                           .motion = i == 0 ? BodyMotion::planar : BodyMotion::point});
  }
  model.add(SpringDamper{.bodies = {id[0], id[1]}, .stiffness = k, .rest_length = rest_length});
  CHECK(linear(model).status == Status::ok);
  const double rate = std::sqrt(k * both + 3.0 * omega * omega);
  CHECK(distance_to(eigenvalues(model), {0.0, rate}) < 1e-10 * rate);
}

TEST_CASE("a planar rotor out of balance under gravity in its plane is not steady, across it it is") {
  for (const bool in_plane : {false, true}) {
    Model model;
    model.gravity = in_plane ? Vec3{{0.0, -9.81, 0.0}} : Vec3{{0.0, 0.0, -9.81}};
    const BodyId rotor = model.add(Body{.name = "rotor",
                                        .inertia = 0.1 * Mat3::Identity(),
                                        .position = {{0.5, 0.0, 0.0}},
                                        .velocity = {{0.0, 1.0, 0.0}},
                                        .angular_velocity = {{0.0, 0.0, 2.0}},
                                        .motion = BodyMotion::planar});
    model.add(PointOnLineJoint{.bodies = {ground, rotor}, .point_b = {{-0.5, 0.0, 0.0}}});
    const LinearMotion motion = linear(model);
    CHECK(motion.status == (in_plane ? Status::inconsistent_start : Status::ok));
    if (!in_plane) CHECK(std::abs(motion.turning[2] - 2.0) < 1e-12);
  }
}

TEST_CASE("an arm with two equal moments on a hub that a drive turns: steady in the frame of the hub alone") {
  constexpr double omega = 5.0, g = 9.81, l = 0.5, across = 0.02, along = 0.001;
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const Vec3 turning{{0.0, 0.0, omega}};
  const BodyId hub =
      model.add(Body{.name = "hub", .inertia = 0.1 * Mat3::Identity(), .angular_velocity = turning});
  const BodyId rod = model.add(Body{.name = "arm",
                                    .inertia = diagonal(Vec3{{across, across, along}}),
                                    .position = {{0.0, 0.0, -l}},
                                    .angular_velocity = turning});
  const ConstraintId shaft = model.add(joint_at<RevoluteJoint>(model, ground, hub, {}));
  model.add(JointDrive{.joint = shaft, .rate = true, .target = omega});
  model.add(joint_at<RevoluteJoint>(model, hub, rod, {.axis = Vec3::Unit(1)}));
  // (J + l^2) x'' = (omega^2 (J + l^2 - along) - g l) x
  const double s = std::sqrt((omega * omega * (across + l * l - along) - g * l) / (across + l * l));
  CHECK(linear(model).status == Status::ok);
  CHECK(distance_to(eigenvalues(model), s) < 1e-10);
  CHECK(distance_to(eigenvalues(model), -s) < 1e-10);
}

}  // namespace
}  // namespace steady_motions_tests
