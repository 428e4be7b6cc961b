// run() of the driver, with what is said against its result: by the observers of this layer.
#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/detail/thrown.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/detail/failure_cause.hpp>
#include <catena/measure/detail/verdict.hpp>

#include <utility>

namespace catena {
using namespace detail;
namespace {

// Monitor and verdict of a run that nobody else observes. What they knew before a checkpoint is not in it: they begin anew
// where it was saved.
class Assessment final : public Observer {
 public:
  std::string name() const override { return verdict_.name(); }
  void begin(const System& system) override {
    monitor_.begin(system);
    verdict_.begin(system);
  }
  void resume(const System& system, const State& state) override {
    begin(system);
    observe(state);
  }
  bool wants_steps() const override { return monitor_.wants_steps(); }
  void step(const AcceptedStep& step) override { monitor_.step(step); }
  bool observe(const State& state) override {
    if (monitor_.observe(state)) return verdict_.observe(state);
    monitor_failed_ = true;
    return false;
  }
  Outcome failure() const override { return monitor_failed_ ? monitor_.failure() : verdict_.failure(); }

  void add_remarks(const State& state, const Stepper& stepper, RunResult& result) const {
    StepperStatistics whole_run = result.earlier;
    add(whole_run, stepper.statistics());
    for (Remark& remark : verdict_.remarks(state, result, whole_run, stepper.traits()))
      result.remarks.push_back(std::move(remark));
  }

 private:
  Monitor monitor_;
  RunVerdict verdict_{monitor_};
  bool monitor_failed_ = false;
};

RunResult run_from(const System& system, Stepper& stepper, State& state, const RunOptions& options,
                   const Listeners& listeners, const RunState* from) {
  if (!options.verdict) return run_without_verdict(system, stepper, state, options, listeners, from);
  Assessment assessment;
  Listeners all = listeners;
  all.observers.insert(all.observers.begin(), &assessment);
  RunResult result = run_without_verdict(system, stepper, state, options, all, from);
  if (result.status == Status::unsupported || result.status == Status::exception) return result;
  try {
    find_cause(system, state, result);
    assessment.add_remarks(state, stepper, result);
    end_for_open_joint(system, state, options.open_joints_fail, result);
  } catch (...) {
    end_for_exception(result, "the look at the last state");
  }
  return result;
}

}  // namespace

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners) {
  return run_from(system, stepper, state, options, listeners, nullptr);
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners, const RunState& from) {
  return run_from(system, stepper, state, options, listeners, &from);
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink) {
  return run(system, stepper, state, options, Listeners{{&sink}, {}, nullptr});
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options) {
  return run(system, stepper, state, options, Listeners{});
}

}  // namespace catena
