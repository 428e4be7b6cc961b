// The discrete action on the chain of four boxes (methods: X. M. Xu, W. X. Zhong 2014), at h = 0.002 unless
// said otherwise; figures were computed independently. The long run is in discrete_action.long.cpp.
#include <catena/driver/detail/remarks.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/sparse/backends/detail/klu.hpp>

#include "solvers/discrete_action_support.hpp"
#include "support/allocation_count.hpp"
#include "support/few_cases.hpp"
#include "support/relative.hpp"
#include "support/same_state.hpp"

#include <doctest/doctest.h>

#include <array>

namespace discrete_action_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using namespace catena_test;

Model box_chain(double gravity = 9.8) {
  BoxChainParameters parameters;
  parameters.gravity = gravity;
  return BoxChain(parameters).model();
}

// Turns about the origin like one rigid body: v = W x x, omega = R^T W.
Model spinning(Model model, const Vec3& W) {
  for (int k = 0; k < model.body_count(); ++k) {
    Body& b = model.body(BodyId{k});
    b.velocity = cross(W, b.position);
    b.angular_velocity = transpose_times(rotation_matrix(b.orientation), W);
  }
  return model;
}

// (x~, z) of the centres at T = 1 by the planar four-link equations, x~ = (-x + y)/sqrt 2.
double planar_error(const State& s) {
  constexpr double reference[4][2] = {{0.3433760289, -1.4601687926},
                                      {1.6715346532, -4.0517982516},
                                      {3.7669461444, -6.1914768786},
                                      {6.3271489944, -6.8140326150}};
  double error = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double across = (s.q[7 * k + 1] - s.q[7 * k]) / std::sqrt(2.0);
    error = std::max({error, std::abs(across - reference[k][0]), std::abs(s.q[7 * k + 2] - reference[k][1])});
  }
  return error;
}

// log2 of the ratio of the distances of three runs at h, h/2, h/4.
double measured_order(const QuaternionSystem& system, double end, double h,
                      std::vector<double> State::*what) {
  std::array<std::vector<double>, 3> x;
  for (std::size_t k = 0; k < 3; ++k) {
    Run run(system, h / std::pow(2.0, static_cast<double>(k)));
    run.until(end);
    x[k] = run.state.*what;
  }
  return std::log2(distance(x[0], x[1]) / distance(x[1], x[2]));
}

}  // namespace

TEST_CASE("box chain: at T = 1 the error against the planar reference is 5.592e-6, by one factor a step") {
  const QuaternionSystem system(box_chain());
  Run run(system, 0.002);
  CHECK(run.energy() == catena_test::relative(-997.8690896, 1e-10));
  double lowest = 0.0, highest = 0.0, joints = 0.0, norms = 0.0, rates = 0.0, second = 0.0, force = 0.0,
         arm = 0.0;
  const double initial = run.energy();
  for (int k = 0; k < 500; ++k) {
    run.step();
    lowest = std::min(lowest, run.energy() - initial);
    highest = std::max(highest, run.energy() - initial);
    const std::vector<double> g = residual_rows(system, run.state, &Evaluation::position);
    for (std::size_t i = 0; i < g.size(); ++i) {
      double& worst = i < 12 ? joints : norms;
      worst = std::max(worst, std::abs(g[i]));
    }
    rates = std::max(rates, run.residual(&Evaluation::velocity));
    second = std::max(second, run.residual(&Evaluation::acceleration));
    force = std::max(force, run.residual(&Evaluation::balance));
    const std::vector<double>& q = run.state.q;
    arm = std::max(arm, std::abs(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 1.5));
  }
  CHECK(planar_error(run.state) == catena_test::relative(5.592e-6, 2e-4));
  // The first step makes Newton's own matrix and takes three iterations; by the factor of the node the others take two, and
  // a third where the boxes have become fast (1053 in all).
  CHECK(run.stepper.statistics().newton_iterations <= 1075);
  CHECK(run.stepper.statistics().factorizations == 501);
  // Roundoff of numbers of size 10 (positions), 10 (velocities), 100 (accelerations) and 1e3 (forces).
  CHECK(joints < 1e-14);
  CHECK(norms < 1e-15);
  CHECK(arm < 1.1e-15);
  CHECK(rates < 1e-13);
  CHECK(second < 1e-11);
  CHECK(force < 1e-10);
  CHECK(lowest > -1.8e-3);
  CHECK(highest < 1e-9);
}

