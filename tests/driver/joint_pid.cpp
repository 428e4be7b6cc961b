// The force pid: sampled and continuous, with an integral, bounded, over turns, through checkpoints of a run, refused where it makes no sense.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/hht.hpp>
#include <catena/solvers/radau.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace pid_tests {
using namespace catena;

constexpr double J = 2.0;  // about the hinge [kg m^2]

// A wheel on a hinge along z through its centre, and a controller of its angle.
struct Wheel {
  Model model = {};
  ConstraintId hinge{};
  ForceId motor{};

  explicit Wheel(JointPid pid) {
    const BodyId wheel =
        model.add(Body{.name = "wheel", .mass = 3.0, .inertia = diagonal(Vec3{{1.2, 1.1, J}})});
    hinge = model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "axle"});
    pid.joint = hinge;
    pid.name = "motor";
    motor = model.add(pid);
  }
};

JointPid sampled() {
  return {
      .target = 10.0, .proportional = 4.0, .integral = 0.6, .derivative = 5.0, .limit = 3.0, .period = 0.125};
}

// The motion under moments that are held for T: each interval has a constant acceleration.
struct Exact {
  JointPid pid = {};
  double s = 0.0, rate = 0.0, z = 0.0, Q = 0.0;
  int at_limit = 0;
  void step() {
    const double e = pid.target.at(0.0).value - s;
    const double without = pid.proportional * e - pid.derivative * rate;
    const double next = z + pid.period * e, q = without + pid.integral * next;
    if ((q > pid.limit && e > 0.0) || (q < -pid.limit && e < 0.0)) {
      ++at_limit;
      Q = std::min(pid.limit, std::max(-pid.limit, without + pid.integral * z));
    } else {
      z = next;
      Q = std::min(pid.limit, std::max(-pid.limit, q));
    }
    s += pid.period * (rate + 0.5 * pid.period * Q / J);
    rate += pid.period * Q / J;
  }
};

}  // namespace pid_tests
using namespace pid_tests;

TEST_CASE(
    "a sampled controller moves a wheel as its difference equation says, over turns, within its limit") {
  const Wheel wheel(sampled());
  Exact exact{sampled()};
  constexpr int samples = 64;
  for (int k = 0; k < samples; ++k) exact.step();
  CHECK(exact.at_limit > 10);
  CHECK(exact.s > 9.0);  // it has turned more than once

  const MultibodySystem system(wheel.model);
  const QuaternionSystem other(wheel.model);
  const double end = samples * exact.pid.period;
  const auto check = [&](const BodySystem& of, Stepper& stepper, double tolerance) {
    State state = of.initial_state();
    const RunResult result = run(of, stepper, state, {.step = 0.025, .end = end}, {});
    REQUIRE(result.status == Status::ok);
    CHECK(result.samples == samples + 1);
    const JointCoordinates seen = coordinate(of, state, wheel.hinge);
    CHECK(seen.angle == catena_test::relative(std::remainder(exact.s, 8.0 * std::atan(1.0)), tolerance));
    CHECK(seen.angle_rate == catena_test::relative(exact.rate, 10.0 * tolerance));
    // What it holds is what the last sample made of the exact motion: the moment, and the sum of the errors.
    Exact next = exact;
    next.step();
    const double* held = state.discrete.data() + of.discrete_offset(wheel.motor);
    CHECK(held[1] == catena_test::relative(next.Q, 10.0 * tolerance));
    CHECK(held[2] == catena_test::relative(next.z, 10.0 * tolerance));
  };
  DormandPrince explicit_one;
  check(system, explicit_one, 1e-11);
  GeneralizedAlpha implicit;
  check(system, implicit, 1e-9);
  // In seven coordinates a steady turn is curved: the error is that of the method, of order 2.
  double error[2];
  for (const int k : {0, 1}) {
    GeneralizedAlpha in_seven;
    State state = other.initial_state();
    REQUIRE(run(other, in_seven, state, {.step = k == 0 ? 0.0125 : 0.00625, .end = end}, {}).status ==
            Status::ok);
    error[k] =
        std::abs(std::remainder(coordinate(other, state, wheel.hinge).angle - exact.s, 8.0 * std::atan(1.0)));
  }
  CHECK(error[1] < 1e-3);
  CHECK(std::log2(error[0] / error[1]) == catena_test::relative(2.0, 0.1));
}

