// A run resumed from its checkpoint has the same bits: cut steps, events, controllers, steps that are chosen.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/checkpoint_battery.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

using namespace catena;
using catena_test::CheckpointBattery;
using catena_test::hash;
using catena_test::Scenario;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;

namespace {

// A mass of 1 kg on a spring, pushed by what a controller sets.
struct Cart {
  static constexpr int coordinates = 1, discrete = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>&, const S&, const double* push) const {
    return {{S(push[0]) - q[0] * 3.0}};
  }
};
const CoordinateSystem<Cart> cart(Cart{}, Vec<double, 1>{{1.0}}, Vec<double, 1>{{0.0}});

// Remembers sums from sample to sample; samples off the grid.
struct Integrating : Controller {
  double T = 0.07, first = 0.013;
  double period() const override { return T; }
  double first_sample() const override { return first; }
  int memory_size() const override { return 1; }
  void sample(const State& s, double* values, double* memory) override {
    memory[0] += T * s.q[0];
    values[0] = -2.0 * s.v[0] - 0.5 * memory[0];
  }
};

std::vector<std::unique_ptr<Controller>> integrating() {
  std::vector<std::unique_ptr<Controller>> made;
  made.push_back(std::make_unique<Integrating>());
  made.push_back(std::make_unique<Integrating>());
  static_cast<Integrating&>(*made.back()).T = 0.0;  // after every step
  return made;
}

const std::vector<Event> zero_crossings{{.name = "zero", .value = [](const State& s) { return s.q[0]; }},
                                        {.name = "at rest", .value = [](const State& s) { return s.v[0]; }}};

}  // namespace

TEST_CASE("a run that breaks inside cut steps is resumed to the same bits, output and counters") {
  const ToyPendulum pendulum;
  for (const int every : {1, 3, 7}) {
    CAPTURE(every);
    const Scenario scenario{.system = &pendulum,
                            .stepper =
                                [] {
                                  auto toy = std::make_unique<ToyStepper>();
                                  toy->fails = [](double t, double h) {
                                    const bool narrow = (t + h > 0.25 && t < 0.55) || t > 1.31;
                                    return narrow && h > 0.02 ? Status::newton_not_converged : Status::ok;
                                  };
                                  return toy;
                                },
                            .options = {.step = 0.1, .end = 1.45, .every = every}};
    CheckpointBattery battery(scenario);
    REQUIRE(battery(60));
    CHECK(battery.whole().rejected > 0);
    CHECK(battery.whole().steps > 25);
  }
}

TEST_CASE("a run that breaks behind steps shorter than asked for is resumed to the same bits") {
  const ToyPendulum pendulum;
  const Scenario scenario{.system = &pendulum,
                          .stepper =
                              [] {
                                auto toy = std::make_unique<ToyStepper>();
                                toy->takes = [](double t, double h) {
                                  return t > 0.33 && t < 0.7 ? 0.37 * h : h;
                                };
                                return toy;
                              },
                          .options = {.step = 0.1, .end = 1.0, .every = 2}};
  CHECK(CheckpointBattery(scenario)(40));
}

TEST_CASE("a run that fails fails alike when it is resumed") {
  const ToyPendulum pendulum;
  const Scenario scenario{.system = &pendulum,
                          .stepper =
                              [] {
                                auto toy = std::make_unique<ToyStepper>();
                                toy->fails = [](double t, double h) {
                                  return t + h > 0.5005 ? Status::singular_kkt : Status::ok;
                                };
                                return toy;
                              },
                          .options = {.step = 0.1, .end = 1.0}};
  CheckpointBattery battery(scenario);
  // Not the last checkpoint, which is written after the attempts that failed.
  REQUIRE(battery(1));
  CHECK(battery.whole().status == Status::step_too_small);
}

