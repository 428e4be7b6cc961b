// What SimpleStepper does around advance().
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/stepper/simple_stepper.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

struct Euler : SimpleStepper {
  bool fails = false;
  double pace = 1.0;                             // of the time
  std::vector<double> State::*longer = nullptr;  // what advance() makes longer
  const Traits& traits() const override {
    static const Traits t{.name = "euler"};
    return t;
  }
  KktReport advance(State& s, double h) override {
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += h * s.a[k];
    move(s, s.v, h);
    s.t += pace * h;
    if (longer != nullptr) (s.*longer).push_back(0.0);
    KktReport report = close(s);
    if (fails) {
      report.status = Status::not_finite;
      report.culprit = {"link 2", "accelerations", 1e300};
    }
    return report;
  }
};

MultibodySystem chain() {
  RodChainParameters parameters;
  parameters.n = 3;
  return MultibodySystem(RodChain(parameters).model());
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

}  // namespace

TEST_CASE("a failed advance leaves the state untouched and names its culprit") {
  const MultibodySystem system = chain();
  Euler stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, 0.01).status == Status::ok);
  REQUIRE(stepper.step(state, 0.01).status == Status::ok);
  const State before = state;
  stepper.fails = true;
  const Outcome outcome = stepper.step(state, 0.01);
  CHECK(outcome.status == Status::not_finite);
  CHECK(outcome.culprit.name == "link 2");
  CHECK(outcome.h_taken == 0.0);
  CHECK(outcome.h_next == 0.005);
  CHECK(state.t == before.t);
  CHECK(state.q == before.q);
  CHECK(state.v == before.v);
  CHECK(state.a == before.a);
  CHECK(state.lambda == before.lambda);
  CHECK(stepper.statistics().steps == 1);
  CHECK(stepper.statistics().rejected_steps == 1);
}

TEST_CASE("an advance that leaves the time, or goes too far, is said with the name of the stepper") {
  const MultibodySystem system = chain();
  for (const double pace : {0.0, 2.0}) {
    Euler stepper;
    stepper.pace = pace;
    REQUIRE(stepper.attach(system).status == Status::ok);
    State state = system.initial_state();
    REQUIRE(stepper.start(state, 0.01).status == Status::ok);
    const std::string said = pace == 0.0 ? "0 s" : "0.02 s";
    CHECK_THROWS_WITH(stepper.step(state, 0.01),
                      ("stepper euler threw an exception: advance() has left s.t at " + said +
                       ", and the step ends at 0.01 s: it must set s.t += h")
                          .c_str());
    CHECK(state.t == 0.0);
  }
}

TEST_CASE("inconsistent velocities are projected at the start, inconsistent positions refused") {
  const MultibodySystem system = chain();
  Euler stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  state.v[1] = 0.3;
  REQUIRE(stepper.start(state, 0.01).status == Status::ok);
  std::vector<double> rows(state.lambda.size());
  Point at;
  at.q = state.q.data();
  at.v = state.v.data();
  Evaluation wanted;
  wanted.velocity = rows.data();
  system.evaluate(at, wanted);
  CHECK(distance(rows, std::vector<double>(rows.size(), 0.0)) < 1e-14);

  state = system.initial_state();
  state.q[0] += 1e-3;
  CHECK(stepper.start(state, 0.01).status == Status::inconsistent_start);
}

TEST_CASE("interpolation joins the ends of the step") {
  const MultibodySystem system = chain();
  Euler stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, 0.01).status == Status::ok);
  for (int k = 0; k < 10; ++k) REQUIRE(stepper.step(state, 0.01).status == Status::ok);
  const State before = state;
  REQUIRE(stepper.step(state, 0.01).status == Status::ok);
  std::vector<double> q(state.q.size()), v(state.v.size());
  stepper.interpolate(0.0, q.data(), v.data());
  CHECK(distance(q, before.q) < 1e-15);
  CHECK(v == before.v);
  stepper.interpolate(1.0, q.data(), v.data());
  CHECK(distance(q, state.q) < 1e-14);  // by way of the logarithm of the increment
  CHECK(v == state.v);
}

TEST_CASE("a copy of the state continues bit by bit with another stepper") {
  const MultibodySystem system = chain();
  Euler one, other;
  REQUIRE(one.attach(system).status == Status::ok);
  REQUIRE(other.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(one.start(state, 0.01).status == Status::ok);
  for (int k = 0; k < 5; ++k) REQUIRE(one.step(state, 0.01).status == Status::ok);
  State copy = state;
  for (int k = 0; k < 5; ++k) {
    REQUIRE(one.step(state, 0.01).status == Status::ok);
    REQUIRE(other.step(copy, 0.01).status == Status::ok);
  }
  CHECK(copy.q == state.q);
  CHECK(copy.v == state.v);
  CHECK(copy.lambda == state.lambda);
}

namespace {

// Closes nothing, and divides by zero.
struct Careless : SimpleStepper {
  const Traits& traits() const override {
    static const Traits t{.name = "careless"};
    return t;
  }
  KktReport advance(State& s, double h) override {
    s.t += h;
    s.v[7] /= s.v[7] * 0.0;
    return {};
  }
};

}  // namespace

TEST_CASE("numbers that are none are never accepted, and their body is named") {
  const MultibodySystem system = chain();
  Careless stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, 0.01).status == Status::ok);
  const State before = state;
  const Outcome outcome = stepper.step(state, 0.01);
  CHECK(outcome.status == Status::not_finite);
  CHECK(outcome.culprit.name == system.velocity_block_name(1));
  CHECK(outcome.culprit.quantity == "velocity");
  CHECK(state.t == before.t);
  CHECK(state.v == before.v);
}

TEST_CASE("a stepper without a system refuses to start and to step") {
  const MultibodySystem system = chain();
  Euler stepper;
  State state = system.initial_state();
  CHECK(stepper.start(state, 0.01).status == Status::unsupported);
  CHECK(stepper.step(state, 0.01).culprit.name == "euler has no system: call attach() first");
}

TEST_CASE("an advance that changes the sizes of its state throws with the name of the stepper") {
  const MultibodySystem system = chain();
  for (std::vector<double> State::*const part : {&State::q, &State::v, &State::a, &State::lambda}) {
    Euler stepper;
    REQUIRE(stepper.attach(system).status == Status::ok);
    State state = system.initial_state();
    REQUIRE(stepper.start(state, 0.01).status == Status::ok);
    stepper.longer = part;
    const State before = state;
    CHECK_THROWS_WITH_AS(
        stepper.step(state, 0.01),
        doctest::Contains("stepper euler threw an exception: advance() has changed the sizes "
                          "of its state, which has "),
        NamedError);
    CHECK(state.q == before.q);
  }
}

TEST_CASE("a layout with an array of a wrong size is refused by its name") {
  struct Unscaled : catena_test::ToyPendulum {
    SystemLayout without;
    Unscaled() : without(ToyPendulum::layout()) { without.scale.clear(); }
    const SystemLayout& layout() const override { return without; }
  };
  const Unscaled system;
  Euler stepper;
  CHECK(stepper.attach(system).culprit.name ==
        "SystemLayout::scale of the system has 0 entries, and must have one for each of its 2 velocities");
}
