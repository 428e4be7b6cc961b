#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/allocation_count.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace runge_kutta_4_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// x'' = -x + x^2 / 4 - v / 10 + sin t: smooth, nothing in it is linear alone.
struct Swing {
  static constexpr int coordinates = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>& q) const {
    return {{1.0 + 0.1 * q[0] * q[0]}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>& v, const S& t) const {
    return {{0.25 * q[0] * q[0] - q[0] - 0.1 * v[0] + sin(t)}};
  }
};

// A body that nothing holds, tumbling.
Model free_body() {
  Model model;
  model.add(Body{.mass = 2.0,
                 .inertia = diagonal(Vec3{{0.1, 0.25, 0.3}}),
                 .velocity = {{0.3, -0.2, 0.1}},
                 .angular_velocity = {{1.0, 2.0, -0.5}}});
  return model;
}

SpaceManipulator manipulator() {
  SpaceManipulatorParameters p;
  p.passage = ManipulatorPassage::none;
  return SpaceManipulator(p);
}

State run(const System& system, double h, double end) {
  RungeKutta4 stepper;
  REQUIRE(stepper.refuses(system).empty());
  State s = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(s, h).status == Status::ok);
  for (long k = 0; k < std::lround(end / h); ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
  return s;
}

// Largest distances of q (through difference(), or as numbers where q is integrated as such) and of v.
std::pair<double, double> distance(const System& system, const State& a, const State& b) {
  double q = 0.0, v = 0.0;
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  for (std::size_t k = 0; k < d.size(); ++k) {
    q = std::max(q, std::abs(d[k]));
    v = std::max(v, std::abs(a.v[k] - b.v[k]));
  }
  return {q, v};
}

}  // namespace

TEST_CASE(
    "runge_kutta_4: q and v are of order 4, as plain numbers, on the group and by a kinematic equation") {
  // Three step sizes, differences of neighbours fall by 16; what is left of order 5 shifts the measured exponent by
  // less than h |f^(5)| / |f^(4)|, 0.2 here.
  const CoordinateSystem<Swing> swing(Swing{}, Vec<double, 1>{{0.5}}, Vec<double, 1>{{0.2}});
  const MultibodySystem body(free_body());
  const auto arms = manipulator().own_system();
  const System* systems[] = {&swing, &body, arms.get()};
  const double steps[] = {0.05, 0.05, 0.02};
  for (int k = 0; k < 3; ++k) {
    const System& system = *systems[k];
    CAPTURE(k);
    const double h = steps[k];
    const State coarse = run(system, h, 0.6), fine = run(system, h / 2, 0.6),
                finest = run(system, h / 4, 0.6);
    const auto [q1, v1] = distance(system, coarse, fine);
    const auto [q2, v2] = distance(system, fine, finest);
    CHECK(std::log2(q1 / q2) == catena_test::relative(4.0, 0.05));
    CHECK(std::log2(v1 / v2) == catena_test::relative(4.0, 0.05));
  }
}

TEST_CASE("runge_kutta_4: between the steps it interpolates with order 4 per step") {
  const auto arms = manipulator().own_system();
  const MultibodySystem body(free_body());
  for (const System* system : {static_cast<const System*>(arms.get()), static_cast<const System*>(&body)}) {
    const auto error = [&](double h) {
      RungeKutta4 stepper;
      State s = system->initial_state();
      REQUIRE(stepper.attach(*system).status == Status::ok);
      REQUIRE(stepper.start(s, h).status == Status::ok);
      REQUIRE(stepper.step(s, h).status == Status::ok);
      State between = s;
      stepper.interpolate(0.4, between.q.data(), between.v.data());
      const auto [q, v] = distance(*system, between, run(*system, 0.4 * h / 4, 0.4 * h));
      State end = s;
      stepper.interpolate(1.0, end.q.data(), end.v.data());
      CHECK(distance(*system, end, s).first < 1e-14);
      CHECK(distance(*system, end, s).second < 1e-14);
      return std::max(q, v);
    };
    // the polynomial leaves h^4 / 384 y'''' at worst: 16 for half the step
    CHECK(std::log2(error(0.04) / error(0.02)) > 3.7);
  }
}

