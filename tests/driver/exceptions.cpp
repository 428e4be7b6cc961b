// What throws during a run ends it with a status, a name and a text; the state is the last accepted one.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>

#include "support/same_state.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace catena;

namespace {

long calls_left = -1;  // of evaluations over double, until one throws; negative: none does

void count_call() {
  if (calls_left >= 0 && calls_left-- == 0) throw std::runtime_error("no wind is known here");
}

struct Wind {
  static constexpr const char* type_name = "drag";
  std::array<BodyId, 1> bodies;
  std::string name = "wind";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    if constexpr (std::is_same_v<S, double>) count_call();
    return {{-0.3 * A.v[0], -0.3 * A.v[1], -0.3 * A.v[2], S(0.0), S(0.0), S(0.0)}};
  }
};

struct Rope {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "rope";
  std::array<BodyId, 2> bodies;
  std::string name = "leash";
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    if (calls_left >= 0 && calls_left-- == 0) throw 42;
    const Vec<S, 3> d = B.x - A.x;
    return {{sqrt(dot(d, d)) - S(1.0)}};
  }
};

Model swinging(bool by_rope = false) {
  Model model;
  const BodyId ball = model.add(Body{.name = "ball",
                                     .mass = 1.5,
                                     .inertia = 0.2 * Mat3::Identity(),
                                     .position = {{1.0, 0.0, 0.0}},
                                     .velocity = {{0.0, 0.4, 0.0}}});
  if (by_rope) {
    model.add(Rope{.bodies = {ground, ball}});
  } else {
    model.add(SphericalJoint{.bodies = {ground, ball}, .point_b = {{-1.0, 0.0, 0.0}}});
    model.add(Wind{.bodies = {ball}});
  }
  return model;
}

struct Witness : Observer {
  std::vector<State> states;
  std::string name() const override { return "witness"; }
  bool observe(const State& state) override {
    states.push_back(state);
    return true;
  }
};

struct CountingSink : Sink {
  int accepted = 0, ended = 0;
  double last = -1.0;
  void accept(const State& state, const Outcome&) override {
    ++accepted;
    last = state.t;
  }
  void end() override { ++ended; }
};

struct Keeper : CheckpointKeeper {
  int saves = 0;
  State state;
  RunState run;
  bool due() override { return false; }
  void save(const State& s, const RunState& r) override {
    ++saves;
    state = s;
    run = r;
  }
};

// Runs with the steps of a stepper of the catalog, every listener added.
struct Outing {
  const System& system;
  std::unique_ptr<Stepper> stepper;
  Witness witness;
  CountingSink sink;
  Keeper keeper;
  Listeners listeners{.sinks = {&sink}, .observers = {&witness}, .checkpoints = &keeper};
  State state;

  explicit Outing(const System& s, const std::string& name = "generalized_alpha") : system(s) {
    static const Catalog catalog = builtin();
    stepper = catalog.stepper(name).setup()->make({}, {});
    state = system.initial_state();
  }
  RunResult operator()(double end) {
    return run(system, *stepper, state, {.step = 0.01, .end = end, .verdict = false}, listeners);
  }
};

}  // namespace

