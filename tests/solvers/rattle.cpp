// RATTLE in six coordinates and its compositions: orders, what is kept, and what is refused.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/solvers/rattle.hpp>
#include <catena/studies/detail/audit_symplectic.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rattle_tests {

using namespace catena;

namespace {

// A spring to the origin whose potential is no template, and a drag.
struct NumbersAlone {
  std::array<BodyId, 1> bodies;
  double drag = 0.0;  // [N s/m]
  std::string name = {};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    for (int k = 0; k < 3; ++k) w[k] = S(-10.0) * A.x[k] - S(drag) * A.v[k];
    return w;
  }
  double potential(const BodyFrame<double>& A, double) const { return 5.0 * dot(A.x, A.x); }
};

using Order = RattleOptions::Order;
using Newton = RattleOptions::Newton;

State end_of(const System& system, const RattleOptions& options, double h, int steps,
             StepperStatistics* counts = nullptr) {
  Rattle stepper(options);
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
  if (counts != nullptr) *counts = stepper.statistics();
  return state;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

struct Errors {
  double q, v, lambda;
};

Errors errors_of(const System& system, const State& state, const State& exact) {
  std::vector<double> d(state.v.size());
  system.difference(exact.q.data(), state.q.data(), d.data());
  return {largest_difference(d, std::vector<double>(d.size())), largest_difference(state.v, exact.v),
          largest_difference(state.lambda, exact.lambda)};
}

// Of q, v and lambda by the errors at h and h/2.
Errors orders(const System& system, Order order, double h, int steps, const State& exact) {
  const Errors coarse = errors_of(system, end_of(system, {.order = order}, h, steps), exact),
               fine = errors_of(system, end_of(system, {.order = order}, 0.5 * h, 2 * steps), exact);
  return {std::log2(coarse.q / fine.q), std::log2(coarse.v / fine.v), std::log2(coarse.lambda / fine.lambda)};
}

std::string refusal(const System& system, const RattleOptions& options = {}) {
  return Rattle(options).refuses(system);
}

bool names(const std::string& sentence, const std::string& name) {
  return sentence.find(name) != std::string::npos;
}

// A pendulum with what `add` puts on it.
template <class Add>
std::string refusal_with(const Add& add, const RattleOptions& options = {}) {
  Model model;
  const BodyId link = model.add(Body{.name = "link", .position = {{0.5, 0.0, 0.0}}});
  const ConstraintId pin =
      model.add(RevoluteJoint{.bodies = {ground, link}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "pin"});
  add(model, link, pin);
  return refusal(MultibodySystem(std::move(model)), options);
}

}  // namespace

TEST_CASE("a free body keeps its momentum: p' = exp(-xi~) p turns with the body") {
  Model model;
  model.gravity = Vec3::Zero();
  model.add(Body{.mass = 1.0,
                 .inertia = diagonal(Vec3{{1.0, 2.0, 2.5}}),
                 .velocity = {{0.3, 0.0, 0.0}},
                 .angular_velocity = {{0.4, 2.0, -3.0}}});
  const MultibodySystem body(std::move(model));
  const auto momentum = [&](const State& s) {
    const RigidBodyState b = body.bodies(s)[0];
    return rotation_matrix(b.orientation) *
           Vec3{{b.angular_velocity[0], 2.0 * b.angular_velocity[1], 2.5 * b.angular_velocity[2]}};
  };
  const Vec3 first = momentum(body.initial_state());
  for (const Newton newton : {Newton::simplified, Newton::whole}) {
    const State end = end_of(body, {.newton = newton}, 0.05, 500);
    CHECK(norm(momentum(end) - first) <= 1e-13 * norm(first));  // 500 products of rotations
  }
}

TEST_CASE("rattle and its compositions are of order 2, 4, 6 and 8 in q, v and lambda on the heavy top") {
  const MultibodySystem top(HeavyTop().model());
  constexpr double end = 0.02;
  const State exact = end_of(top, {.order = Order::eight}, end / 24, 24);
  const auto check = [&](Order order, int steps, double expected) {
    CAPTURE(expected);
    const Errors o = orders(top, order, end / steps, steps, exact);
    for (const double measured : {o.q, o.v, o.lambda}) {
      CAPTURE(measured);
      CHECK(std::abs(measured - expected) <= 0.05);
    }
  };
  check(Order::two, 160, 2.0);
  check(Order::four, 32, 4.0);
  check(Order::six, 6, 6.0);
}

