// Drives and forces by functions: derivatives through the system's contract, exact motions and torques, what is refused.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>

namespace drive_tests {
using namespace catena;

constexpr double half_turn = std::numbers::pi;
const functions::Sine swing{.amplitude = 0.8, .frequency = 0.5, .phase = 0.4, .offset = -0.1};

Body brick(const std::string& name, const Vec3& at, const Vec3& turn = Vec3::Zero()) {
  return {.name = name,
          .mass = 1.5,
          .inertia = diagonal(Vec3{{0.02, 0.03, 0.04}}),
          .position = at,
          .orientation = exponential(turn),
          .velocity = {{0.3, -0.2, 0.4}},
          .angular_velocity = {{0.5, 0.7, -0.6}}};
}

// Two bodies askew, a cylindrical joint between them with all that acts on its coordinates, and forces between points.
Model everything(bool rate) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId a = model.add(brick("a", {{0.1, 0.2, 0.3}}, {{0.4, -0.8, 0.3}}));
  const BodyId b = model.add(brick("b", {{0.9, -0.1, 0.5}}, {{-0.5, 0.1, 1.1}}));
  const ConstraintId hip = model.add(CylindricalJoint{.bodies = {a, b},
                                                      .point_a = {{0.3, 0.1, -0.1}},
                                                      .point_b = {{-0.2, 0.1, 0.2}},
                                                      .axis_a = {{1.0, 0.5, 0.2}},
                                                      .axis_b = {{0.3, 0.2, 1.0}},
                                                      .name = "hip"});
  const Function drag = Function::of([](auto r) { return 0.4 * r * abs(r); });
  const Function stiffening = functions::Table{{-9.0, -1.0, 0.0, 1.0, 9.0}, {-70.0, -2.0, 0.0, 3.0, 90.0}};
  model.add(JointDrive{.joint = hip, .rate = rate, .target = swing});
  model.add(
      JointDrive{.joint = hip, .coordinate = JointCoordinate::displacement, .rate = rate, .target = swing});
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement})
    model.add(JointForce{.joint = hip,
                         .coordinate = coordinate,
                         .stiffness = 3.0,
                         .damping = 0.7,
                         .free = 0.3,
                         .spring = stiffening,
                         .damper = drag,
                         .actuator = swing,
                         .friction = 0.9,
                         .friction_rate = 0.2});
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement})
    model.add(JointPid{.joint = hip,
                       .coordinate = coordinate,
                       .target = swing,
                       .proportional = 2.5,
                       .derivative = 0.6,
                       .limit = coordinate == JointCoordinate::angle ? 0.0 : 50.0});
  model.add(Strut{.bodies = {a, b},
                  .point_a = {{0.1, 0.0, 0.4}},
                  .point_b = {{0.0, -0.3, 0.1}},
                  .stiffness = 5.0,
                  .damping = 0.4,
                  .free = 0.5,
                  .spring = stiffening,
                  .damper = drag,
                  .actuator = swing,
                  .friction = 0.5,
                  .friction_rate = 0.3});
  model.add(
      VaryingForce{.bodies = {a}, .point = {{0.1, 0.2, 0.3}}, .force = {{1.0, 2.0, -1.0}}, .factor = swing});
  model.add(VaryingForce{.bodies = {b},
                         .point = {{0.1, 0.2, 0.3}},
                         .force = {{1.0, 2.0, -1.0}},
                         .axes = Axes::body,
                         .factor = swing});
  model.add(VaryingTorque{.bodies = {a}, .torque = {{1.0, 2.0, -1.0}}, .factor = swing});
  model.add(VaryingTorque{.bodies = {b}, .torque = {{1.0, 2.0, -1.0}}, .axes = Axes::body, .factor = swing});
  return model;
}

