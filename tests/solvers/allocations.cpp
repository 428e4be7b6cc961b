// A step of any stepper allocates nothing: on systems of several chunks of bodies, with one thread and with two,
// while h changes and whatever the rows are scaled by, with every kind of joint, elements of the user's own, rows at
// velocity level and redundant rows.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/steppers.hpp>

#include "support/allocation_count.hpp"
#include "support/crowd.hpp"
#include "support/fixture_joints.hpp"
#include "support/mixed_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace allocations_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// The fewest allocations of a round of twenty steps of these sizes, after two rounds. The arena of TBB takes memory for
// its tasks now and then, when one thread has more of them than ever before: what a step itself asks for, it asks for
// in every round, also what it does in every sixteenth step only.
long fewest_allocations(Stepper& stepper, const System& system, const std::vector<double>& sizes) {
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, sizes.front()).status == Status::ok);
  std::vector<double> q(state.q.size()), v(state.v.size());
  bool good = true;
  const auto round = [&] {
    for (std::size_t k = 0; k < 20; ++k) {
      good = good && stepper.step(state, sizes[k % sizes.size()]).status == Status::ok;
      if (good) stepper.interpolate(0.3, q.data(), v.data());
    }
  };
  for (int k = 0; k < 2; ++k) round();
  long fewest = test::count_allocations(round);
  for (int k = 0; k < 5 && fewest > 0; ++k) fewest = std::min(fewest, test::count_allocations(round));
  REQUIRE(good);
  return fewest;
}

const std::vector<double> changing{1e-3, 5e-4, 5e-4, 1e-3};

// On every stepper that takes the model; how many do.
int check_all_steppers(const Model& model, const std::vector<double>& sizes) {
  const MultibodySystem bodies(model);
  const QuaternionSystem seven(model);
  int tried = 0;
  for (const StepperEntry& entry : builtin_steppers()) {
    if (entry.name == "ida") continue;  // SUNDIALS does: ida_contract.cpp
    for (const int threads : {1, 2}) {
      CAPTURE(entry.name);
      CAPTURE(threads);
      const ThreadScope now(threads);
      const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
      const bool lagrangian = stepper->traits().coordinates == Coordinates::lagrangian;
      const System& system = lagrangian ? static_cast<const System&>(seven) : bodies;
      if (!stepper->refuses(system).empty()) continue;
      ++tried;
      const std::vector<double> same(1, sizes.front());
      CHECK(fewest_allocations(*stepper, system, stepper->traits().variable_step ? sizes : same) == 0);
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("600 bodies, three chunks, one thread and two: no step of any stepper allocates") {
  if (!test::allocation_counting_works()) return;
  CHECK(check_all_steppers(HelixChain({.n = 600}).model(), changing) >= 10);
}

TEST_CASE("every joint, springs, ropes over three bodies by automatic differentiation: no step allocates") {
  if (!test::allocation_counting_works()) return;
  CHECK(check_all_steppers(test::mixed_model(test::Shape::mesh, 400), {1e-4, 5e-5, 5e-5, 1e-4}) >= 10);
}

TEST_CASE("rows at velocity level, forces of the user's own, bodies that are free: no step allocates") {
  if (!test::allocation_counting_works()) return;
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  for (int k = 0; k < 30; ++k) {
    const BodyId sled = model.add({.position = {{2.0 * k, 0.0, 0.0}}, .velocity = {{1.0, 0.0, 0.0}}});
    const BodyId free = model.add({.position = {{2.0 * k, 1.0, 0.0}}, .angular_velocity = {{0.1, 1.0, 0.3}}});
    model.add(fixture::KnifeEdge{.bodies = {sled}, .point = {{0.2, 0.0, 0.0}}});
    model.add(fixture::PropellerDrag{.bodies = {free}, .point = {{0.0, 0.1, 0.0}}});
  }
  CHECK(check_all_steppers(model, changing) >= 6);
}

TEST_CASE("a closed loop whose redundant rows a compliance holds: no step allocates") {
  if (!test::allocation_counting_works()) return;
  CHECK(check_all_steppers(FourBar().model(), changing) >= 10);
}

TEST_CASE("rows scaled by h: steps of another size do not allocate") {
  if (!test::allocation_counting_works()) return;
  const MultibodySystem system(HelixChain({.n = 600}).model());
  for (const int threads : {1, 2})
    for (const RowScaling scaling :
         {RowScaling::natural, RowScaling::none, RowScaling::over_h, RowScaling::over_h2}) {
      CAPTURE(threads);
      CAPTURE(static_cast<int>(scaling));
      const ThreadScope now(threads);
      GeneralizedAlpha alpha({.scaling = scaling});
      CHECK(fewest_allocations(alpha, system, changing) == 0);
      AlphaRattle rattle({.scaling = scaling});
      CHECK(fewest_allocations(rattle, system, changing) == 0);
    }
}

TEST_CASE("the loop of a run allocates nothing either: 200 instants ask for no more than 100") {
  if (!test::allocation_counting_works()) return;
  const Model model = HelixChain({.n = 40}).model();
  const MultibodySystem bodies(model);
  const QuaternionSystem seven(model);
  const ThreadScope now(1);
  for (const StepperEntry& entry : builtin_steppers()) {
    if (entry.name == "ida") continue;
    CAPTURE(entry.name);
    const auto allocations = [&](int steps) {
      const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
      const bool lagrangian = stepper->traits().coordinates == Coordinates::lagrangian;
      const System& system = lagrangian ? static_cast<const System&>(seven) : bodies;
      if (!stepper->refuses(system).empty()) return 0L;
      State state = system.initial_state();
      RunResult result;
      const RunOptions options{.step = 1e-3, .end = 1e-3 * steps};
      const long count = test::count_allocations([&] { result = run(system, *stepper, state, options); });
      CHECK(result.status == Status::ok);
      CHECK(result.instants == steps);
      return count;
    };
    const long once = allocations(100);
    CHECK(allocations(200) == once);
  }
}

}  // namespace allocations_tests