TEST_CASE("a force that throws ends the run by its name, at the last accepted state, with every stepper") {
  const Catalog catalog = builtin();
  const MultibodySystem usual(swinging());
  const QuaternionSystem quaternions(swinging());
  int runs = 0;
  for (const StepperEntry& entry : catalog.steppers()) {
    const Traits traits = entry.setup()->make({}, {})->traits();
    const System& system =
        traits.coordinates == Coordinates::lagrangian ? static_cast<const System&>(quaternions) : usual;
    Outing whole(system, entry.name);
    if (whole(1.0).status == Status::unsupported) continue;
    for (const long calls : {60L, 61L, 62L, 63L, 64L, 65L, 66L, 67L, 68L, 69L, 90L}) {
      CAPTURE(entry.name);
      CAPTURE(calls);
      Outing outing(system, entry.name);
      calls_left = calls;
      const RunResult result = outing(1.0);
      calls_left = -1;
      ++runs;
      REQUIRE(result.status == Status::exception);
      CHECK(result.culprit.name == "force \"wind\" (drag)");
      CHECK(result.message == "force \"wind\" (drag): no wind is known here");
      CHECK(outing.sink.ended == 1);
      // Instants inside a chosen step may have been served before one of them threw: the run is back before the step.
      CHECK((traits.chooses_step || outing.sink.last == outing.state.t));
      REQUIRE(outing.keeper.saves == 1);
      REQUIRE(!outing.witness.states.empty());
      CHECK(catena_test::same_state(outing.state, outing.witness.states.back()));

      // Mended, it continues to the bits of a run that never threw.
      Outing resumed(system, entry.name);
      resumed.state = outing.keeper.state;
      const RunResult rest = run(system, *resumed.stepper, resumed.state, {.step = 0.01, .end = 1.0},
                                 resumed.listeners, outing.keeper.run);
      CHECK(rest.status == Status::ok);
      CHECK((rest.steps == 0 || rest.smallest_step > 0.0));
      CHECK(rest.instants == 100);
      if (traits.copyable_memory) CHECK(catena_test::same_state(resumed.state, whole.state));
      // No instant is lost: those from the last one that the checkpoint counts as given.
      const double given = outing.keeper.run.last_output;
      CHECK(resumed.sink.accepted == static_cast<int>(std::lround((1.0 - given) / 0.01)));
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(resumed.state.q[k] - whole.state.q[k]) < 1e-4);
    }
  }
  CHECK(runs >= 7 * 11);
}

TEST_CASE("an observer that finds no memory ends the run for want of it") {
  struct Hoarder : Observer {
    std::string name() const override { return "hoarder"; }
    bool observe(const State&) override { throw std::bad_alloc(); }
  };
  const MultibodySystem system(swinging());
  Outing outing(system);
  Hoarder hoarder;
  outing.listeners.observers.push_back(&hoarder);
  const RunResult result = outing(0.2);
  CHECK(result.status == Status::exception);
  CHECK(result.culprit.quantity == memory_of_machine);
  CHECK(result.message == "observer \"hoarder\": not enough memory");
}

TEST_CASE("a joint that throws what is no exception is named too") {
  const MultibodySystem system(swinging(true));
  Outing outing(system);
  calls_left = 40;
  const RunResult result = outing(0.2);
  calls_left = -1;
  CHECK(result.status == Status::exception);
  CHECK(result.message == "joint \"leash\" (rope): an exception without a text");
  CHECK(outing.sink.ended == 1);
}