template <class System>
void check_system(bool rate, double t) {
  const System system(everything(rate));
  State state = system.initial_state();
  state.t = t;
  const DerivativeCheck check = check_derivatives(system, state);
  CHECK(check.points == 3);
  for (const DerivativeFault& fault : check.faults)
    FAIL_CHECK(fault.owner << ": " << fault.quantity << " row " << fault.row << " by " << fault.by << " is "
                           << fault.given << ", should be " << fault.expected);
}

constexpr double m = 2.0, c = 0.4, J = 0.3,
                 g = 9.81;  // mass, arm and inertia of the pendulum about its centre

// A pendulum about y on the ground, hanging along -z at angle 0, its centre at the distance c.
struct Pendulum {
  Model model = {};
  BodyId body{};
  ConstraintId hinge{};

  Pendulum(double angle, double speed) {
    model.gravity = {{0.0, 0.0, -g}};
    body = model.add(Body{.name = "pendulum",
                          .mass = m,
                          .inertia = diagonal(Vec3{{0.2, J, 0.2}}),
                          .position = {{-c * std::sin(angle), 0.0, -c * std::cos(angle)}},
                          .orientation = exponential(Vec3{{0.0, angle, 0.0}}),
                          .velocity = {{-c * std::cos(angle) * speed, 0.0, c * std::sin(angle) * speed}},
                          .angular_velocity = {{0.0, speed, 0.0}}});
    hinge = model.add(RevoluteJoint{.bodies = {ground, body},
                                    .point_b = {{0.0, 0.0, c}},
                                    .axis_a = Vec3::Unit(1),
                                    .axis_b = Vec3::Unit(1),
                                    .name = "hinge"});
  }
  // Moment that the motion needs: (J + m c^2) angle'' + m g c sin(angle)
  static double moment(const FunctionValue& u) {
    return (J + m * c * c) * u.curvature + m * g * c * std::sin(u.value);
  }
};

DormandPrinceOptions all_tolerances(double size) {
  return {.rtol_position = size, .atol_position = size, .rtol_velocity = size, .atol_velocity = size};
}

RunResult run_to(const System& system, Stepper& stepper, State& state, double h, double end) {
  return run(system, stepper, state, {.step = h, .end = end}, {});
}

}  // namespace drive_tests
using namespace drive_tests;

TEST_CASE(
    "drives and forces by functions: all derivatives, at any time, at both levels, in both coordinates") {
  for (const bool rate : {false, true})
    for (const double t : {0.0, 0.77}) {
      CAPTURE(rate);
      CAPTURE(t);
      check_system<MultibodySystem>(rate, t);
      check_system<QuaternionSystem>(rate, t);
    }
}

TEST_CASE("a driven pendulum follows its target, and the drive's moment is that of the motion") {
  const Function target = swing;
  const FunctionValue first = target.at(0.0);
  double error[2], moment_error[2];
  for (const int k : {0, 1}) {
    Pendulum p(first.value, first.slope);
    const ConstraintId motor = p.model.add(JointDrive{.joint = p.hinge, .target = target, .name = "motor"});
    const MultibodySystem system(p.model);
    State state = system.initial_state();
    GeneralizedAlpha stepper;
    REQUIRE(run_to(system, stepper, state, 0.01 / (1 << k), 1.5).status == Status::ok);
    error[k] = std::abs(coordinate(system, state, p.hinge).angle - target.at(1.5).value);
    // The moment on the second body is minus lambda.
    moment_error[k] = std::abs(-multipliers(system, state, motor)[0] - Pendulum::moment(target.at(1.5)));
    CHECK(error[k] < 1e-12);  // the row itself
  }
  CHECK(moment_error[0] < 1e-3 * m * g * c);
  CHECK(std::log2(moment_error[0] / moment_error[1]) == doctest::Approx(2.0).epsilon(0.1));
}

