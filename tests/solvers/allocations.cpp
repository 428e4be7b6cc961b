// A step of any stepper allocates nothing: on systems of several chunks of bodies, with one thread and with two,
// while h changes and whatever the rows are scaled by.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/parallel.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/catalog.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/allocation_count.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace {

using namespace catena;

struct ThreadsForNow {
  explicit ThreadsForNow(int count) { set_threads(count); }
  ~ThreadsForNow() { set_threads(0); }
};

// The fewest allocations of a round of steps of these sizes, after two rounds. The arena of TBB takes memory for its
// tasks now and then, when one thread has more of them than ever before: what a step itself asks for, it asks for in
// every round.
long fewest_allocations(Stepper& stepper, const System& system, const std::vector<double>& sizes) {
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, sizes.front()).status == Status::ok);
  std::vector<double> q(state.q.size()), v(state.v.size());
  bool good = true;
  const auto round = [&] {
    for (const double h : sizes) {
      good = good && stepper.step(state, h).status == Status::ok;
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

}  // namespace

TEST_CASE("600 bodies, three chunks, one thread and two: no step of any stepper allocates") {
  if (!test::allocation_counting_works()) return;
  const Model model = HelixChain({.n = 600}).model();
  const MultibodySystem bodies(model);
  const QuaternionSystem seven(model);
  int tried = 0;
  for (const StepperEntry& entry : builtin_steppers()) {
    if (entry.name == "ida") continue;  // SUNDIALS does: ida_contract.cpp
    for (const int threads : {1, 2}) {
      CAPTURE(entry.name);
      CAPTURE(threads);
      const ThreadsForNow now(threads);
      const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
      const bool lagrangian = stepper->traits().coordinates == Coordinates::lagrangian;
      const System& system = lagrangian ? static_cast<const System&>(seven) : bodies;
      if (!stepper->refuses(system).empty()) continue;
      ++tried;
      const std::vector<double> sizes =
          stepper->traits().variable_step ? changing : std::vector<double>(4, 1e-3);
      CHECK(fewest_allocations(*stepper, system, sizes) == 0);
    }
  }
  CHECK(tried >= 10);
}

TEST_CASE("rows scaled by h: steps of another size do not allocate") {
  if (!test::allocation_counting_works()) return;
  const MultibodySystem system(HelixChain({.n = 600}).model());
  for (const int threads : {1, 2})
    for (const RowScaling scaling :
         {RowScaling::natural, RowScaling::none, RowScaling::over_h, RowScaling::over_h2}) {
      CAPTURE(threads);
      CAPTURE(static_cast<int>(scaling));
      const ThreadsForNow now(threads);
      GeneralizedAlpha alpha({.scaling = scaling});
      CHECK(fewest_allocations(alpha, system, changing) == 0);
      AlphaRattle rattle({.scaling = scaling});
      CHECK(fewest_allocations(rattle, system, changing) == 0);
    }
}