TEST_CASE("controllers, events and observers that throw are named, and the run can be resumed") {
  const MultibodySystem system(swinging());
  bool broken = true;
  const auto fail_at = [&](double t, double at) {
    if (broken && t > at) throw std::runtime_error("out of range");
  };
  struct Pilot : Controller {
    std::function<void(double)> look;
    std::string name() const override { return "pilot"; }
    int memory_size() const override { return 1; }
    void sample(const State& state, double*, double* memory) override {
      memory[0] += 1.0;  // half done where it throws
      look(state.t);
    }
  } pilot;
  struct Critic : Observer {
    std::function<void(double)> look;
    std::string name() const override { return "critic"; }
    bool observe(const State& state) override {
      look(state.t);
      return true;
    }
  } critic;
  struct StepCritic : Critic {
    bool wants_steps() const override { return true; }
    void step(const AcceptedStep& step) override { fail(step.after().t); }
    std::function<void(double)> fail;
  } step_critic;
  const auto never = [](double) {};
  const auto check = [&](const char* culprit, double t) {
    CAPTURE(std::string(culprit));
    const auto listen = [&](Outing& outing) {
      outing.listeners.controllers = {&pilot};
      outing.listeners.observers.push_back(&critic);
      outing.listeners.observers.push_back(&step_critic);
      outing.listeners.events = {{.name = "late", .value = [&](const State& s) {
                                    if (std::string(culprit) == "event \"late\"") fail_at(s.t, 0.105);
                                    return s.q[2] + 1e3;
                                  }}};
    };
    broken = true;
    Outing outing(system);
    listen(outing);
    const RunResult result = outing(0.2);
    CHECK(result.status == Status::exception);
    CHECK(result.culprit.name == culprit);
    CHECK(result.culprit.why == "out of range");
    CHECK(outing.state.t == doctest::Approx(t));
    CHECK(outing.sink.ended == 1);
    CHECK(outing.sink.last == outing.state.t);
    // Behind what not all observers have seen there is no checkpoint.
    const bool kept = std::string(culprit) != "observer \"critic\"";
    REQUIRE(outing.keeper.saves == (kept ? 1 : 0));
    CHECK(outing.witness.states.back().t == outing.state.t);
    if (!kept) return;
    broken = false;
    Outing resumed(system);
    listen(resumed);
    resumed.state = outing.keeper.state;
    const RunResult rest = run(system, *resumed.stepper, resumed.state, {.step = 0.01, .end = 0.2},
                               resumed.listeners, outing.keeper.run);
    CHECK(rest.status == Status::ok);
    CHECK(rest.steps == 20);
    CHECK(rest.instants == 20);
    CHECK(rest.samples == 21);                 // each instant once, the start among them
    CHECK(resumed.state.discrete[1] == 21.0);  // the half-done sample was undone
    Outing whole(system);
    listen(whole);
    CHECK(whole(0.2).status == Status::ok);
    CHECK(catena_test::same_state(resumed.state, whole.state));
  };
  pilot.look = [&](double t) { fail_at(t, 0.105); };
  critic.look = step_critic.look = step_critic.fail = never;
  check("controller \"pilot\"", 0.1);  // before the step that ends in it
  pilot.look = never;
  check("event \"late\"", 0.1);
  critic.look = [&](double t) { fail_at(t, 0.105); };
  check("observer \"critic\"", 0.11);
  critic.look = never;
  step_critic.fail = [&](double t) { fail_at(t, 0.105); };
  check("observer \"critic\"", 0.1);
}

TEST_CASE("what keeps checkpoints and throws what is no error of writing ends the run by its name") {
  const MultibodySystem system(swinging());
  struct Forgetful : Keeper {
    bool due() override { return saves < 3; }
    void save(const State& s, const RunState& r) override {
      Keeper::save(s, r);
      if (saves == 3) throw std::logic_error("out of shelves");
    }
  } forgetful;
  Outing outing(system);
  outing.listeners.checkpoints = &forgetful;
  const RunResult result = outing(0.2);
  CHECK(result.status == Status::exception);
  CHECK(result.culprit.name == "what keeps checkpoints");
  CHECK(result.culprit.why == "out of shelves");
  CHECK_FALSE(result.sink_failed);
  CHECK(forgetful.saves == 3);  // and is not asked again
  CHECK(outing.state.t < 0.2);
  CHECK(outing.sink.last == outing.state.t);
  CHECK(outing.sink.ended == 1);
}

TEST_CASE("an observer that fails before the run lets no sink begin, which would replace what is there") {
  const MultibodySystem system(swinging());
  struct Unready : Witness {
    void begin(const System&) override { throw std::runtime_error("not ready"); }
  } unready;
  struct Eager : CountingSink {
    int begun = 0;
    void begin(const System&) override { ++begun; }
  } eager;
  Outing outing(system);
  outing.listeners.sinks.push_back(&eager);
  outing.listeners.observers.push_back(&unready);
  const RunResult result = outing(0.2);
  CHECK(result.status == Status::exception);
  CHECK(result.culprit.why == "not ready");
  CHECK(eager.begun == 0);
  CHECK(eager.accepted == 0);
  CHECK(eager.ended == 0);
  CHECK(outing.keeper.saves == 0);
}