TEST_CASE("runge_kutta_4: constraints are refused with the steppers that take them") {
  Model model = free_body();
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}});
  const MultibodySystem system(model);
  CHECK(RungeKutta4().refuses(system) ==
        "runge_kutta_4 solves no constraints, and this system has 3 rows of them: take dormand_prince, which "
        "projects on them, or an implicit stepper");
}

TEST_CASE("runge_kutta_4: a step allocates nothing, and the state alone continues a run") {
  EulerBallJointParameters p;  // with a discrete state that changes on the way
  const auto system = EulerBallJoint(p).own_system();
  const double h = 1e-3;
  RungeKutta4 stepper, other;
  State s = system->initial_state();
  REQUIRE(stepper.attach(*system).status == Status::ok);
  REQUIRE(stepper.start(s, h).status == Status::ok);
  REQUIRE(stepper.step(s, h).status == Status::ok);
  if (test::allocation_counting_works())
    CHECK(test::count_allocations([&] {
            for (int k = 0; k < 310; ++k) stepper.step(s, h);
          }) == 0);
  State copy = s;
  REQUIRE(other.attach(*system).status == Status::ok);
  for (int k = 0; k < 50; ++k) {
    REQUIRE(stepper.step(s, h).status == Status::ok);
    REQUIRE(other.step(copy, h).status == Status::ok);
  }
  CHECK(s.q == copy.q);
  CHECK(s.v == copy.v);
  CHECK(s.a == copy.a);
}

TEST_CASE("runge_kutta_4: a failed step leaves the state untouched and names the joint") {
  EulerBallJointParameters p;
  p.form = BallJointForm::plain;
  const auto system = EulerBallJoint(p).own_system();
  const double h = 1e-3;
  RungeKutta4 stepper;
  State s = system->initial_state();
  REQUIRE(stepper.attach(*system).status == Status::ok);
  REQUIRE(stepper.start(s, h).status == Status::ok);
  State before;
  Outcome outcome;
  for (int k = 0; k < 600 && outcome.status == Status::ok; ++k) {
    before = s;
    outcome = stepper.step(s, h);
  }
  CHECK(outcome.status == Status::singular_kkt);
  CHECK(outcome.culprit.name == "ball joint \"pivot\" (Euler angles)");
  CHECK(outcome.h_taken == 0.0);
  CHECK(s.t == before.t);
  CHECK(s.q == before.q);
  CHECK(s.v == before.v);
  CHECK(s.a == before.a);
  CHECK(s.discrete == before.discrete);
}

// m = q, pulled towards q = 0 and beyond.
struct Evaporating {
  static constexpr int coordinates = 1;
  static constexpr const char* name = "drop";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>& q) const {
    return {{q[0]}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>&, const S&) const {
    return {{S(-1.0)}};
  }
};

TEST_CASE("a mass that becomes negative on the way ends the run by its name") {
  const CoordinateSystem<Evaporating> system(Evaporating{}, Vec<double, 1>{{0.5}}, Vec<double, 1>{{-1.0}});
  RungeKutta4 stepper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 0.01, .end = 1.0});
  CHECK(result.reason() == Status::singular_kkt);
  CHECK(result.culprit.name == "coordinates of \"drop\"");
  CHECK(result.culprit.quantity == "mass matrix not positive definite");
  CHECK(state.q[0] > 0.0);
}

struct Unscaled : Evaporating {
  Vec<double, 1> scale() const { return {{-1.0}}; }
};

TEST_CASE("scales of velocities that are no sizes are refused") {
  const CoordinateSystem<Unscaled> system(Unscaled{}, Vec<double, 1>{{0.5}}, Vec<double, 1>{{-1.0}});
  RungeKutta4 stepper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 0.01, .end = 0.1});
  CHECK(result.status == Status::unsupported);
  CHECK(result.message.find("SystemLayout::scale of the system has -1 for velocity 0") != std::string::npos);
}

}  // namespace runge_kutta_4_tests