TEST_CASE("both compositions of order 8: errors of half of the step") {
  const MultibodySystem top(HeavyTop().model());
  constexpr double end = 0.02;
  const State exact = end_of(top, {.order = Order::eight}, end / 24, 24);
  for (const Order order : {Order::eight, Order::eight_short}) {
    const int steps = order == Order::eight ? 3 : 4;
    const Errors o = orders(top, order, end / steps, steps, exact);
    CAPTURE(o.v);
    CAPTURE(o.lambda);
    CHECK(std::abs(o.q - 8.0) <= 0.1);  // measured: 8.06, 8.02; the next term is of order 10
  }
}

// Where it is flat, a parallelogram meets the branch on which its bars cross. Without loads its exact motion turns with a constant
// rate. An iteration with the matrix of the node diverges behind the flat position, from roundoff, and met the other branch by chance
// with 16 of 40 steps.
TEST_CASE("a parallelogram keeps its branch through flat positions, whatever the step") {
  Model model;
  const Quat upright{std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)};
  const auto crank = [&](const char* name, double x) {
    return model.add(Body{.name = name,
                          .inertia = diagonal(Vec3{{0.01, 0.1, 0.1}}),
                          .position = {{x, 0.5, 0.0}},
                          .orientation = upright,
                          .velocity = {{-1.0, 0.0, 0.0}},
                          .angular_velocity = {{0.0, 0.0, 2.0}}});
  };
  const BodyId left = crank("left", 0.0), right = crank("right", 2.0);
  const BodyId bar = model.add(Body{.name = "bar",
                                    .mass = 2.0,
                                    .inertia = diagonal(Vec3{{0.01, 0.7, 0.7}}),
                                    .position = {{1.0, 1.0, 0.0}},
                                    .velocity = {{-2.0, 0.0, 0.0}}});
  const auto hinge = [&](BodyId a, BodyId b, double x, double y) {
    model.add(joint_at<RevoluteJoint>(model, a, b, {.point = {{x, y, 0.0}}, .axis = Vec3::Unit(2)}));
  };
  hinge(ground, left, 0.0, 0.0);
  hinge(left, bar, 0.0, 1.0);
  hinge(bar, right, 2.0, 1.0);
  hinge(right, ground, 2.0, 0.0);
  const MultibodySystem system(model);
  int ended = 0;
  for (const Newton newton : {Newton::automatic, Newton::whole})
    for (const Order order : {Order::two, Order::four})
      for (int k = 0; k < 12; ++k) {
        const double h = 7e-4 * std::pow(3.0, k / 11.0);
        CAPTURE(h);
        Rattle stepper({.order = order, .newton = newton});
        State state = system.initial_state();
        const RunResult result = run(system, stepper, state, {.step = h, .end = 4.0}, {});
        CHECK(std::abs(state.v[5] - 2.0) < 1e-3);
        if (result.status == Status::ok) continue;
        CHECK(result.status == Status::step_too_small);
        ++ended;
      }
  CHECK(ended <= 2);  // of 48, by name, with a substep of order 4 that ends beside a flat position
}

// Between the next term of the error and roundoff fit one step of order 8 and its half: the order is seen to a tenth
// on the top (above), and here as what it is not less than.
TEST_CASE("orders hold on a closed loop with redundant rows") {
  const MultibodySystem loop(FourBar().model());
  constexpr double end = 0.2;
  const State exact = end_of(loop, {.order = Order::eight}, end / 40, 40);
  for (const auto& [order, steps, expected] :
       {std::tuple{Order::two, 40, 2.0}, std::tuple{Order::four, 20, 4.0}, std::tuple{Order::six, 8, 6.0}}) {
    const Errors o = orders(loop, order, end / steps, steps, exact);
    CHECK(std::abs(o.q - expected) <= 0.05);
    CHECK(std::abs(o.v - expected) <= 0.05);
  }
  const Errors eight = orders(loop, Order::eight, end / 4, 4, exact);
  CHECK(eight.q >= 8.0);
  CHECK(eight.v >= 8.0);
}