TEST_CASE("box chain: order 2.000 against the planar reference") {
  const QuaternionSystem system(box_chain());
  std::array<double, 2> error{};
  for (std::size_t k = 0; k < 2; ++k) {
    Run run(system, k == 0 ? 0.004 : 0.002);
    run.until(1.0);
    error[k] = planar_error(run.state);
  }
  CHECK(std::log2(error[0] / error[1]) == catena_test::relative(2.0, 0.002));
}

TEST_CASE("heavy top, helix chain: order 2 in q, v, a and lambda") {
  const QuaternionSystem top(HeavyTop().model());
  HelixChainParameters parameters;
  parameters.n = catena_test::few_cases ? 3 : 10;
  const QuaternionSystem helix(HelixChain(parameters).model());
  for (std::vector<double> State::*what : {&State::q, &State::v, &State::a, &State::lambda}) {
    CHECK(measured_order(top, 0.1, 2.5e-4, what) == catena_test::relative(2.0, 0.025));
    CHECK(measured_order(helix, 0.5, 2.5e-3, what) == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE("box chain: 500 steps and back return to the start") {
  const QuaternionSystem system(box_chain());
  Run there(system, 0.002);
  there.steps(500);
  State turned = there.state;
  for (double& v : turned.v) v = -v;
  Run back(system, 0.002, turned);
  back.steps(500);
  const State initial = system.initial_state();
  CHECK(distance(back.state.q, initial.q) < 1e-11);
  CHECK(largest(back.state.v) < 1e-11);
}

TEST_CASE("box chain without gravity: angular momentum about the fixed point is kept to 1e-9") {
  const QuaternionSystem system(spinning(box_chain(0.0), {{0.3, -0.5, 0.7}}));
  Run run(system, 0.002);
  const Vec3 before = momentum(system, run.state).angular;
  double drift = 0.0;
  for (int k = 0; k < 2000; ++k) {
    run.step();
    drift = std::max(drift, norm(momentum(system, run.state).angular - before));
  }
  CHECK(drift < 1e-9);
}

TEST_CASE("free chain without gravity: linear and angular momentum are kept to 1e-9") {
  // The box chain without its joint to ground, two boxes spinning against each other.
  const Model chain = box_chain(0.0);
  Model model;
  for (const Body& b : chain.bodies()) model.add(b);
  for (int k = 1; k < 4; ++k)
    model.add(SphericalJoint{
        .bodies = {BodyId{k - 1}, BodyId{k}}, .point_a = {{0, 0, -1.5}}, .point_b = {{0, 0, 1.5}}});
  model.body(BodyId{0}).angular_velocity = {{0.4, 0.2, 1.0}};
  model.body(BodyId{3}).velocity = {{-0.5, 1.0, 0.3}};
  const QuaternionSystem system(model);
  Run run(system, 0.002);
  const Momentum before = momentum(system, run.state);
  run.steps(1000);
  const Momentum after = momentum(system, run.state);
  CHECK(norm(after.linear - before.linear) < 1e-9);
  CHECK(norm(after.angular - before.angular) < 1e-9);
}

TEST_CASE("box chain: the Newton matrix is symmetric up to order h") {
  // A = [h D2D1L, -C_k^T; -C_k+1, 0] at a step of the falling chain; its antisymmetric part halves with h.
  const QuaternionSystem system(box_chain());
  const auto asymmetry = [&](double h) {
    Run run(system, h);
    run.until(0.9);
    const std::vector<double> before = run.state.q;
    run.step();
    return newton_matrix_asymmetry(system, before, run.state.q, h);
  };
  const double coarse = asymmetry(0.002), fine = asymmetry(0.001);
  MESSAGE("asymmetry at t = 0.9: ", coarse);
  CHECK(coarse > 1e-4);
  CHECK(coarse < 1.6e-2);
  CHECK(coarse / fine == catena_test::relative(2.0, 0.025));
}

TEST_CASE("a step allocates nothing") {
  if (!test::allocation_counting_works()) return;
  const QuaternionSystem system(box_chain());
  Run run(system, 0.002);
  run.steps(2);
  CHECK(test::count_allocations([&] { run.steps(10); }) == 0);
}

TEST_CASE("a copied state continues bit by bit with another stepper") {
  const QuaternionSystem system(box_chain());
  Run run(system, 0.002);
  run.steps(50);
  State copy = run.state;
  run.steps(50);
  DiscreteAction other;
  REQUIRE(other.attach(system).status == Status::ok);
  for (int k = 0; k < 50; ++k) REQUIRE(other.step(copy, 0.002).status == Status::ok);
  CHECK(catena_test::same_state(copy, run.state));
}

TEST_CASE("an unconverged step is refused: the state is untouched and the worst residual has an owner") {
  const QuaternionSystem system(box_chain());
  Run run(system, 0.002);
  run.steps(300);
  DiscreteActionOptions options;
  options.max_newton_iterations = 1;
  DiscreteAction hasty(options);
  REQUIRE(hasty.attach(system).status == Status::ok);
  State s = run.state;
  const Outcome outcome = hasty.step(s, 0.05);
  CHECK(outcome.status == Status::newton_not_converged);
  CHECK(recoverable(outcome.status));
  CHECK(outcome.h_taken == 0.0);
  CHECK_FALSE(outcome.culprit.name.empty());
  CHECK((outcome.culprit.quantity == "position residual" || outcome.culprit.quantity == "force balance"));
  CHECK(outcome.culprit.value != 0.0);
  CHECK(s.t == run.state.t);
  CHECK(s.q == run.state.q);
  CHECK(s.memory == run.state.memory);
  CHECK(hasty.statistics().rejected_steps == 1);
}

TEST_CASE("inconsistent velocities are projected and reported, inconsistent positions refused") {
  Model model = box_chain();
  model.body(BodyId{1}).velocity = {{0.5, 0.0, 0.0}};
  const QuaternionSystem system(model);
  Run run(system, 0.002);
  const Culprit found = inconsistent_velocity(system, system.initial_state());
  CHECK(found.quantity == "velocity residual removed at the start");
  CHECK(std::abs(found.value) == catena_test::relative(0.5, 1e-5));
  CHECK(run.residual(&Evaluation::velocity) < 1e-14);
  CHECK(largest(run.state.v) > 0.1);

  Model apart = box_chain();
  apart.body(BodyId{2}).position[0] += 1e-3;
  const QuaternionSystem broken(apart);
  DiscreteAction stepper;
  REQUIRE(stepper.attach(broken).status == Status::ok);
  State s = broken.initial_state();
  const Outcome outcome = stepper.start(s, 0.002);
  CHECK(outcome.status == Status::inconsistent_start);
  CHECK(outcome.culprit.quantity ==
        "position residual (correct the initial positions, or call project_positions)");
  CHECK(std::abs(outcome.culprit.value) == catena_test::relative(1e-3, 1e-6));
}

TEST_CASE("duplicated joints keep the motion and bounded multipliers") {
  Model twice = box_chain();
  twice.add(
      SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .point_a = {{0, 0, -1.5}}, .point_b = {{0, 0, 1.5}}});
  const QuaternionSystem single(box_chain()), redundant(twice);
  Run a(single, 0.002), b(redundant, 0.002);
  a.steps(200);
  b.steps(200);
  CHECK(distance(a.state.q, b.state.q) < 1e-9);
  CHECK(largest(b.state.lambda) < 2.0 * largest(a.state.lambda));
}

TEST_CASE("interpolation joins the steps and is of order 4 in q") {
  const QuaternionSystem system(box_chain());
  const auto error = [&](double h) {
    Run coarse(system, h), fine(system, 0.5 * h);
    coarse.until(0.4);
    fine.until(0.4);
    coarse.step();
    std::vector<double> q(coarse.state.q.size()), v(q.size());
    coarse.stepper.interpolate(1.0, q.data(), v.data());
    CHECK(distance(q, coarse.state.q) < 1e-15);
    CHECK(distance(v, coarse.state.v) < 1e-13);
    coarse.stepper.interpolate(0.5, q.data(), v.data());
    fine.step();
    return distance(q, fine.state.q);  // both carry their own error of order h^2
  };
  CHECK(error(0.01) < 2e-3);
  CHECK(std::log2(error(0.01) / error(0.005)) == catena_test::relative(2.0, 0.025));
}

TEST_CASE("systems without a Lagrangian in plain coordinates are refused with a sentence") {
  struct SixVelocities : QuaternionSystem {
    using QuaternionSystem::QuaternionSystem;
    bool has_lagrangian() const override { return false; }
  };
  const SixVelocities system(box_chain());
  DiscreteAction stepper;
  CHECK_FALSE(stepper.refuses(system).empty());
  CHECK(stepper.attach(system).status == Status::unsupported);
}

TEST_CASE("options list every number once with its range") {
  struct Collect : OptionVisitor {
    std::vector<std::string> names;
    void real(const OptionInfo& info, double& value) override {
      names.emplace_back(info.name);
      CHECK(value >= info.minimum);
      CHECK(value <= info.maximum);
    }
    void integer(const OptionInfo& info, int& value) override {
      names.emplace_back(info.name);
      CHECK(value >= info.minimum);
      CHECK(value <= info.maximum);
    }
    void flag(const OptionInfo& info, bool&) override { names.emplace_back(info.name); }
    void text(const OptionInfo& info, std::string&) override { names.emplace_back(info.name); }
    void choice(const OptionInfo& info, int&, const std::vector<std::string>&) override {
      names.emplace_back(info.name);
    }
  } collect;
  DiscreteActionOptions options;
  visit(collect, options);
  CHECK(collect.names == std::vector<std::string>{"newton_tolerance", "max_newton_iterations", "proximal",
                                                  "guards", "guard_dependent_rows", "guard_pole"});
}

TEST_CASE("springs and dampers: order 2 with forces that have no potential") {
  // Two boxes on a ball joint, tied by a spring-damper off their axes: every block of K and D is at work.
  const Model chain = box_chain();
  Model model;
  model.gravity = chain.gravity;
  for (int k = 0; k < 2; ++k) model.add(chain.body(BodyId{k}));
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = {{0, 0, 1.5}}});
  model.add(
      SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .point_a = {{0, 0, -1.5}}, .point_b = {{0, 0, 1.5}}});
  model.add(SpringDamper{.bodies = {BodyId{0}, BodyId{1}},
                         .point_a = {{0.5, 0.2, 0.0}},
                         .point_b = {{0.5, -0.2, 0.5}},
                         .stiffness = 400.0,
                         .damping = 60.0,
                         .rest_length = 1.0});
  model.add(SpringDamper{
      .bodies = {ground, BodyId{1}}, .point_a = {{1.0, 1.0, -1.0}}, .stiffness = 50.0, .damping = 20.0});
  const QuaternionSystem system(model);
  for (std::vector<double> State::*what : {&State::q, &State::v, &State::lambda})
    CHECK(measured_order(system, 0.4, 4e-3, what) == catena_test::relative(2.0, 0.025));
  Run run(system, 4e-3);
  const double initial = run.energy();
  run.until(0.4);
  CHECK(run.energy() < initial - 1.0);  // dissipated
  // By the factor of the node, which has neither springs nor dampers.
  CHECK(run.stepper.statistics().newton_iterations <= 5 * run.stepper.statistics().steps);
  CHECK(run.stepper.statistics().factorizations <= run.stepper.statistics().steps + 10);
}

