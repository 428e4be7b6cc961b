// Friction that follows the reaction of its joint: exact motions, an independent integration, orders, jamming, and which
// methods take it.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/steppers.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace joint_friction_tests {

// 2 kg on a rail with 6 N of dry friction, pushed by 10 N sin(pi t). It sticks until the push is as large, t = asin(0.6) / pi,
// and its speed is then 5 (cos(pi t0) - cos(pi t)) / pi - 3 (t - t0) m/s.
TEST_CASE(
    "a body breaks away from dry friction when the push is as large, with any method and speed of sticking") {
  using namespace catena;
  const double pi = 4.0 * std::atan(1.0), begin = std::asin(0.6) / pi;
  const double exact = 5.0 / pi * (0.8 - std::cos(pi)) - 3.0 * (1.0 - begin);
  for (const double speed : {1e-5, 1e-6})
    for (const bool by_backward_differences : {true, false}) {
      CAPTURE(speed);
      Model model;
      model.gravity = {{0.0, 0.0, -10.0}};
      const BodyId a = model.add(Body{.name = "a", .mass = 2.0, .inertia = Mat3::Identity()});
      const ConstraintId rail =
          model.add(joint_at<PrismaticJoint>(model, ground, a, {.axis = Vec3::Unit(0)}, "rail"));
      model.add(JointFriction{.joint = rail, .coefficient = 0.3, .speed = speed});
      model.add(VaryingForce{.bodies = {a},
                             .force = {{10.0, 0.0, 0.0}},
                             .factor = functions::Sine{.amplitude = 1.0, .frequency = 0.5}});
      const MultibodySystem system(model);
      State state = system.initial_state();
      LieBdf bdf;
      GeneralizedAlpha alpha;
      Stepper& stepper = by_backward_differences ? static_cast<Stepper&>(bdf) : alpha;
      REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 1.0}, {}).status == Status::ok);
      CHECK(std::abs(state.v[0] - exact) < 3e-3 * exact);
    }
}

