// An observer that is one function.
#pragma once
#include <catena/driver/sink.hpp>

#include <type_traits>
#include <utility>

namespace catena::detail {

// Calls a function with every accepted state of a run, the start included. It returns nothing, or false to end the run:
//
//     double highest = 0.0;
//     EachState look([&](const State& s) { highest = std::max(highest, s.q[2]); });
//     run(system, stepper, state, options, Listeners{.observers = {&look}});
template <class Function>
class EachState : public Observer {
 public:
  explicit EachState(Function function) : function_(std::move(function)) {}
  bool observe(const State& state) override {
    if constexpr (std::is_void_v<std::invoke_result_t<Function, const State&>>) {
      function_(state);
      return true;
    } else {
      return function_(state);
    }
  }

 private:
  Function function_;
};

}  // namespace catena::detail
