#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/detail/stop_scope.hpp>

namespace catena::detail {

RunResult run_without_verdict(const System& system, Stepper& stepper, State& state, const RunOptions& options,
                              const Listeners& listeners, const RunState* from) {
  RunResult result = RunLoop(system, stepper, state, options, listeners, from)();
  if (result.interrupted) StopScope::check();
  return result;
}

}  // namespace catena::detail