namespace friction_runs {
using namespace catena;

constexpr double g = 9.81;

std::vector<std::unique_ptr<Stepper>> methods(double tolerance) {
  std::vector<std::unique_ptr<Stepper>> all;
  using Alpha = GeneralizedAlphaOptions;
  using Lie = LieDaeOptions;
  for (const Alpha::Index index : {Alpha::Index::three, Alpha::Index::two})
    for (const Alpha::Newton newton : {Alpha::Newton::quasi, Alpha::Newton::exact})
      all.push_back(std::make_unique<GeneralizedAlpha>(Alpha{.index = index, .newton = newton}));
  for (const Lie::Index index : {Lie::Index::three, Lie::Index::two, Lie::Index::one, Lie::Index::stabilized})
    all.push_back(std::make_unique<LieDae>(Lie{.index = index, .order = 2}));
  all.push_back(std::make_unique<Hht>());
  all.push_back(std::make_unique<Newmark>());
  all.push_back(std::make_unique<DormandPrince>(DormandPrinceOptions{.rtol_position = tolerance,
                                                                     .atol_position = tolerance,
                                                                     .rtol_velocity = tolerance,
                                                                     .atol_velocity = tolerance}));
  all.push_back(std::make_unique<LieBdf>(
      LieBdfOptions{.control = LieBdfOptions::Control::fixed, .max_order = 3, .max_newton_iterations = 30}));
  return all;
}

// A block on an incline of the angle phi, which slides down with 1 m/s at first. Its speed is far above that at which
// friction changes its sign: v_s^2 / (2 v^2) = 5e-13 of the friction are missing.
Model incline(double phi, double coefficient, const Vec3& x_of_block) {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const Vec3 down{{std::cos(phi), 0.0, -std::sin(phi)}};
  const BodyId block = model.add(Body{.name = "block",
                                      .mass = 3.0,
                                      .inertia = diagonal(Vec3{{0.02, 0.03, 0.04}}),
                                      .position = x_of_block,
                                      .velocity = down});
  const ConstraintId rail = model.add(PrismaticJoint{
      .bodies = {ground, block}, .point_a = x_of_block, .axis_a = down, .axis_b = down, .name = "rail"});
  model.add(JointFriction{.joint = rail, .coefficient = coefficient, .speed = 1e-6, .light_load = 1e-6});
  return model;
}

TEST_CASE("a block slides down an incline with g (sin - mu cos), with every method") {
  const double phi = 0.5, mu = 0.3, end = 0.5, a = g * (std::sin(phi) - mu * std::cos(phi));
  const MultibodySystem system(incline(phi, mu, {{0.2, 0.1, 0.4}}));
  for (const std::unique_ptr<Stepper>& stepper : methods(1e-10)) {
    CAPTURE(stepper->traits().name);
    State state = system.initial_state();
    const RunResult run = catena::run(system, *stepper, state, {.step = 0.01, .end = end});
    REQUIRE_MESSAGE(run.status == Status::ok, run.culprit.name << ' ' << run.culprit.quantity);
    const RigidBodyState block = system.bodies(state)[0];
    const Vec3 down{{std::cos(phi), 0.0, -std::sin(phi)}};
    CHECK(dot(block.velocity, down) == doctest::Approx(1.0 + a * end).epsilon(1e-9));
    // Constant accelerations are exact with all of these methods.
    CHECK(dot(block.position - Vec3{{0.2, 0.1, 0.4}}, down) ==
          doctest::Approx(end + 0.5 * a * end * end).epsilon(1e-9));
    CHECK(std::hypot(state.lambda[0], state.lambda[1]) ==
          doctest::Approx(3.0 * g * std::cos(phi)).epsilon(1e-9));
  }
}

// Bodies of the inertia m r^2 on a plane, on a shaft and on a ball: friction of mu m g against the sliding velocity takes
// mu g from its size each second, and leaves its direction.
TEST_CASE("planes, shafts and balls slide in a straight way, with mu g less each second") {
  const double m = 3.0, r = 0.05, mu = 0.4, end = 0.3;
  const Mat3 inertia = m * r * r * Mat3::Identity();
  const Vec3 along{{1.2, -1.6, 0.0}};  // the sliding velocity at first, 2 m/s
  const double left = 1.0 - 0.5 * mu * g * end;
  const auto moved = [&](const auto& joint, double radius, Body body) {
    Model model;
    model.gravity = {{0.0, 0.0, -g}};
    body.mass = m;
    body.inertia = inertia;
    const BodyId id = model.add(std::move(body));
    auto tied = joint;
    tied.bodies = {ground, id};
    model.add(JointFriction{
        .joint = model.add(tied), .coefficient = mu, .radius = radius, .speed = 1e-6, .light_load = 1e-6});
    const MultibodySystem system(std::move(model));
    State state = system.initial_state();
    GeneralizedAlpha stepper;
    const RunResult run = catena::run(system, stepper, state, {.step = 2e-3, .end = end});
    REQUIRE_MESSAGE(run.status == Status::ok, run.culprit.name << ' ' << run.culprit.quantity);
    return system.bodies(state)[0];
  };
  constexpr double digits = 1e-9;
  for (const RigidBodyState& b : {moved(PlanarJoint{.bodies = {}}, 0.0, {.velocity = along}),
                                  moved(PointInPlaneJoint{.bodies = {}}, 0.0, {.velocity = along})}) {
    CHECK(norm(b.velocity - left * along) < digits);
    CHECK(norm(b.angular_velocity) < digits);
  }
  const RigidBodyState shaft =
      moved(CylindricalJoint{.bodies = {}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0)}, r,
            {.velocity = {{along[0], 0.0, 0.0}}, .angular_velocity = {{along[1] / r, 0.0, 0.0}}});
  CHECK(shaft.velocity[0] == doctest::Approx(left * along[0]).epsilon(digits));
  CHECK(r * shaft.angular_velocity[0] == doctest::Approx(left * along[1]).epsilon(digits));
  const Vec3 spin = (1.0 / r) * along;
  const RigidBodyState ball = moved(SphericalJoint{.bodies = {}}, r, {.angular_velocity = spin});
  CHECK(norm(ball.angular_velocity - left * spin) < digits / r);
}