TEST_CASE("orders hold on a chain") {
  const MultibodySystem chain(HelixChain({.n = 3}).model());
  constexpr double end = 0.2;
  const State exact = end_of(chain, {.order = Order::eight}, end / 80, 80);
  for (const auto& [order, steps, expected] :
       {std::tuple{Order::two, 80, 2.0}, std::tuple{Order::four, 40, 4.0}, std::tuple{Order::six, 16, 6.0}}) {
    const Errors o = orders(chain, order, end / steps, steps, exact);
    for (const double measured : {o.q, o.v, o.lambda}) CHECK(std::abs(measured - expected) <= 0.05);
  }
  const Errors eight = orders(chain, Order::eight, end / 6, 6, exact);  // shorter steps leave roundoff
  for (const double measured : {eight.q, eight.v, eight.lambda}) CHECK(measured >= 7.85);
}

TEST_CASE("steps are symplectic to 1e-8, whatever the composition and the iteration") {
  for (const Order order : {Order::two, Order::four}) {
    Rattle stepper({.order = order});
    for (const double h : detail::symplectic_steps) CHECK(detail::symplectic_defect(stepper, h) <= 1e-8);
  }
}

TEST_CASE("a motion that is turned round goes back to its start") {
  const MultibodySystem chain(HelixChain({.n = 4}).model());
  for (const Order order : {Order::two, Order::six}) {
    Rattle stepper({.order = order});
    State state = chain.initial_state();
    REQUIRE(stepper.attach(chain).status == Status::ok);
    REQUIRE(stepper.start(state, 1e-2).status == Status::ok);
    const State first = state;
    constexpr int steps = 50;
    for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, 1e-2).status == Status::ok);
    for (double& v : state.v) v = -v;
    REQUIRE(stepper.restart(state, 1e-2).status == Status::ok);
    for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, 1e-2).status == Status::ok);
    for (double& v : state.v) v = -v;
    const Errors back = errors_of(chain, state, first);
    CHECK(back.q <= 1e-11);
    CHECK(back.v <= 1e-10);  // of 10 rad/s
  }
}

TEST_CASE("a hanging chain costs rattle one factorisation a step, whatever its tension") {
  // A tenth of a radian off; its fastest vibration, 2 sqrt(300 g / L), turns by 0.1 rad in a step.
  Model model;
  model.gravity = Vec3{{9.76, 0.0, -0.98}};
  const Mat3 inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
  BodyId before = ground;
  for (int k = 0; k < 300; ++k) {
    const BodyId link = model.add(Body{.inertia = inertia, .position = {{k + 0.5, 0.0, 0.0}}});
    const Vec3 end{{k == 0 ? 0.0 : 0.5, 0.0, 0.0}};
    model.add(SphericalJoint{.bodies = {before, link}, .point_a = end, .point_b = {{-0.5, 0.0, 0.0}}});
    before = link;
  }
  const MultibodySystem chain(std::move(model));
  constexpr int steps = 20;
  StepperStatistics counts;
  end_of(chain, {}, 1e-3, steps, &counts);
  CHECK(counts.factorizations <= steps + 1);
  CHECK(counts.newton_iterations <= 3 * steps);
}

TEST_CASE("the energy of a chain does not drift") {
  const MultibodySystem chain(HelixChain({.n = 3}).model());
  Rattle stepper;
  State state = chain.initial_state();
  REQUIRE(stepper.attach(chain).status == Status::ok);
  REQUIRE(stepper.start(state, 2e-3).status == Status::ok);
  const auto mean_of = [&](int steps) {
    double sum = 0.0;
    for (int k = 0; k < steps; ++k) {
      REQUIRE(stepper.step(state, 2e-3).status == Status::ok);
      sum += chain.energy(point_of(state)).total();
    }
    return sum / steps;
  };
  const double before = mean_of(1000);
  mean_of(2000);
  const double kinetic = chain.energy(point_of(state)).kinetic;
  CHECK(std::abs(mean_of(1000) - before) <= 1e-4 * std::max(kinetic, 1.0));
}