TEST_CASE("a drive may turn through any number of turns, in error control too") {
  const Function target = functions::Polynomial{{0.0, 3.0, 1.0}};  // 3 t + t^2: ten turns in seven seconds
  Pendulum p(0.0, 3.0);
  p.model.add(JointDrive{.joint = p.hinge, .target = target});
  const MultibodySystem system(p.model);
  State state = system.initial_state();
  DormandPrince stepper(all_tolerances(1e-8));
  REQUIRE(run_to(system, stepper, state, 0.05, 6.5).status == Status::ok);
  const double angle = coordinate(system, state, p.hinge).angle;
  CHECK(std::remainder(angle - target.at(6.5).value, 2.0 * half_turn) == doctest::Approx(0.0).epsilon(1e-9));
  CHECK(std::abs(std::remainder(angle - target.at(6.5).value, 2.0 * half_turn)) < 1e-9);
}

TEST_CASE("a driven rate is held at velocity level, and the angle is its integral") {
  Pendulum p(0.2, 1.0 + 0.5);
  const Function rate =
      functions::Sine{.amplitude = 1.0, .frequency = 0.5, .phase = 0.5 * half_turn, .offset = 0.5};
  p.model.add(JointDrive{.joint = p.hinge, .rate = true, .target = rate});
  const MultibodySystem system(p.model);
  State state = system.initial_state();
  GeneralizedAlpha stepper;
  REQUIRE(run_to(system, stepper, state, 0.001, 1.3).status == Status::ok);
  CHECK(state.v[4] == doctest::Approx(rate.at(1.3).value).epsilon(1e-11));
  const double exact = 0.2 + 0.5 * 1.3 + std::sin(half_turn * 1.3) / half_turn;
  // Second order: with h = 1e-3 about h^2 / 12 times the curvature of the rate.
  CHECK(std::abs(coordinate(system, state, p.hinge).angle - exact) < 3e-6);
}

TEST_CASE("a drive counts from where the bodies are, if as_placed says so") {
  Pendulum p(0.7, 0.0);
  const ConstraintId motor = p.model.add(
      JointDrive{.joint = p.hinge, .target = functions::SmoothStep{0.0, 0.5, 0.0, 1.0}, .as_placed = true});
  CHECK_NOTHROW(p.model.check_initial_positions());
  const MultibodySystem system(p.model);
  State state = system.initial_state();
  GeneralizedAlpha stepper;
  REQUIRE(run_to(system, stepper, state, 0.01, 1.2).status == Status::ok);
  CHECK(coordinate(system, state, p.hinge).angle == doctest::Approx(1.2).epsilon(1e-12));
  CHECK(p.model.constraint_label(motor) == "joint \"drive 0\" (drive)");

  Pendulum open(0.7, 0.0);
  open.model.add(JointDrive{.joint = open.hinge, .target = 0.5, .name = "motor"});
  try {
    open.model.check_initial_positions();
    FAIL("an open drive was accepted");
  } catch (const ModelError& error) {
    CHECK(std::string(error.what()).find("joint \"motor\" (drive) by 0.2 rad") != std::string::npos);
  }
}

TEST_CASE("a force along a coordinate: a damped, driven slider has its exact motion") {
  // x'' + 2 d x' + w^2 x = f sin(p t): the settled motion and a free one that decays.
  constexpr double mass = 1.5, k = 24.0, damping = 0.6, amplitude = 2.0, frequency = 0.7;
  Model model;
  const BodyId body = model.add(Body{.name = "slider", .mass = mass, .position = {{0.1, 0.0, 0.0}}});
  const ConstraintId rail =
      model.add(PrismaticJoint{.bodies = {ground, body}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0)});
  model.add(JointForce{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .stiffness = k,
                       .damping = damping,
                       .actuator = functions::Sine{.amplitude = amplitude, .frequency = frequency}});
  const MultibodySystem system(model);
  State state = system.initial_state();
  DormandPrince stepper(all_tolerances(1e-10));
  REQUIRE(run_to(system, stepper, state, 0.05, 2.0).status == Status::ok);
  const double w = 2.0 * half_turn * frequency, d = damping / (2.0 * mass), w0 = k / mass;
  const double wd = std::sqrt(w0 - d * d), f = amplitude / mass;
  const double size = f / (std::pow(w0 - w * w, 2) + std::pow(2.0 * d * w, 2));
  const auto settled = [&](double t) {
    return size * ((w0 - w * w) * std::sin(w * t) - 2.0 * d * w * std::cos(w * t));
  };
  const double slope = size * (w0 - w * w) * w;  // of it at 0
  const double x0 = 0.1 - settled(0.0), v0 = -slope;
  const double t = 2.0;
  const double exact =
      settled(t) + std::exp(-d * t) * (x0 * std::cos(wd * t) + (v0 + d * x0) / wd * std::sin(wd * t));
  CHECK(state.q[0] == doctest::Approx(exact).epsilon(1e-9));
}

