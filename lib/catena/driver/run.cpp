#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/driver/run.hpp>

namespace catena {
using namespace detail;

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners) {
  RunResult result = RunLoop(system, stepper, state, options, listeners, nullptr)();
  if (result.interrupted) StopScope::check();
  return result;
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners, const RunState& from) {
  RunResult result = RunLoop(system, stepper, state, options, listeners, &from)();
  if (result.interrupted) StopScope::check();
  return result;
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink) {
  return run(system, stepper, state, options, Listeners{{&sink}, {}, nullptr});
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options) {
  return run(system, stepper, state, options, Listeners{});
}

}  // namespace catena
