// Numbers in State::memory that no step has left there: every stepper ends with a status, or with a state of numbers.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/setup.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

TEST_CASE("a step from a damaged history fails, or leads to numbers") {
  const Catalog catalog = builtin();
  int failures = 0, steps = 0, orders = 0;
  for (const StepperEntry& entry : catalog.steppers()) {
    CAPTURE(entry.name);
    Complaints complaints;
    const Setup setup = set_up({.problem = "heavy_top", .stepper = entry.name}, {}, catalog, complaints);
    REQUIRE_FALSE(complaints.any());
    const std::unique_ptr<System> system = make_system(*setup.problem, setup.stepper->traits().coordinates);
    if (!setup.stepper->refuses(*system).empty()) continue;
    REQUIRE(setup.stepper->attach(*system).status == Status::ok);
    State good = system->initial_state();
    REQUIRE(setup.stepper->start(good, 1e-3).status == Status::ok);
    for (int k = 0; k < 3; ++k) REQUIRE(setup.stepper->step(good, 1e-3).status == Status::ok);
    for (std::size_t k = 0; k < good.memory.size(); ++k)
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e300, -1e300, 1e-300, 0.0, -1.0}) {
        CAPTURE(k);
        CAPTURE(bad);
        State state = good;
        state.memory[k] = bad;
        const Outcome outcome = setup.stepper->step(state, 1e-3);
        ++steps;
        if (outcome.status != Status::ok) {
          ++failures;
          if (outcome.culprit.quantity == "order in the history of steps") ++orders;
          CHECK(state.t == good.t);
          CHECK(state.q == good.q);
          continue;
        }
        const auto numbers = [](const std::vector<double>& values) {
          return std::all_of(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
        };
        CHECK(numbers(state.q));
        CHECK(numbers(state.v));
      }
  }
  CHECK(steps > 300);
  CHECK(failures > 30);
  CHECK(orders == 6);  // of lie_bdf, with each of the numbers above
}
