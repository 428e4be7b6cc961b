// A guard of a user's own, from public headers alone: on an implicit table and on an explicit one, by its name.
#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/model/joints.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>
#include <catena/stepper/parts/stepper_entry.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace user_guard_tests {

namespace {

using namespace catena;

// No body turns or moves faster than 1 rad/s or 1 m/s. Remembers the largest speed in the state.
class TopSpeed : public StepGuard {
 public:
  void attach(const GuardSubject&, StepMemory& memory) override { fastest_ = memory.add("fastest", 1); }
  void start(State& state, const detail::RowErrors&, GuardWorkspace&) override {
    fastest_.value(state) = 0.0;
  }
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override {
    const int n = attempt.system.layout().v_size();
    const auto slower = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const double* v = std::max_element(attempt.end.v, attempt.end.v + n, slower);
    speed_ = std::max(fastest_.value(attempt.state), std::abs(*v));
    if (outcome.status != Status::ok || !(std::abs(*v) > 1.0)) return outcome;
    return failure(Status::unstable,
                   {workspace.kkt.owner(static_cast<int>(v - attempt.end.v)), "too fast", *v});
  }
  void accept(State& state) override { fastest_.value(state) = speed_; }

 private:
  MemorySlot fastest_;
  double speed_ = 0.0;
};
const GuardType top_speed_guard{"guard_top_speed", "a step that leads beyond 1 m/s or 1 rad/s fails",
                                &make_guard<TopSpeed>};

// Backward Euler.
ImplicitMethod guarded_euler(int index) {
  const auto table = [](const StepSizes& s) {
    StepTable t;
    t.acceleration = unknown;
    t.velocity = last_velocity + s.h * unknown;
    t.increment = s.h * t.velocity;
    return t;
  };
  ImplicitMethod method{implicit_traits("euler", "", 1, index), index, {}, table, {}, usual_guards(index, 1)};
  method.guards.push_back(&top_speed_guard);
  return method;
}

struct GuardedHeun : ExplicitStepper {
  struct Options : ExplicitOptions {
    friend void visit(OptionVisitor& visitor, Options& o) { visit_explicit(visitor, o, {&top_speed_guard}); }
  };
  explicit GuardedHeun(const Options& o = {}, LinearSolverFactory backend = {})
      : ExplicitStepper({.name = "heun", .order = 2, .c = {0.0, 1.0}, .a = {{}, {1.0}, {0.5, 0.5}}}, o,
                        std::move(backend), {&top_speed_guard}) {}
};

// A bob of 1 kg on an arm of 1 m, level and at rest: 1 m/s after about 0.1 s.
Model level_pendulum() {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId bob =
      model.add(Body{.name = "bob", .mass = 1.0, .inertia = Mat3::Identity(), .position = {{1.0, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, bob}, .point_b = {{-1.0, 0.0, 0.0}}});
  return model;
}

struct GuardedRun {
  Outcome outcome;
  State state;
  StepperStatistics statistics;
  const GuardCount* count() const {
    const auto& all = statistics.guards;
    const auto at =
        std::find_if(all.begin(), all.end(), [](const GuardCount& c) { return c.name == "guard_top_speed"; });
    return at == all.end() ? nullptr : &*at;
  }
};

// 40 steps of 0.01 s, with options as typed.
GuardedRun guarded_run(const StepperEntry& entry,
                       const std::vector<std::pair<std::string, std::string>>& options) {
  const MultibodySystem system(level_pendulum());
  const auto setup = entry.setup();
  for (const auto& [name, text] : options)
    set_option([&](OptionVisitor& visitor) { setup->visit(visitor); }, name, text, "--option");
  const auto stepper = setup->make({}, {});
  REQUIRE(stepper->attach(system).status == Status::ok);
  GuardedRun r;
  r.state = system.initial_state();
  REQUIRE(stepper->start(r.state, 1e-2).status == Status::ok);
  for (int k = 0; k < 40 && r.outcome.status == Status::ok; ++k) r.outcome = stepper->step(r.state, 1e-2);
  r.statistics = stepper->statistics();
  return r;
}

void check_guard(const StepperEntry& entry) {
  CAPTURE(entry.name);
  const GuardedRun on = guarded_run(entry, {});
  CHECK(on.outcome.status == Status::unstable);
  CHECK(on.outcome.culprit.name == "body \"bob\"");
  CHECK(on.outcome.culprit.quantity == "too fast");
  CHECK(on.state.t > 0.05);
  CHECK(on.state.t < 0.25);
  REQUIRE(on.count() != nullptr);
  CHECK(on.count()->count == 1);
  CHECK_FALSE(on.count()->reports);
  CHECK(on.count()->first_t == on.state.t);
  CHECK(on.statistics.rejected_steps == 1);

  const GuardedRun report = guarded_run(entry, {{"guard_top_speed", "report"}}),
                   off = guarded_run(entry, {{"guard_top_speed", "off"}});
  const long passed = on.statistics.steps;
  CHECK(report.outcome.status == Status::ok);
  CHECK(report.statistics.rejected_steps == 0);
  REQUIRE(report.count() != nullptr);
  CHECK(report.count()->reports);
  CHECK(report.count()->count == 40 - passed);
  CHECK(report.count()->first.quantity == "too fast");
  CHECK(off.outcome.status == Status::ok);
  CHECK(off.count() == nullptr);
  CHECK(off.state.q == report.state.q);
  CHECK(off.state.v == report.state.v);
  // What it remembers is in the state: the last number of the guard's memory is the speed at the end.
  double fastest = 0.0;
  for (const double v : report.state.v) fastest = std::max(fastest, std::abs(v));
  CHECK(std::count(report.state.memory.begin(), report.state.memory.end(), fastest) >= 1);
  CHECK(report.state.memory.size() == off.state.memory.size() + 1);

  CHECK(guarded_run(entry, {{"guards", "off"}}).count() == nullptr);
  CHECK(guarded_run(entry, {{"guards", "off"}, {"guard_top_speed", "on"}}).outcome.status ==
        Status::unstable);
}

}  // namespace

TEST_CASE("a user's guard on a user's implicit table: counted, named, on, report and off") {
  check_guard(stepper_entry<TableStepper<&guarded_euler>>("euler"));
}

TEST_CASE("a user's guard on a user's explicit table: counted, named, on, report and off") {
  check_guard(stepper_entry<GuardedHeun>("heun"));
}

}  // namespace user_guard_tests