TEST_CASE(
    "the simplified and the whole Jacobian end at the same positions, and the automatic choice takes the "
    "cheaper one") {
  const MultibodySystem top(HeavyTop().model());
  StepperStatistics simplified, whole, automatic, slow;
  const State a = end_of(top, {.newton = Newton::simplified}, 2e-4, 50, &simplified),
              b = end_of(top, {.newton = Newton::whole}, 2e-4, 50, &whole);
  const Errors between = errors_of(top, a, b);
  CHECK(between.q <= 1e-12);
  CHECK(between.v <= 1e-10);  // of 150 rad/s
  CHECK(simplified.factorizations <= 52);
  CHECK(whole.newton_iterations <= 4 * 50);
  // 0.03 rad in a step, then 0.6 rad.
  end_of(top, {}, 2e-4, 50, &automatic);
  CHECK(automatic.factorizations <= 52);
  end_of(top, {}, 4e-3, 5, &slow);
  CHECK(slow.factorizations >= 12);
  CHECK(slow.newton_iterations <= 35);
}

TEST_CASE("another stepper continues from a copied state with the same bits") {
  const MultibodySystem chain(HelixChain({.n = 4}).model());
  Rattle stepper({.order = Order::four}), other({.order = Order::four});
  State state = chain.initial_state();
  REQUIRE(stepper.attach(chain).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-2).status == Status::ok);
  REQUIRE(other.attach(chain).status == Status::ok);
  for (int k = 0; k < 5; ++k) REQUIRE(stepper.step(state, 1e-2).status == Status::ok);
  State copy = state;
  for (int k = 0; k < 5; ++k) {
    REQUIRE(stepper.step(state, 1e-2).status == Status::ok);
    REQUIRE(other.step(copy, 1e-2).status == Status::ok);
  }
  CHECK(copy.q == state.q);
  CHECK(copy.v == state.v);
  CHECK(copy.lambda == state.lambda);
  CHECK(copy.memory == state.memory);
}

TEST_CASE("rattle names what it does not take") {
  CHECK(refusal_with([](Model&, BodyId, ConstraintId) {}).empty());
  CHECK(refusal_with([](Model& model, BodyId link, ConstraintId) {
          model.add(SpringDamper{
              .bodies = {ground, link}, .point_a = {{0.0, 1.0, 0.0}}, .stiffness = 10.0, .rest_length = 0.5});
        }).empty());
  CHECK(names(refusal_with([](Model& model, BodyId link, ConstraintId) {
                model.add(SpringDamper{.bodies = {ground, link},
                                       .point_a = {{0.0, 1.0, 0.0}},
                                       .stiffness = 10.0,
                                       .damping = 1.0,
                                       .name = "strut"});
              }),
              "\"strut\""));
  CHECK(names(refusal_with([](Model& model, BodyId link, ConstraintId) {
                model.add(Torque{.bodies = {link}, .torque = {{0.0, 0.0, 1.0}}, .name = "motor"});
              }),
              "\"motor\""));
  // A potential that is written for numbers alone is known by differences: a force that is its gradient, and one that is not.
  CHECK(refusal_with([](Model& model, BodyId link, ConstraintId) {
          model.add(NumbersAlone{.bodies = {link}});
        }).empty());
  CHECK(names(refusal_with([](Model& model, BodyId link, ConstraintId) {
                model.add(NumbersAlone{.bodies = {link}, .drag = 1e-5, .name = "oil"});
              }),
              "\"oil\""));
  const auto drive = [](Model& model, BodyId, ConstraintId pin) {
    model.add(JointDrive{.joint = pin, .target = 0.1, .name = "servo"});
  };
  CHECK(refusal_with(drive).empty());
  CHECK(names(refusal_with(drive, {.order = Order::four}), "\"servo\""));
  CHECK(names(refusal(MultibodySystem(KnifeEdgeProblem().model())), "acts on velocities"));
  CHECK(names(refusal(*RotaryPendulum().own_system()), "discrete_action"));
}

}  // namespace rattle_tests