// A pendulum on a dry pin, and its equation by hand:
//     J theta'' = -m g c sin(theta) - mu r L(N) s(r theta')
//     N = m (c theta'' + g sin(theta), c theta'^2 + g cos(theta))
struct DryPendulum {
  double m = 2.0, c = 0.4, J = 0.3, mu = 0.5, r = 0.08, speed = 0.05, light = 0.5;  // J about its centre

  Model model(double angle) const {
    Model out;
    out.gravity = {{0.0, 0.0, -g}};
    const BodyId body = out.add(Body{.name = "pendulum",
                                     .mass = m,
                                     .inertia = diagonal(Vec3{{0.2, J, 0.2}}),
                                     .position = {{-c * std::sin(angle), 0.0, -c * std::cos(angle)}},
                                     .orientation = exponential(Vec3{{0.0, angle, 0.0}})});
    const ConstraintId pin = out.add(RevoluteJoint{.bodies = {ground, body},
                                                   .point_b = {{0.0, 0.0, c}},
                                                   .axis_a = Vec3::Unit(1),
                                                   .axis_b = Vec3::Unit(1),
                                                   .name = "pin"});
    out.add(JointFriction{
        .joint = pin, .coefficient = mu, .radius = r, .speed = speed, .light_load = light, .name = "rub"});
    return out;
  }
  double acceleration(double theta, double rate) const {
    const double slide = r * rate, sign = slide / std::sqrt(slide * slide + speed * speed);
    double a = 0.0;
    for (int k = 0; k < 60; ++k) {  // contracts by mu r c m / (J + m c^2) = 0.05
      const double across = m * (c * a + g * std::sin(theta)),
                   along = m * (c * rate * rate + g * std::cos(theta));
      const double square = across * across + along * along;
      const double load = square / std::sqrt(square + light * light);
      a = -(m * g * c * std::sin(theta) + mu * r * load * sign) / (J + m * c * c);
    }
    return a;
  }
  // Classical Runge-Kutta method of order 4.
  std::array<double, 2> at(double end, double angle, int steps) const {
    double q = angle, v = 0.0;
    const double h = end / steps;
    for (int k = 0; k < steps; ++k) {
      const double a1 = acceleration(q, v), v2 = v + 0.5 * h * a1, a2 = acceleration(q + 0.5 * h * v, v2),
                   v3 = v + 0.5 * h * a2, a3 = acceleration(q + 0.5 * h * v2, v3), v4 = v + h * a3,
                   a4 = acceleration(q + h * v3, v4);
      q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return {q, v};
  }
};

TEST_CASE("a pendulum on a dry pin moves as its equation by hand says, with the order of the method") {
  const DryPendulum is;
  constexpr double start = 1.2, end = 1.5;
  const std::array<double, 2> expected = is.at(end, start, 3000);
  CHECK(std::abs(is.at(end, start, 1500)[0] - expected[0]) < 1e-10);
  DryPendulum free = is;
  free.mu = 0.0;
  const double by_friction = std::abs(free.at(end, start, 3000)[0] - expected[0]);
  CHECK(by_friction > 0.04);
  const MultibodySystem system(is.model(start));
  const auto error = [&](Stepper& stepper, double h) {
    State state = system.initial_state();
    const RunResult run = catena::run(system, stepper, state, {.step = h, .end = end});
    REQUIRE_MESSAGE(run.status == Status::ok, run.culprit.name << ' ' << run.culprit.quantity);
    const double off_angle = coordinate(system, state, ConstraintId{0}).angle - expected[0];
    return std::hypot(off_angle, system.bodies(state)[0].angular_velocity[1] - expected[1]);
  };
  for (const std::unique_ptr<Stepper>& stepper : methods(1e-11)) {
    CAPTURE(stepper->traits().name);
    if (stepper->traits().chooses_step) {
      CHECK(error(*stepper, 0.01) < 1e-9);
      continue;
    }
    const double wide = error(*stepper, 0.01), fine = error(*stepper, 0.005);
    CAPTURE(wide);
    CAPTURE(fine);
    CHECK(fine < 0.5 * by_friction);
    CHECK(std::log2(wide / fine) == doctest::Approx(stepper->traits().order_q).epsilon(0.1));
  }
}

// The reaction of State::lambda and the friction that belongs to it, in the balance of moments about the pin.
TEST_CASE("multipliers and friction of every state belong to each other") {
  const DryPendulum is;
  const MultibodySystem system(is.model(1.2));
  for (const std::unique_ptr<Stepper>& stepper : methods(1e-8)) {
    CAPTURE(stepper->traits().name);
    State state = system.initial_state();
    REQUIRE(catena::run(system, *stepper, state, {.step = 0.01, .end = 0.6}).status == Status::ok);
    std::vector<double> balance(state.v.size());
    Point at = point_of(state);
    at.a = state.a.data();
    at.lambda = state.lambda.data();
    Evaluation wanted;
    wanted.balance = balance.data();
    system.evaluate(at, wanted);
    const bool corrected =
        stepper->traits().name == "lie_dae" && stepper->traits().acceleration_residual &&
        stepper->traits().position_residual;  // stabilized: a is moved onto the rows by omega
    for (const double x : balance)
      if (!corrected) CHECK(std::abs(x) < 1e-8);
  }
}

// A four-bar in a slanted plane, with dry friction in its first hinge. Four hinges have three redundant rows; a universal and a
// ball joint in place of two of them have none. Forces in the plane, which friction follows, are the same.
Model dry_four_bar(bool redundant) {
  const Quat turn = normalized(Quat{0.8, 0.3, -0.4, 0.2});
  const Mat3 R = rotation_matrix(turn);
  const auto in_plane = [&](double x, double y) { return Vec3(R * Vec3{{x, y, 0.0}}); };
  Model model;
  model.gravity = in_plane(0.0, -g);
  const auto bar = [&](const char* name, double x, double y) {
    return model.add(Body{.name = name,
                          .mass = 1.5,
                          .inertia = diagonal(Vec3{{0.2, 0.3, 0.4}}),
                          .position = in_plane(x, y),
                          .orientation = turn});
  };
  const BodyId crank = bar("crank", 0.25, 0.5), coupler = bar("coupler", 1.5, 1.15),
               rocker = bar("rocker", 2.25, 0.65);
  const auto at = [&](double x, double y) {
    return WorldFrame{.point = in_plane(x, y), .axis = Vec3(R * Vec3::Unit(2))};
  };
  const ConstraintId pin = model.add(joint_at<RevoluteJoint>(model, ground, crank, at(0.0, 0.0), "A"));
  model.add(joint_at<RevoluteJoint>(model, ground, rocker, at(2.0, 0.0), "D"));
  if (redundant) {
    model.add(joint_at<RevoluteJoint>(model, crank, coupler, at(0.5, 1.0), "B"));
    model.add(joint_at<RevoluteJoint>(model, coupler, rocker, at(2.5, 1.3), "C"));
  } else {
    model.add(joint_at<SphericalJoint>(model, crank, coupler, at(0.5, 1.0), "B"));
    model.add(joint_at<CylindricalJoint>(model, coupler, rocker, at(2.5, 1.3), "C"));
  }
  model.add(JointFriction{.joint = pin, .coefficient = 0.3, .radius = 0.1, .speed = 0.05, .name = "rub"});
  return model;
}

TEST_CASE(
    "friction of reactions that redundant rows leave unique moves a loop as one without redundant rows") {
  const MultibodySystem unique(dry_four_bar(false)), loop(dry_four_bar(true));
  DormandPrince precise(DormandPrinceOptions{
      .rtol_position = 1e-11, .atol_position = 1e-11, .rtol_velocity = 1e-11, .atol_velocity = 1e-11});
  constexpr double end = 0.4;
  State expected = unique.initial_state();
  REQUIRE(catena::run(unique, precise, expected, {.step = 0.01, .end = end}).status == Status::ok);
  const Vec3 there = unique.bodies(expected)[1].position;
  CHECK(norm(there - unique.bodies(unique.initial_state())[1].position) > 0.1);
  const auto error = [&](Stepper& stepper, double h) {
    State state = loop.initial_state();
    const RunResult run = catena::run(loop, stepper, state, {.step = h, .end = end});
    REQUIRE_MESSAGE(run.status == Status::ok, run.culprit.name << ' ' << run.culprit.quantity);
    return norm(loop.bodies(state)[1].position - there);
  };
  for (const std::unique_ptr<Stepper>& stepper : methods(1e-9)) {
    CAPTURE(stepper->traits().name);
    if (stepper->traits().chooses_step) {
      CHECK(error(*stepper, 0.01) < 1e-8);
      continue;
    }
    const double wide = error(*stepper, 0.01), fine = error(*stepper, 0.005);
    CHECK(fine < 1e-3);
    CHECK(std::log2(wide / fine) == doctest::Approx(stepper->traits().order_q).epsilon(0.15));
  }
}

// A light block under a bar that leans steeply on it, with a weight at its top: pushing by friction alone grows as
// mu cot(phi) = 2.5 times itself.
Model steep_bar(double coefficient) {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const double phi = 0.2;
  const Mat3 inertia = diagonal(Vec3{{0.01, 0.01, 0.01}});
  const BodyId block = model.add(Body{.name = "block",
                                      .mass = 0.01,
                                      .inertia = inertia,
                                      .position = {{std::sin(phi), 0.0, 0.0}},
                                      .velocity = {{0.5, 0.0, 0.0}}});
  const BodyId weight = model.add(Body{.name = "weight",
                                       .mass = 10.0,
                                       .inertia = inertia,
                                       .position = {{0.0, 0.0, std::cos(phi)}},
                                       .velocity = {{0.0, 0.0, -0.5 * std::tan(phi)}}});
  const ConstraintId floor = model.add(PrismaticJoint{
      .bodies = {ground, block}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0), .name = "floor"});
  model.add(PrismaticJoint{.bodies = {ground, weight}, .name = "wall"});
  model.add(DistanceConstraint{.bodies = {block, weight}, .name = "bar"});
  model.add(JointFriction{.joint = floor, .coefficient = coefficient, .speed = 1e-3, .name = "rub"});
  return model;
}

