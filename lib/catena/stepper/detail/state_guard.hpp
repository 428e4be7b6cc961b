// Gives back what a start has changed, unless it succeeds.
#pragma once
#include <catena/system/parts/state.hpp>

#include <vector>

namespace catena::detail {

// Holds q, v, a, lambda and the memory of a state; t and discrete values are not looked after.
class StateGuard {
 public:
  explicit StateGuard(State& state)
      : state_(state), q_(state.q), v_(state.v), a_(state.a), lambda_(state.lambda), memory_(state.memory) {}
  ~StateGuard() {
    if (kept_) return;
    state_.q.swap(q_);
    state_.v.swap(v_);
    state_.a.swap(a_);
    state_.lambda.swap(lambda_);
    state_.memory.swap(memory_);
  }
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

  void keep() { kept_ = true; }  // what the state holds now

 private:
  State& state_;
  std::vector<double> q_, v_, a_, lambda_, memory_;
  bool kept_ = false;
};

}  // namespace catena::detail