TEST_CASE(
    "springs as functions are those of numbers: joint_force and torsion_spring, strut and spring_damper") {
  const auto end_of = [](auto add) {
    Pendulum p(0.4, 1.0);
    add(p);
    const MultibodySystem system(p.model);
    State state = system.initial_state();
    GeneralizedAlpha stepper;
    REQUIRE(run_to(system, stepper, state, 0.01, 1.0).status == Status::ok);
    return coordinate(system, state, p.hinge).angle;
  };
  const double torsion = end_of([](Pendulum& p) {
    p.model.add(TorsionSpring{.bodies = {ground, p.body},
                              .axis_a = Vec3::Unit(1),
                              .axis_b = Vec3::Unit(1),
                              .stiffness = 7.0,
                              .damping = 0.3,
                              .free_angle = 0.5});
  });
  const double numbers = end_of([](Pendulum& p) {
    p.model.add(JointForce{.joint = p.hinge, .stiffness = 7.0, .damping = 0.3, .free = 0.5});
  });
  const double by_functions = end_of([](Pendulum& p) {
    p.model.add(JointForce{.joint = p.hinge,
                           .spring = functions::Polynomial{{-3.5, 7.0}},
                           .damper = functions::Polynomial{{0.0, 0.3}}});
  });
  CHECK(numbers == doctest::Approx(torsion).epsilon(1e-13));
  CHECK(by_functions == doctest::Approx(torsion).epsilon(1e-13));
  const double spring = end_of([](Pendulum& p) {
    p.model.add(SpringDamper{.bodies = {ground, p.body},
                             .point_a = {{0.5, 0.0, 0.0}},
                             .stiffness = 9.0,
                             .damping = 0.8,
                             .rest_length = 0.3});
  });
  const double strut = end_of([](Pendulum& p) {
    p.model.add(Strut{.bodies = {ground, p.body},
                      .point_a = {{0.5, 0.0, 0.0}},
                      .stiffness = 4.0,
                      .damping = 0.5,
                      .free = 0.3,
                      .spring = functions::Polynomial{{-1.5, 5.0}},
                      .damper = functions::Polynomial{{0.0, 0.3}}});
  });
  CHECK(strut == doctest::Approx(spring).epsilon(1e-12));
}

TEST_CASE("Coulomb friction stops a slider where its work has used up the motion") {
  constexpr double mass = 2.0, friction = 3.0, speed = 1.5;
  Model model;
  const BodyId body = model.add(Body{.name = "slider", .mass = mass, .velocity = {{speed, 0.0, 0.0}}});
  const ConstraintId rail =
      model.add(PrismaticJoint{.bodies = {ground, body}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0)});
  model.add(JointForce{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .friction = friction,
                       .friction_rate = 1e-3});
  const MultibodySystem system(model);
  State state = system.initial_state();
  DormandPrince stepper(all_tolerances(1e-8));
  REQUIRE(run_to(system, stepper, state, 0.05, 1.2).status == Status::ok);
  const double way = 0.5 * mass * speed * speed / friction;  // after 1 s
  CHECK(state.q[0] == doctest::Approx(way).epsilon(2e-3));   // the smooth part: rates of 1e-3 m/s
  CHECK(std::abs(state.v[0]) < 1e-6);
}