TEST_CASE("friction that makes its own reaction grow is named") {
  {
    const MultibodySystem slides(steep_bar(0.1));
    State state = slides.initial_state();
    DormandPrince stepper;
    CHECK(catena::run(slides, stepper, state, {.step = 1e-3, .end = 0.02}).status == Status::ok);
  }
  const MultibodySystem jams(steep_bar(0.5));
  GeneralizedAlpha implicit;
  DormandPrince explicit_one;
  for (Stepper* stepper : std::initializer_list<Stepper*>{&implicit, &explicit_one}) {
    State state = jams.initial_state();
    const RunResult run = catena::run(jams, *stepper, state, {.step = 1e-3, .end = 0.02});
    CHECK(run.status == Status::inconsistent_start);
    CHECK(run.culprit.name == "force \"rub\" (joint_friction)");
    CHECK(run.culprit.quantity == "ratio of two corrections of its reaction");
    CHECK(run.culprit.value > 1.0);
    CHECK(run.culprit.why.find("jams") != std::string::npos);
  }
}

TEST_CASE("methods that do not take friction of reactions say so") {
  const DryPendulum is;
  const MultibodySystem system(is.model(0.3));
  const QuaternionSystem seven(is.model(0.3));
  const Catalog catalog = builtin();
  int taken = 0;
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    const bool plain = stepper->traits().coordinates == Coordinates::lagrangian;
    const std::string why = stepper->refusal(plain ? static_cast<const System&>(seven) : system);
    CAPTURE(entry.name);
    CAPTURE(why);
    if (stepper->traits().reaction_forces)
      ++taken;
    else if (entry.name != "runge_kutta_4")
      CHECK(why ==
            entry.name + " does not take forces that depend on multipliers: force \"rub\" (joint_friction)");
    CHECK(why.empty() == stepper->traits().reaction_forces);
  }
  CHECK(taken == 7);
}

}  // namespace friction_runs

}  // namespace joint_friction_tests