TEST_CASE("controllers, events and steps that are chosen are resumed to the same bits") {
  const Scenario chosen{.system = &cart,
                        .stepper = [] { return std::make_unique<DormandPrince>(DormandPrinceOptions{}); },
                        .options = {.step = 0.05, .end = 3.0, .every = 3},
                        .events = zero_crossings,
                        .controllers = integrating};
  CheckpointBattery chooses(chosen);
  REQUIRE(chooses(12));
  CHECK(chooses.whole().events.size() >= 2);
  CHECK(chooses.whole().samples > 42);

  const Scenario fixed{
      .system = &cart,
      .stepper = [] { return std::make_unique<GeneralizedAlpha>(GeneralizedAlphaOptions{}); },
      .options = {.step = 0.05, .end = 3.0, .every = 3},
      .events = zero_crossings,
      .controllers = integrating};
  CheckpointBattery follows(fixed);
  REQUIRE(follows(12));
  CHECK(follows.whole().events.size() >= 2);
  CHECK(follows.whole().samples > 42);
}

TEST_CASE("a resumed run counts what guards did in the whole run, and says the same of them") {
  HelixChainParameters chain;
  chain.n = 10;
  const MultibodySystem system(HelixChain(chain).model());
  GeneralizedAlphaOptions options;
  options.engine.guards.guards = GuardMode::report;
  const double h =
      1e-8;  // multipliers are noise, which the guard over the resolution sees in nearly every step
  const Scenario scenario{.system = &system,
                          .stepper = [&] { return std::make_unique<GeneralizedAlpha>(options); },
                          .options = {.step = h, .end = 20 * h}};
  CheckpointBattery battery(scenario);
  REQUIRE(battery(6));
  REQUIRE(battery.whole().remarks.size() >= 1);
  CHECK(battery.whole().remarks[0].text.find("guard_resolution = report: would have refused") == 0);
}

TEST_CASE("a run that ended at a terminal event continues behind it") {
  const Scenario scenario{.system = &cart,
                          .stepper = [] { return std::make_unique<DormandPrince>(DormandPrinceOptions{}); },
                          .options = {.step = 0.05, .end = 3.0}};
  catena_test::Shelf shelf;
  Listeners listeners;
  listeners.events = zero_crossings;
  listeners.events[0].terminal = true;
  listeners.checkpoints = &shelf;
  State state = cart.initial_state();
  const RunResult first = run(cart, *scenario.stepper(), state, scenario.options, listeners);
  REQUIRE(first.status == Status::event);
  const Checkpoint saved = checkpoint_from(shelf.all.back());
  CHECK(saved.run.restart);
  State onwards = saved.state;
  listeners.events[0].terminal = false;
  const RunResult second = run(cart, *scenario.stepper(), onwards, scenario.options, listeners, saved.run);
  CHECK(second.status == Status::ok);
  CHECK(onwards.t == 3.0);
  CHECK(second.events.size() > first.events.size());
  CHECK(second.instants == 60);
  // The same event is not found again.
  CHECK(second.events[first.events.size()].t > first.t_end + 1e-6);
}

TEST_CASE(
    "a run continues to a later end on the same grid, where the steps fit, and on a new one where not") {
  const ToyPendulum pendulum;
  const auto onwards = [&](double end, double later) {
    ToyStepper first, second;
    catena_test::Shelf shelf;
    Listeners listeners;
    listeners.checkpoints = &shelf;
    State state = pendulum.initial_state();
    run(pendulum, first, state, {.step = 0.125, .end = end}, listeners);
    const Checkpoint saved = checkpoint_from(shelf.all.back());
    state = saved.state;
    const RunResult result = run(pendulum, second, state, {.step = 0.125, .end = later}, {}, saved.run);
    CHECK(result.status == Status::ok);
    CHECK(state.t == later);
    return hash(state);
  };
  ToyStepper stepper;
  State once = pendulum.initial_state();
  run(pendulum, stepper, once, {.step = 0.125, .end = 2.0});
  CHECK(onwards(1.0, 2.0) == hash(once));
  CHECK(onwards(1.1, 2.0) != hash(once));  // steps of 0.122 to 1.1, of 0.1125 from there
}
