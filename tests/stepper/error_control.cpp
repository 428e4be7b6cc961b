// What the control of errors remembers of a step, and what it makes of it.
#include <catena/stepper/detail/error_control.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;

namespace {

// A control with the filter of order 3, attached to a pendulum, and a started state.
struct Controlled {
  catena_test::ToyPendulum system;
  ErrorControl control{StepController::filter(3), {}};
  StepMemory memory;
  State state = system.initial_state();
  explicit Controlled(double first) {
    control.attach(system, memory, false);
    memory.begin(state);
    control.begin(state, first);
  }
};

}  // namespace

TEST_CASE("a step is compared with the one before: its advice has the ratio of their sizes") {
  Controlled c(0.1);
  CHECK(c.control.proposed(c.state) == 0.1);
  // The first step has none before it. h 0.9 e^(-1/12) (1e-4)^(-1/12)
  const double first = c.control.accept(c.state, 0.1, 1.0, 0.5, false);
  CHECK(first ==
        doctest::Approx(0.1 * 0.9 * std::pow(0.5, -1.0 / 12.0) * std::pow(1e-4, -1.0 / 12.0)).epsilon(1e-14));
  // The second is twice as long: (0.2 / 0.1)^(-1/4).
  const double second = c.control.accept(c.state, 0.2, 1.0, 0.3, false);
  CHECK(second == doctest::Approx(0.2 * 0.9 * std::pow(0.3, -1.0 / 12.0) * std::pow(0.5, -1.0 / 12.0) *
                                  std::pow(2.0, -0.25))
                      .epsilon(1e-14));
  CHECK(c.control.numbers(c.state) == ErrorControl::Numbers{second, 0.3, 0.2});
}

TEST_CASE("an error that is very small is remembered as the least one") {
  Controlled c(0.1);
  c.control.accept(c.state, 0.1, 1.0, 1e-12, false);
  CHECK(c.control.numbers(c.state)[1] == StepController::least_error);
  // By its own size the error would let the next step grow by 10 once more.
  const double next = c.control.accept(c.state, 0.1, 1.0, 0.5, false);
  CHECK(next ==
        doctest::Approx(0.1 * 0.9 * std::pow(0.5, -1.0 / 12.0) * std::pow(1e-4, -1.0 / 12.0)).epsilon(1e-14));
}

TEST_CASE("the largest step bounds the first one and every advice") {
  catena_test::ToyPendulum system;
  ErrorControl control(StepController::filter(3), {.max_step = 0.04});
  StepMemory memory;
  State state = system.initial_state();
  control.attach(system, memory, false);
  memory.begin(state);
  control.begin(state, 0.1);
  CHECK(control.proposed(state) == 0.04);
  CHECK(control.accept(state, 0.04, 1.0, 1e-6, false) == 0.04);
}
