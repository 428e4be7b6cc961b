// Motions that come to where a force has no value, or that leave the range of numbers: every stepper ends the run with a
// status and a name.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/square.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/solvers/dormand_prince.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

namespace not_finite_tests {

using namespace catena;
using namespace catena::detail;

namespace {

// Moves on steps of 2^-7 s through the point where the spring has no direction; its force is nothing beside the mass.
Model through_the_anchor() {
  Model model;
  const BodyId b =
      model.add({.name = "shuttle", .position = {{0.5, 0.0, 0.0}}, .velocity = {{-1.0, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, b}, .stiffness = 1e-30, .rest_length = 1.0, .name = "strut"});
  return model;
}

// Pushes along x, the harder the nearer, and has no value behind x = 0.
struct Wall {
  std::array<BodyId, 1> bodies;
  std::string name = {};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(1.0) / (A.x[0] * sqrt(A.x[0]));
    return w;
  }
  std::string defect_at(const BodyFrame<double>* f, double) const {
    return f[0].x[0] > 0.0 ? "" : "the body is behind the wall";
  }
};

struct ModelOnly final : Problem {
  Model made;
  explicit ModelOnly(Model model) : made(std::move(model)) {}
  std::string summary() const override { return {}; }
  void visit(OptionVisitor&) override {}
  Model model() const override { return made; }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
};

// A spring that pushes ever harder: distances grow by e in a millisecond, by 10^154 in 0.36 s.
Model runaway(double mass) {
  Model model;
  const BodyId b = model.add(
      {.name = "shuttle", .mass = mass, .inertia = mass * Mat3::Identity(), .position = {{1e-3, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, b}, .stiffness = -1e6 * mass, .name = "strut"});
  return model;
}

// Whether every state and every energy of the run was a number.
struct Watch : Monitor {
  bool sound = true;
  bool observe(const State& state) override {
    const bool continues = Monitor::observe(state);
    for (const std::vector<double>* x : {&state.q, &state.v, &state.a, &state.lambda})
      sound = sound && std::all_of(x->begin(), x->end(), has_square);
    return continues;
  }
};

}  // namespace

TEST_CASE("a motion that leaves the range of numbers ends its run with a status and the body's name") {
  const Catalog catalog = builtin();
  for (const double mass : {1.0, 1e100}) {  // of the heavy one, energies leave it before velocities do
    const ModelOnly problem(runaway(mass));
    for (const StepperEntry& entry : catalog.steppers()) {
      if (entry.name == "dormand_prince" || entry.name == "dop853" || entry.name == "lie_bdf" ||
          entry.name == "radau")
        continue;  // their steps shrink with the roundoff of what grows
      CAPTURE(entry.name);
      CAPTURE(mass);
      const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
      const std::unique_ptr<System> system = make_system(problem, stepper->traits().coordinates);
      State state = system->initial_state();
      Watch watch;
      const RunResult result =
          run(*system, *stepper, state, {.step = 1e-3, .end = 0.5}, Listeners{.observers = {&watch}});
      CHECK(result.status != Status::ok);
      CHECK(watch.sound);
      CHECK(result.culprit.name.starts_with("body \"shuttle\""));
      if (entry.name != "runge_kutta_4") continue;  // which looks at nothing but NaN itself
      CHECK(result.status == Status::not_finite);
      CHECK(result.culprit.quantity == (mass == 1.0 ? "acceleration" : "kinetic energy of the whole"));
    }
  }
}

TEST_CASE(
    "a run whose chosen steps would never bring it to its end is ended, with the name of what moves "
    "fastest") {
  Model model;
  model.add({.name = "calm", .position = {{2.0, 0.0, 0.0}}});
  model.add({.name = "shuttle", .velocity = {{1e100, 0.0, 0.0}}});
  const MultibodySystem system(model);
  DormandPrince stepper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 1.0});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.culprit.name == "body \"shuttle\"");
  CHECK(result.message.starts_with("100000 steps in a row shorter than 1e-10 of the run"));
}

TEST_CASE("a run to where a spring has no direction ends there with its name and what is wrong") {
  const ModelOnly problem(through_the_anchor());
  const Catalog catalog = builtin();
  for (const StepperEntry& entry : catalog.steppers()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    const std::unique_ptr<System> system = make_system(problem, stepper->traits().coordinates);
    State state = system->initial_state();
    const bool chooses = stepper->traits().chooses_step;
    const auto named = [](const RunResult& r) { return r.culprit.name == "force \"strut\" (spring_damper)"; };
    if (chooses) {  // its steps may pass the place, not meet it in silence
      const RunResult past = run(*system, *stepper, state, {.step = 0x1p-7, .end = 1.0});
      CHECK((past.status == Status::ok || named(past)));
    }
    state = system->initial_state();
    const RunResult result = run(*system, *stepper, state, {.step = 0x1p-7, .end = chooses ? 0.5 : 1.0});
    CHECK(result.status == Status::step_too_small);
    CHECK(result.cause == Status::not_finite);
    CHECK(named(result));
    CHECK(result.message ==
          "force \"strut\" (spring_damper): its two points coincide, so that its rest_length of 1 m has no "
          "direction; move them apart, or set rest_length to 0");
    CHECK(result.t_end < 0.5);
    if (!chooses) CHECK(result.t_end > 0.49);
  }
}

// A trial that is too long meets a place without a value, where the motion itself never comes.
TEST_CASE("steppers that choose their steps cut those that come to where a force has no value") {
  Model model;
  const BodyId ball =
      model.add({.name = "ball", .position = {{1.0, 0.0, 0.0}}, .velocity = {{-10.0, 0.0, 0.0}}});
  model.add(Wall{.bodies = {ball}, .name = "wall"});
  const auto end_of = [&](Stepper& stepper, const System& system) {
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 0.5, .end = 0.5});
    CAPTURE(result.message);
    CHECK(result.status == Status::ok);
    return system.bodies(state)[0].position[0];
  };
  const MultibodySystem system(model);
  DormandPrince fine(
      {.rtol_position = 1e-12, .atol_position = 1e-12, .rtol_velocity = 1e-12, .atol_velocity = 1e-12});
  const double expected = end_of(fine, system);
  DormandPrince coarse({.rtol_position = 1e-4,
                        .atol_position = 1e-4,
                        .rtol_velocity = 1e-4,
                        .atol_velocity = 1e-4,
                        .initial_step = 0.2});
  CHECK(std::abs(end_of(coarse, system) - expected) < 1e-2);
}

}  // namespace not_finite_tests