TEST_CASE("a force over time gives the momentum of its integral") {
  Model model;
  const BodyId body = model.add(Body{.name = "puck", .mass = 2.0});
  model.add(VaryingForce{.bodies = {body},
                         .force = {{3.0, 0.0, 1.0}},
                         .factor = functions::Table{{0.0, 1.0, 2.0, 4.0}, {0.0, 1.0, 4.0, 16.0}}});  // t^2
  const MultibodySystem system(model);
  State state = system.initial_state();
  DormandPrince stepper(all_tolerances(1e-10));
  REQUIRE(run_to(system, stepper, state, 0.1, 3.0).status == Status::ok);
  CHECK(state.v[0] == doctest::Approx(3.0 * 9.0 / 2.0).epsilon(1e-12));
  CHECK(state.v[2] == doctest::Approx(9.0 / 2.0).epsilon(1e-12));
}

TEST_CASE("drives of coordinates that are held or missing are refused by the joint's name") {
  const auto why = [](auto element) {
    Pendulum p(0.0, 0.0);
    p.model.add(SphericalJoint{.bodies = {ground, p.body}, .point_b = {{0.0, 0.0, c}}, .name = "ball"});
    element.name = "motor";
    try {
      p.model.add(element);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ConstraintId hinge{0};
  CHECK(why(JointDrive{.joint = hinge}).empty());
  CHECK(why(JointDrive{.joint = hinge, .coordinate = JointCoordinate::displacement}) ==
        "joint \"motor\" (drive): joint: joint \"hinge\" (revolute) holds its displacement itself");
  CHECK(why(JointForce{.joint = hinge, .coordinate = JointCoordinate::displacement}) ==
        "force \"motor\" (joint_force): joint: joint \"hinge\" (revolute) holds its displacement itself");
  CHECK(why(JointDrive{.joint = ConstraintId{7}}) ==
        "joint \"motor\" (drive): joint: joint number 7 does not exist");
  CHECK(why(JointDrive{.joint = hinge, .rate = true, .as_placed = true}) ==
        "joint \"motor\" (drive): as_placed: a rate does not count from a place");
  CHECK(why(JointDrive{.joint = hinge, .target = functions::Ramp{0.0, 1.0, 1.0, 1.0}}) ==
        "joint \"motor\" (drive): target: end must be after start");
  CHECK(why(JointDrive{.joint = hinge, .target = functions::Sine{.amplitude = std::nan("")}}) ==
        "joint \"motor\" (drive): target: amplitude must be finite, is nan");
  CHECK(why(JointDrive{.joint = hinge, .target = functions::Table{{1.0, 2.0}, {0.0, 1.0}}}) ==
        "joint \"motor\" (drive): target: the table begins at 1: add points, or write beyond: hold for the "
        "nearest value");
  CHECK(why(JointForce{.joint = hinge, .friction = -1.0}) ==
        "force \"motor\" (joint_force): friction must not be negative, is -1");
}

TEST_CASE(
    "a run that leaves the table of a drive, or whose function throws, ends with the name of the drive") {
  Pendulum p(0.0, 0.0);
  p.model.add(JointDrive{
      .joint = p.hinge, .target = functions::Table{{0.0, 0.2, 0.5}, {0.0, 0.0, 0.1}}, .name = "motor"});
  const MultibodySystem system(p.model);
  State state = system.initial_state();
  GeneralizedAlpha stepper;
  const RunResult result = run_to(system, stepper, state, 0.01, 1.0);
  CHECK(result.status == Status::step_too_small);
  CHECK(result.culprit.name == "joint \"motor\" (drive)");
  CHECK(result.culprit.why ==
        "target: the table ends at 0.5: add points, or write beyond: hold for the nearest value");
  CHECK(state.t == doctest::Approx(0.5).epsilon(1e-12));

  Pendulum q(0.0, 0.0);
  q.model.add(JointDrive{.joint = q.hinge,
                         .target = Function::with_derivatives([](double t) {
                           if (t > 0.3) throw std::runtime_error("no signal");
                           return FunctionValue{};
                         }),
                         .name = "motor"});
  const MultibodySystem throwing(q.model);
  state = throwing.initial_state();
  GeneralizedAlpha again;
  const RunResult thrown = run_to(throwing, again, state, 0.01, 1.0);
  CHECK(thrown.status == Status::exception);
  CHECK(thrown.culprit.name == "joint \"motor\" (drive)");
  CHECK(state.t == doctest::Approx(0.3).epsilon(0.05));
}

TEST_CASE("a bushing holds six coordinates by its springs, and its moment is that of its potential") {
  // Stretched along and turned about its axes a little: the force and the moment of each spring, on the second body.
  Model model;
  const BodyId body = model.add(Body{.name = "block",
                                     .position = {{0.5 + 0.01, 0.02, -0.03}},
                                     .orientation = exponential(Vec3{{0.0, 0.0, 0.4}})});
  Bushing bushing{.bodies = {ground, body},
                  .point_a = {{0.5, 0.0, 0.0}},
                  .side_a = Vec3::Unit(0),
                  .side_b = Vec3::Unit(0),
                  .name = "mount"};
  const double k[6] = {100.0, 200.0, 300.0, 7.0, 8.0, 9.0};
  for (int i = 0; i < 6; ++i) bushing.stiffness(i, i) = k[i];
  const auto kernel = bushing.kernel<double>();
  BodyFrame<double> f[2] = {model.initial_frame(ground), model.initial_frame(body)};
  Vec<double, 6> w[2];
  kernel.wrench(f, 0.0, w);
  CHECK(w[1][0] == doctest::Approx(-1.0).epsilon(1e-12));
  CHECK(w[1][1] == doctest::Approx(-4.0).epsilon(1e-12));
  CHECK(w[1][2] == doctest::Approx(9.0).epsilon(1e-12));
  CHECK(w[1][5] == doctest::Approx(-9.0 * 0.4).epsilon(1e-12));
  CHECK(kernel.potential(f, 0.0) == doctest::Approx(0.5 * (0.01 + 0.08 + 0.27 + 9.0 * 0.16)).epsilon(1e-12));
  // On the ground the opposite, and the moment of the force about it.
  CHECK(w[0][0] == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(w[0][5] == doctest::Approx(3.6 - (0.51 * -4.0 - 0.02 * -1.0)).epsilon(1e-12));

  // Energy is kept where it swings far, by an error-controlled method.
  model.body(body).angular_velocity = {{1.0, 2.0, -0.5}};
  bushing.bodies = {ground, body};
  model.add(bushing);
  const MultibodySystem system(model);
  State state = system.initial_state();
  const double before = system.energy(point_of(state)).total();
  DormandPrince stepper(all_tolerances(1e-10));
  REQUIRE(run_to(system, stepper, state, 0.1, 2.0).status == Status::ok);
  CHECK(system.energy(point_of(state)).total() == doctest::Approx(before).epsilon(1e-8));

  bushing.name = "other";
  bushing.stiffness(0, 1) = 1.0;
  CHECK_THROWS_WITH_AS(
      model.add(bushing),
      "force \"other\" (bushing): stiffness must be symmetric: entry (1, 2) is 1, its counterpart 0",
      ModelError);
  bushing.stiffness(0, 1) = 0.0;
  Model turned;
  bushing.bodies[1] = turned.add(Body{.orientation = {0.0, 0.0, 1.0, 0.0}});
  turned.add(bushing);
  const auto lost = turned.undefined_forces();
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].why == "its markers are turned against each other by half a turn");
}