TEST_CASE("where forces are stiff the factor of the node does not serve, and Newton's own matrix is made") {
  // Along the spring Newton's matrix is m + h^2 k / 4, five times that of the node.
  Model model;
  const BodyId body = model.add(Body{.mass = 1.0, .position = {{1.01, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, body}, .stiffness = 1.6e5, .rest_length = 1.0});
  const QuaternionSystem system(model);
  Run run(system, 1e-2);
  const double initial = run.energy();
  for (int k = 0; k < 320; ++k) {
    run.step();
    // The midpoint rule keeps a quadratic energy.
    CHECK(std::abs(run.energy() - initial) < 1e-10 * initial);
  }
  // Two a step: its own, and that of its end.
  CHECK(run.stepper.statistics().factorizations >= 640);
  CHECK(run.stepper.statistics().factorizations <= 660);
  CHECK(run.stepper.statistics().rejected_steps == 0);
}

namespace {

// Crank, coupler and rocker in the plane z = 0 on four hinges along z, axes of all bodies along the world's:
// 20 rows for 18 velocities and one freedom, so that three rows are redundant.
Model four_bar() {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const auto bar = [&](const Vec3& centre, const Vec3& extent) {
    Body b;
    b.mass = 1.0;
    const double swing = dot(extent, extent) / 12.0, twist = 0.01;
    b.inertia = Mat3::Zero();
    for (int i = 0; i < 3; ++i) b.inertia(i, i) = extent[i] != 0.0 ? twist : swing;
    b.position = centre;
    return model.add(b);
  };
  const BodyId crank = bar({{0.0, 0.5, 0.0}}, {{0.0, 1.0, 0.0}}),
               coupler = bar({{1.0, 1.0, 0.0}}, {{2.0, 0.0, 0.0}}),
               rocker = bar({{2.0, 0.5, 0.0}}, {{0.0, 1.0, 0.0}});
  const Vec3 low{{0.0, -0.5, 0.0}}, high{{0.0, 0.5, 0.0}};
  model.add(RevoluteJoint{.bodies = {ground, crank}, .point_b = low});
  model.add(RevoluteJoint{.bodies = {crank, coupler}, .point_a = high, .point_b = {{-1.0, 0.0, 0.0}}});
  model.add(RevoluteJoint{.bodies = {coupler, rocker}, .point_a = {{1.0, 0.0, 0.0}}, .point_b = high});
  model.add(RevoluteJoint{.bodies = {ground, rocker}, .point_a = {{2.0, 0.0, 0.0}}, .point_b = low});
  return model;
}

}  // namespace

TEST_CASE("a closed four-bar along the axes stays at rest, though three of its rows are redundant") {
  const QuaternionSystem system(four_bar());
  Run run(system, 1e-3);
  const State start = run.state;
  run.steps(200);
  // Roundoff of the redundant rows, 1e-16 over a proximal term of 1e-12, bounds what the multipliers drift.
  CHECK(distance(run.state.q, start.q) < 1e-14);
  CHECK(largest(run.state.v) < 1e-14);
  // Both uprights carry themselves and half of the coupler: 1.5 m g in the lower hinges.
  CHECK(largest(run.state.lambda) == catena_test::relative(1.5 * 9.81, 1e-3));
  CHECK(run.stepper.statistics().newton_iterations <= 2 * 200);
}

TEST_CASE(
    "a closed four-bar in motion keeps its multipliers bounded and its energy to the order of the method") {
  Model model = four_bar();
  const double rate = 3.0;  // [rad/s] of crank and rocker; the coupler translates
  for (const int upright : {0, 2}) {
    model.body(BodyId{upright}).angular_velocity = {{0.0, 0.0, rate}};
    model.body(BodyId{upright}).velocity = {{-0.5 * rate, 0.0, 0.0}};
  }
  model.body(BodyId{1}).velocity = {{-rate, 0.0, 0.0}};
  const QuaternionSystem system(model);
  const auto energy_error = [&](double h) {
    Run run(system, h);
    const double initial = run.energy();
    double error = 0.0, force = 0.0;
    for (int k = 0; k * h < 0.5; ++k) {
      run.step();
      error = std::max(error, std::abs(run.energy() - initial));
      force = std::max(force, largest(run.state.lambda));
    }
    // Weight of all three and centripetal forces at 1 m; the speed grows by the fall from the top, 2 m.
    const double fastest = rate * rate + 2.0 * 9.81 * 2.0 * 2.0;
    CHECK(force < 3.0 * (9.81 + fastest));
    CHECK(run.stepper.statistics().rejected_steps == 0);
    return error;
  };
  const double coarse = energy_error(4e-3), fine = energy_error(2e-3);
  CHECK(std::log2(coarse / fine) == catena_test::relative(2.0, 0.025));
}

TEST_CASE("an indefinite matrix goes to the pivoting fallback or cuts the step, and names the body") {
  // A spring that pushes with -k: H = m - h^2 k / 4 along it, indefinite from h = 2 sqrt(m / k) = 6.3e-3 on.
  Model model;
  const BodyId body = model.add(Body{.name = "pushed", .mass = 1.0, .position = {{1.0, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, body}, .stiffness = -1e5, .rest_length = 1.0});
  const QuaternionSystem system(model);
  Run run(system, 1e-2);
  State s = run.state;
  const Outcome outcome = run.stepper.step(s, 1e-2);
  CHECK(outcome.status == Status::singular_kkt);
  CHECK(recoverable(outcome.status));
  CHECK(outcome.culprit.name == "body \"pushed\"");
  CHECK(s.q == run.state.q);
  CHECK(run.stepper.step(s, 5e-3).status == Status::ok);

  DiscreteAction pivoting({}, {}, [] { return make_klu(); });
  State other = system.initial_state();
  REQUIRE(pivoting.attach(system).status == Status::ok);
  REQUIRE(pivoting.start(other, 1e-2).status == Status::ok);
  CHECK(pivoting.step(other, 1e-2).status == Status::ok);
  CHECK(pivoting.statistics().indefinite_factorizations > 0);
}

}  // namespace discrete_action_tests
