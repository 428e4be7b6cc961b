// What a stepper carries from step to step in State::memory: numbers under names.
//
// A stepper or a guard lists its slots once, in attach(). A slot then finds its numbers in any state that the stepper has
// started.
// A const state gives const numbers:
//
//     StepMemory memory;
//     MemorySlot a = memory.add("a", layout.v_size());
//     ...
//     memory.begin(state);                // in start(): numbers for all slots, all zero
//     double* last = a.of(state);         // State&
//     const double* last = a.of(state);   // const State&
#pragma once
#include <catena/stepper/stepper.hpp>
#include <catena/system/parts/state.hpp>

#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace catena {

struct MemorySlot {
  std::string name = {};
  std::size_t first = 0, size = 0;  // size: without the discrete values of add_with_discrete()

  double* of(State& state) const {
    assert(first + size <= state.memory.size());
    return state.memory.data() + first;
  }
  const double* of(const State& state) const {
    assert(first + size <= state.memory.size());
    return state.memory.data() + first;
  }
  // The number of a slot of size 1.
  double& value(State& state) const { return *of(state); }
  double value(const State& state) const { return *of(state); }
};

class StepMemory {
 public:
  void clear() { *this = {}; }
  MemorySlot add(std::string name, int size) {
    assert(!with_discrete_ && "no slot behind that with discrete values");
    slots_.push_back({std::move(name), size_, static_cast<std::size_t>(size)});
    size_ += static_cast<std::size_t>(size);
    return slots_.back();
  }

  // The last slot: `size` numbers, then as many as the started state has discrete values, those of controllers
  // included.
  MemorySlot add_with_discrete(std::string name, int size) {
    MemorySlot slot = add(std::move(name), size);
    with_discrete_ = true;
    return slot;
  }

  // Doubles in the memory of such a state.
  std::size_t size(const State& state) const { return size_ + (with_discrete_ ? state.discrete.size() : 0); }
  // In the order of add(), which is their order in State::memory.
  const std::vector<MemorySlot>& slots() const { return slots_; }

  // The slot of that name, which must be there.
  MemorySlot find(std::string_view name) const {
    for (const MemorySlot& slot : slots_)
      if (name == slot.name) return slot;
    assert(false && "no such slot");
    return {};
  }

  // Makes the memory of a state: all numbers zero.
  void begin(State& state) const { state.memory.assign(size(state), 0.0); }
  // False: the state comes from a stepper with other slots, or was never started.
  bool fits(const State& state) const { return state.memory.size() == size(state); }

 private:
  std::vector<MemorySlot> slots_;
  std::size_t size_ = 0;  // without discrete values
  bool with_discrete_ = false;
};

// What step() returns for a state whose memory does not fit.
inline Outcome not_started(const State& state) {
  return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                       static_cast<double>(state.memory.size())});
}

}  // namespace catena