TEST_CASE("a sink that throws is ended like the others, and no checkpoint is saved behind what it has") {
  const MultibodySystem system(swinging());
  struct Printer : CountingSink {
    void accept(const State& state, const Outcome& outcome) override {
      if (state.t > 0.105) throw std::logic_error("out of paper");
      CountingSink::accept(state, outcome);
    }
  } printer;
  Outing outing(system);
  outing.listeners.sinks.push_back(&printer);
  const RunResult result = outing(0.2);
  CHECK(result.status == Status::exception);
  CHECK(result.culprit.why == "out of paper");
  CHECK_FALSE(result.sink_failed);
  CHECK(outing.state.t == doctest::Approx(0.11));
  CHECK(printer.accepted == 11);
  CHECK(printer.ended == 1);
  CHECK(outing.sink.accepted == 12);
  CHECK(outing.sink.ended == 1);
  CHECK(outing.keeper.saves == 0);
}

namespace {

// It keeps a discrete value, so that the meter of work compares discrete values from step to step.
struct Keeping {
  static constexpr const char* type_name = "keeping";
  static constexpr int discrete = 1;
  std::array<BodyId, 1> bodies;
  std::string name = "memory";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&, const double* kept) const {
    return {{-(1.0 + kept[0]) * A.v[0], S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)}};
  }
};

}  // namespace

TEST_CASE("a force that throws while the work of a first step is measured ends the run by its name") {
  Model model = swinging();
  model.add(Keeping{.bodies = {BodyId{0}}});
  const MultibodySystem system(std::move(model));
  int thrown = 0;
  for (long calls = 1; calls < 60; ++calls) {
    CAPTURE(calls);
    Outing outing(system);
    calls_left = calls;
    const RunResult result =
        run(system, *outing.stepper, outing.state, {.step = 0.01, .end = 0.03}, outing.listeners);
    calls_left = -1;
    if (result.status == Status::ok) continue;
    ++thrown;
    CHECK((result.status == Status::exception || result.status == Status::inconsistent_start));
    CHECK(result.message.find("wind") != std::string::npos);
  }
  CHECK(thrown > 10);
}

TEST_CASE(
    "observers, sinks and controllers that throw what they are asked are named, and nothing escapes the "
    "run") {
  struct Shy : Observer {
    bool observe(const State&) override { return true; }
    bool wants_steps() const override { throw std::runtime_error("do not ask"); }
  };
  struct Nameless : Observer {
    std::string name() const override { throw std::runtime_error("no name"); }
    bool observe(const State&) override { throw std::runtime_error("no look"); }
  };
  struct Talking : Sink {
    void accept(const State&, const Outcome&) override {}
    std::string remark() const override { throw std::runtime_error("lost for words"); }
  };
  struct Forgetful : Controller {
    int size = 0;
    std::string name() const override { return "keeper"; }
    double period() const override { return 0.01; }
    int memory_size() const override { return size < 0 ? size : throw std::runtime_error("forgot"); }
    void sample(const State&, double*, double*) override {}
  };
  const MultibodySystem system(swinging());
  const auto outcome = [&](const Listeners& listeners) {
    Outing outing(system);
    return run(system, *outing.stepper, outing.state, {.step = 0.01, .end = 0.03}, listeners);
  };
  Shy shy;
  Nameless nameless;
  Talking talking;
  Forgetful forgetful, negative;
  negative.size = -1;
  CHECK(outcome({.observers = {&shy}}).message == "observer \"observer\": do not ask");
  CHECK(outcome({.observers = {&nameless}}).message == "an observer whose name() throws: no look");
  const RunResult silent = outcome({.sinks = {&talking}});
  CHECK(silent.status == Status::exception);
  CHECK(silent.message == "what writes results: lost for words");
  const RunResult lost = outcome({.controllers = {&forgetful}});
  CHECK(lost.status == Status::exception);
  CHECK(lost.message == "controller \"keeper\": forgot");
  const RunResult refused = outcome({.controllers = {&negative}});
  CHECK(refused.status == Status::unsupported);
  CHECK(refused.message == "controller \"keeper\": its memory_size() must be 0 or more; it is -1");
}