// J s'' = Ki z with z' = w - s does not know the time: s depends on the time since the start alone.
TEST_CASE("an integral begins at the time of the start") {
  const Wheel wheel({.target = 1.0, .integral = 3.0});
  const MultibodySystem system(wheel.model);
  const QuaternionSystem other(wheel.model);
  const auto angle_after = [&](const BodySystem& of, double start) {
    State state = of.initial_state();
    state.t = start;
    GeneralizedAlpha stepper;
    const RunResult result = run(of, stepper, state, {.step = 1.0 / 512.0, .end = start + 1.0}, {});
    REQUIRE(result.status == Status::ok);
    return coordinate(of, state, wheel.hinge).angle;
  };
  // s = Ki/J t^3/6 w + O(t^6)
  CHECK(angle_after(system, 0.0) == catena_test::relative(3.0 / J / 6.0, 0.02));
  for (const double start : {1.0, 16.0, 128.0}) {  // their sums with the steps are exact
    CHECK(angle_after(system, start) == angle_after(system, 0.0));
    CHECK(angle_after(other, start) == angle_after(other, 0.0));
  }
  // A state behind a run continues: what has been integrated stays.
  State whole = system.initial_state(), parts = whole;
  const auto go = [&](State& state, double end) {
    Radau stepper;
    REQUIRE(run(system, stepper, state, {.step = 1.0 / 64.0, .end = end}, {}).status == Status::ok);
  };
  go(whole, 1.0);
  go(parts, 0.5);
  go(parts, 1.0);
  CHECK(coordinate(system, parts, wheel.hinge).angle ==
        catena_test::relative(coordinate(system, whole, wheel.hinge).angle, 1e-6));
}

// A pendulum whose motor samples beside the instants of the grid: what lies between the two is no step of its own, or begins
// with velocities on their rows.
TEST_CASE("sampling near instants of the grid leaves multipliers and motion what they are") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(Body{.name = "rod",
                                    .mass = 1.0,
                                    .inertia = diagonal(Vec3{{0.1, 0.1, 0.01}}),
                                    .position = {{0.0, 0.0, -0.5}}});
  const ConstraintId hip = model.add(
      joint_at<RevoluteJoint>(model, ground, rod, {.point = Vec3::Zero(), .axis = Vec3::Unit(1)}, "hip"));
  for (const double period :
       {3.3333e-3, 3.333333333e-3, 1.9999999e-3, 9.9999999e-3, 0.333333e-3, 3.9e-3, 2.1e-3, 2.004e-3}) {
    CAPTURE(period);
    Model driven = model;
    driven.add(JointPid{.joint = hip,
                        .target = functions::Ramp{.to = 0.5, .end = 0.5},
                        .proportional = 20.0,
                        .derivative = 0.5,
                        .period = period});
    const MultibodySystem system(driven);
    DormandPrince precise;
    State expected = system.initial_state();
    REQUIRE(run(system, precise, expected, {.step = 2e-3, .end = 0.3}).status == Status::ok);
    for (const bool third : {true, false}) {
      CAPTURE(third);
      GeneralizedAlpha alpha;
      Hht hht;
      Stepper& stepper = third ? static_cast<Stepper&>(alpha) : hht;
      State state = system.initial_state();
      struct Largest : Observer {
        double lambda = 0.0;
        bool observe(const State& s) override {
          for (const double x : s.lambda) lambda = std::max(lambda, std::abs(x));
          return true;
        }
      } largest;
      const RunResult result =
          run(system, stepper, state, {.step = 2e-3, .end = 0.3}, {.observers = {&largest}});
      REQUIRE_MESSAGE(result.status == Status::ok, result.message);
      CHECK(std::abs(coordinate(system, state, hip).angle - coordinate(system, expected, hip).angle) < 1e-4);
      CHECK(largest.lambda < 11.2);  // 10.97 N with steps that meet the samples
    }
  }
}

