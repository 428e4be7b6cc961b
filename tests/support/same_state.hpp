// States to the bit, the memory of their stepper included.
#pragma once
#include <catena/system/parts/state.hpp>

namespace catena_test {

inline bool same_state(const catena::State& a, const catena::State& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v && a.a == b.a && a.lambda == b.lambda &&
         a.memory == b.memory && a.discrete == b.discrete;
}

}  // namespace catena_test
