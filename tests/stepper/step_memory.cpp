// The named slots of State::memory.
#include <catena/stepper/parts/step_memory.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace catena;

TEST_CASE("slots lie one behind the other, each under its name") {
  StepMemory memory;
  const MemorySlot h = memory.add("h", 1), a = memory.add("a", 3), lambda = memory.add("lambda", 2);
  State state;
  CHECK_FALSE(memory.fits(state));
  memory.begin(state);
  REQUIRE(memory.fits(state));
  CHECK(memory.size(state) == 6);
  h.value(state) = 0.5;
  a.of(state)[2] = 1.0;
  lambda.of(state)[0] = 2.0;
  CHECK(state.memory == std::vector<double>{0.5, 0.0, 0.0, 1.0, 2.0, 0.0});
  REQUIRE(memory.slots().size() == 3);
  CHECK(memory.slots()[1].name == "a");
  CHECK(memory.slots()[1].size == 3);
  state.memory.pop_back();
  CHECK_FALSE(memory.fits(state));
}

TEST_CASE("the last slot may hold the discrete values of the started state, controllers' included") {
  StepMemory memory;
  memory.add("h", 1);
  const MemorySlot point = memory.add_with_discrete("point", 2);
  State state;
  memory.begin(state);
  CHECK(state.memory.size() == 3);
  state.discrete = {1.0, 2.0};
  CHECK_FALSE(memory.fits(state));
  memory.begin(state);
  REQUIRE(memory.fits(state));
  CHECK(state.memory.size() == 5);
  CHECK(point.of(state) + point.size + state.discrete.size() == state.memory.data() + state.memory.size());
  memory.clear();
  memory.add("h", 1);
  memory.begin(state);
  CHECK(state.memory.size() == 1);
}

TEST_CASE("a const state gives const numbers") {
  const MemorySlot slot{"a", 0, 1};
  CHECK(std::is_same_v<decltype(slot.of(std::declval<State&>())), double*>);
  CHECK(std::is_same_v<decltype(slot.of(std::declval<const State&>())), const double*>);
}

TEST_CASE("a state without its memory is refused with the reason") {
  const Outcome outcome = not_started(State{});
  CHECK(outcome.status == Status::unsupported);
  CHECK(outcome.culprit.name == "the state was not started by this stepper: call start()");
  CHECK(outcome.culprit.value == 0.0);
}