TEST_CASE("a sampled controller continues from a state as if the run had not been interrupted") {
  const Wheel wheel(sampled());
  const MultibodySystem system(wheel.model);
  GeneralizedAlpha whole, first, second;
  State expected = system.initial_state(), state = system.initial_state();
  REQUIRE(run(system, whole, expected, {.step = 0.025, .end = 4.0}, {}).status == Status::ok);
  REQUIRE(run(system, first, state, {.step = 0.025, .end = 1.0}, {}).status == Status::ok);
  const RunResult rest = run(system, second, state, {.step = 0.025, .end = 4.0, .resume = true}, {});
  REQUIRE(rest.status == Status::ok);
  CHECK(state.q == expected.q);
  CHECK(state.v == expected.v);
  CHECK(state.discrete == expected.discrete);
}

TEST_CASE("a controller that acts at every moment gives the exact step response, and keeps its limit") {
  // m s'' = P (1 - s) - D s': w0 = 2 rad/s, damping ratio 1/2
  Model model;
  const BodyId cart =
      model.add(Body{.name = "cart", .mass = 2.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  const ConstraintId rail = model.add(PrismaticJoint{.bodies = {ground, cart}, .name = "rail"});
  model.add(JointPid{.joint = rail,
                     .coordinate = JointCoordinate::displacement,
                     .target = 1.0,
                     .proportional = 8.0,
                     .derivative = 4.0});
  const MultibodySystem system(model);
  DormandPrince stepper(
      {.rtol_position = 1e-12, .atol_position = 1e-12, .rtol_velocity = 1e-12, .atol_velocity = 1e-12});
  State state = system.initial_state();
  const double t = 1.7, w = std::sqrt(3.0);
  REQUIRE(run(system, stepper, state, {.step = 0.01, .end = t}, {}).status == Status::ok);
  const double decay = std::exp(-t);
  CHECK(coordinate(system, state, rail).displacement ==
        catena_test::relative(1.0 - decay * (std::cos(w * t) + std::sin(w * t) / w), 1e-9));

  // Full force as long as the error is large: s = limit t^2 / (2 m).
  Model bounded;
  const BodyId other =
      bounded.add(Body{.name = "cart", .mass = 2.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  const ConstraintId track = bounded.add(PrismaticJoint{.bodies = {ground, other}, .name = "rail"});
  bounded.add(JointPid{.joint = track,
                       .coordinate = JointCoordinate::displacement,
                       .target = -100.0,
                       .proportional = 8.0,
                       .limit = 0.5});
  const MultibodySystem slow(bounded);
  State moved = slow.initial_state();
  GeneralizedAlpha implicit;
  REQUIRE(run(slow, implicit, moved, {.step = 0.01, .end = 2.0}, {}).status == Status::ok);
  CHECK(coordinate(slow, moved, track).displacement == catena_test::relative(-0.5, 1e-11));
}

namespace pid_tests {

// A cart at rest that goes to s = 1: m s'' = P e + I z + D e', z' = e = 1 - s.
struct IntegralCart {
  static constexpr double m = 2.0, P = 9.0, I = 4.0, D = 6.0;
  Model model = {};
  ConstraintId rail{};

  explicit IntegralCart(double limit = 0.0, double target = 1.0) {
    const BodyId cart =
        model.add(Body{.name = "cart", .mass = m, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
    rail = model.add(PrismaticJoint{.bodies = {ground, cart}, .name = "rail"});
    model.add(JointPid{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .target = target,
                       .proportional = P,
                       .integral = I,
                       .derivative = D,
                       .limit = limit});
  }
};

// The same by RK4 with steps of 1e-4 s, far below the tolerances here: s, s', z.
std::array<double, 3> response(double end) {
  using X = std::array<double, 3>;
  const auto rate = [](const X& x) {
    return X{
        x[1],
        (IntegralCart::P * (1.0 - x[0]) + IntegralCart::I * x[2] - IntegralCart::D * x[1]) / IntegralCart::m,
        1.0 - x[0]};
  };
  const auto moved = [](const X& x, double h, const X& k) {
    return X{x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2]};
  };
  X x{0.0, 0.0, 0.0};
  const int steps = static_cast<int>(std::lround(end * 1e4));
  for (int n = 0; n < steps; ++n) {
    const double h = end / steps;
    const X a = rate(x), b = rate(moved(x, h / 2.0, a)), c = rate(moved(x, h / 2.0, b)),
            d = rate(moved(x, h, c));
    for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  }
  return x;
}

}  // namespace pid_tests

TEST_CASE(
    "a continuous integral keeps the order of methods up to four, and has the response of the equations") {
  const double end = 2.0;
  const std::array<double, 3> exact = response(end);
  const auto error = [&](Stepper& stepper, double h) {
    const IntegralCart cart;
    const MultibodySystem system(cart.model);
    State state = system.initial_state();
    REQUIRE(run(system, stepper, state, {.step = h, .end = end}, {}).status == Status::ok);
    const double* held = state.discrete.data() + system.discrete_offset(ForceId{0});
    return std::hypot(coordinate(system, state, cart.rail).displacement - exact[0], held[2] - exact[2]);
  };
  const auto order = [&](Stepper& coarse, Stepper& fine, double h) {
    return std::log2(error(coarse, h) / error(fine, h / 2.0));
  };
  GeneralizedAlpha alpha, alpha_fine;
  CHECK(order(alpha, alpha_fine, 0.02) == catena_test::relative(2.0, 0.03));
  const RadauOptions fixed{.control = RadauOptions::Control::fixed};
  Radau five(fixed), five_fine(fixed);  // z has order 4
  CHECK(order(five, five_fine, 0.1) == catena_test::relative(4.0, 0.02));
  DormandPrince adaptive(
      {.rtol_position = 1e-11, .atol_position = 1e-11, .rtol_velocity = 1e-11, .atol_velocity = 1e-11});
  CHECK(error(adaptive, 0.1) < 1e-9);
}

TEST_CASE("a continuous integral of an angle counts turns as the error does") {
  // J s'' = P e + I z + D e' of a wheel of 2 kg m^2 is the equation of the cart of 2 kg, here to 10 rad.
  const Wheel wheel({.target = 10.0,
                     .proportional = IntegralCart::P,
                     .integral = IntegralCart::I,
                     .derivative = IntegralCart::D});
  const MultibodySystem system(wheel.model);
  DormandPrince stepper(
      {.rtol_position = 1e-11, .atol_position = 1e-11, .rtol_velocity = 1e-11, .atol_velocity = 1e-11});
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = 0.1, .end = 2.0}, {}).status == Status::ok);
  const std::array<double, 3> exact = response(2.0);
  const double* held = state.discrete.data() + system.discrete_offset(wheel.motor);
  CHECK(10.0 * exact[0] > 7.0);  // beyond a turn
  CHECK(held[0] == catena_test::relative(10.0 * exact[0], 1e-8));
  CHECK(held[2] == catena_test::relative(10.0 * exact[2], 1e-7));
}

TEST_CASE("a continuous integral continues from a state as if the run had not been interrupted") {
  const IntegralCart cart;
  const MultibodySystem system(cart.model);
  GeneralizedAlpha whole, first, second;
  State expected = system.initial_state(), state = system.initial_state();
  REQUIRE(run(system, whole, expected, {.step = 0.01, .end = 2.0}, {}).status == Status::ok);
  REQUIRE(run(system, first, state, {.step = 0.01, .end = 1.0}, {}).status == Status::ok);
  REQUIRE(run(system, second, state, {.step = 0.01, .end = 2.0, .resume = true}, {}).status == Status::ok);
  // The instants of the grid, and so the intervals of z, differ in the last place.
  CHECK(coordinate(system, state, cart.rail).displacement ==
        catena_test::relative(coordinate(system, expected, cart.rail).displacement, 1e-13));
  const double *held = state.discrete.data(), *other = expected.discrete.data();
  for (int k = 0; k < 6; ++k) CHECK(held[k] == catena_test::relative(other[k], 1e-12));
}

TEST_CASE("a continuous integral does not wind up at the limit") {
  const IntegralCart cart(0.5, 3.0);
  const MultibodySystem system(cart.model);
  State state = system.initial_state();
  GeneralizedAlpha stepper;
  double largest = 0.0, plain = 0.0, largest_plain = 0.0;  // z, and the integral of e without a limit
  constexpr double dt = 0.1;
  for (int n = 1; n <= 400; ++n) {
    const double before = 3.0 - coordinate(system, state, cart.rail).displacement;
    REQUIRE(run(system, stepper, state, {.step = 0.01, .end = dt * n, .resume = n > 1}, {}).status ==
            Status::ok);
    const double* held = state.discrete.data() + system.discrete_offset(ForceId{0});
    plain += dt / 2.0 * (before + 3.0 - coordinate(system, state, cart.rail).displacement);
    largest = std::max(largest, std::abs(held[2]));
    largest_plain = std::max(largest_plain, std::abs(plain));
  }
  CHECK(coordinate(system, state, cart.rail).displacement == catena_test::relative(3.0, 1e-4));
  CHECK(largest_plain > 5.0);
  CHECK(largest < 0.2 * largest_plain);
}

TEST_CASE("the force of a bounded integral does not jump at the end of a step, where z is brought up") {
  const Function target = 0.3;
  const detail::ControllerLaw law{&target, 4.0, 2.0, 1.0, 1.5, 0.0};
  int at_limit = 0;
  for (std::size_t n = 0; n < 1000; ++n) {
    std::size_t k = 7 * n;
    const auto next = [&k] { return 2.0 * detail::scattered(k++) - 1.0; };
    const double s = next(), rate = next(), t = 1.0 + 0.5 * next();
    double held[5] = {1.0, next(), next(), next(), t - 0.4};
    const double before = law.at(s, rate, t, held).force;
    law.follow(s, rate, t, held);
    CHECK(law.at(s, rate, t, held).force == catena_test::relative(before, 1e-13));
    if (std::abs(before) >= law.limit) ++at_limit;
  }
  CHECK(at_limit > 100);
}

TEST_CASE("what a controller supplies is in the balance of energy") {
  const Wheel wheel(sampled());
  const MultibodySystem system(wheel.model);
  State state = system.initial_state();
  GeneralizedAlpha stepper;
  const RunResult result = run(system, stepper, state, {.step = 0.025, .end = 4.0}, {});
  CHECK(result.status == Status::ok);
  for (const Remark& remark : result.remarks) CHECK(remark.key != RemarkKey::energy);
}

TEST_CASE("controllers that make no sense are refused with the member") {
  const auto refusal = [](const JointPid& pid) {
    try {
      Wheel{pid};
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal({.limit = -1.0}).find("limit") != std::string::npos);
  CHECK(refusal({.period = -0.1}).find("period") != std::string::npos);
  CHECK(refusal({.coordinate = JointCoordinate::displacement}) ==
        "force \"motor\" (pid): joint: joint \"axle\" (revolute) holds its displacement itself");
}
