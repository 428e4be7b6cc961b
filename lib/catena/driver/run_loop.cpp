// One run in progress, from beginning to end.
#include <catena/driver/detail/guard_remark.hpp>
#include <catena/driver/detail/not_finite.hpp>
#include <catena/driver/detail/remarks.hpp>
#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/driver/detail/thrown.hpp>
#include <catena/system/detail/fit.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

namespace {

const RunState& checked(const RunState& from) {
  if (const std::string defect = defect_of(from); !defect.empty())
    throw std::invalid_argument("the progress that the run continues from makes no sense: " + defect);
  return from;
}

// Empty, or which of those that take part is a null pointer.
std::string null_listener(const Listeners& listeners) {
  std::string missing;
  const auto look = [&](const auto& list, const char* name) {
    if (missing.empty() && std::find(list.begin(), list.end(), nullptr) != list.end())
      missing = "Listeners::" + std::string(name) + " of the run holds a null pointer";
  };
  look(listeners.sinks, "sinks");
  look(listeners.observers, "observers");
  look(listeners.controllers, "controllers");
  return missing;
}

}  // namespace

RunLoop::RunLoop(const System& system, Stepper& stepper, State& state, const RunOptions& options,
                 const Listeners& listeners, const RunState* from)
    : system_(system),
      stepper_(stepper),
      state_(state),
      options_(checked(options, state.t)),
      listeners_(listeners),
      resumed_(from != nullptr),
      at_(resumed_ ? checked(*from) : beginning(options, state.t)),
      grid_(scheduled(at_, options, state.t)),
      free_(stepper.traits().chooses_step),
      schedule_(system, listeners.controllers),
      break_points_(free_ ? system.break_points() : std::vector<double>{}),
      finder_(listeners.events),
      between_(system),
      result_(at_.result),
      run_listeners_(system, listeners, result_) {
  result_.step = grid_.step();
  result_.chosen_steps = free_;
  last_outcome_.h_taken = at_.h_taken;
  last_outcome_.h_next = at_.h_next;
  result_.status = result_.cause = Status::ok;
  result_.culprit = {};
  result_.message.clear();
  result_.interrupted = result_.sink_failed = false;
  if (!resumed_) return;
  ++result_.resumes;
  result_.t_resumed = state.t;
}

template <class Work>
void RunLoop::guard(const std::string& name, const Work& work) {
  try {
    work();
  } catch (const LostValue& lost) {
    end_for_lost_value(result_, lost);
    if (!served_) undo_or_leave();
  } catch (...) {
    end_for_exception(result_, name);
    if (!served_) undo_or_leave();
  }
}

RunResult RunLoop::operator()() {
  guard("the start", [&] { set_up(); });
  last_time_ = Clock::now();
  result_.seconds_setup += seconds(begin_, last_time_);
  if (result_.status == Status::ok) {
    notified_since_step_ = true;
    step_errors_.attach(system_, stepper_, state_);
    if (resumed_) {
      run_listeners_.resume(state_, at_.last_output);
    } else {
      run_listeners_.begin();
      if (result_.status == Status::ok) notify(true);
    }
    const std::string step = "a step of \"" + stepper_.traits().name + '"';
    while (result_.status == Status::ok && at_.instants < grid_.steps())
      guard(step, [&] { free_ ? advance_freely() : advance_to_next_instant(); });
    finish();
  }
  RunResult result = so_far();
  if (result.steps == 0) result.seconds_fastest_step = result.smallest_step = 0.0;
  return result;
}

void RunLoop::finish() {
  std::vector<double> gaps;
  guard("the look at the last state", [&] {
    if (result_.status != Status::unstable && result_.status != Status::exception)  // which say so themselves
      gaps = gaps_not_kept(system_, stepper_.traits(), state_);
    look_at(gaps);
  });
  const Clock::time_point from = Clock::now();
  if (notified_since_step_) result_.seconds_output += seconds(last_time_, from);
  run_listeners_.end(state_, last_outcome_);
  if (std::string remark = step_errors_.remark(); !remark.empty())
    result_.remarks.push_back({RemarkKey::step_errors, {}, std::move(remark)});
  StepperStatistics whole_run = result_.earlier;
  add(whole_run, stepper_.statistics());
  for (Remark& remark : guard_remarks(whole_run)) result_.remarks.push_back(std::move(remark));
  if (std::optional<Remark> remark = drift_remark(system_, stepper_.traits().name, gaps))
    result_.remarks.push_back(std::move(*remark));
  result_.seconds_output += seconds(from, Clock::now());
  if (result_.status != Status::not_finite)
    run_listeners_.keep(state_, saved());  // a state without numbers cannot be resumed
}

RunState RunLoop::beginning(const RunOptions& options, double t) {
  RunState run;
  run.grid_begin = run.last_output = run.result.t_begin = t;
  run.grid_end = options.end;
  run.wanted_step = options.step;
  run.max_cuts = options.max_cuts;
  run.result.seconds_fastest_step = run.result.smallest_step = std::numeric_limits<double>::infinity();
  return run;
}

Grid RunLoop::scheduled(RunState& run, const RunOptions& options, double t) {
  reschedule(run, t, options.end, options.step, options.max_cuts);
  return grid_of(run);
}

void RunLoop::set_up() {
  const auto refuse = [&](const std::string& sentence) {
    result_.status = Status::unsupported;
    result_.message = sentence;
  };
  if (const std::string missing = null_listener(listeners_); !missing.empty()) return refuse(missing);
  Outcome outcome = options_.attached ? Outcome{} : stepper_.attach(system_);
  if (outcome.status == Status::unsupported && !outcome.culprit.name.empty())
    return refuse(outcome.culprit.name);  // a sentence, see Stepper::attach
  if (const std::string misfit = misfit_of(system_.layout(), state_); !misfit.empty()) return refuse(misfit);
  if (const std::string misfit = schedule_.prepare(state_); !misfit.empty()) return refuse(misfit);
  const bool starts = resumed_ ? at_.restart : !options_.resume;
  if (resumed_ && !starts && outcome.status == Status::ok && !stepper_.continues(state_)) {
    result_.status = Status::unsupported;
    result_.culprit = {stepper_.traits().name, "memory", static_cast<double>(state_.memory.size())};
    result_.message = "the memory of the state is not that of this stepper with these options";
    return;
  }
  Culprit velocity;
  if (outcome.status == Status::ok && starts) {
    velocity = inconsistent_velocity(system_, state_);
    outcome = stepper_.start(state_, grid_.step());
    if (outcome.status == Status::unsupported && outcome.culprit.quantity == "refusal")
      return refuse(outcome.culprit.name);
  }
  result_.status = outcome.status;
  if (outcome.status != Status::ok) result_.culprit = outcome.culprit;
  // What an element says of itself is more than that its pivot vanishes.
  if (outcome.status == Status::inconsistent_start &&
      (outcome.culprit.why.empty() || outcome.culprit.quantity == "pivot"))
    find_undefined(system_, point_of(state_), result_.culprit);
  explain_culprit();
  if (starts && outcome.status == Status::ok)
    result_.start_remark = velocity.quantity.empty() ? outcome.culprit : velocity;
  if (starts || !resumed_) last_outcome_.h_next = outcome.h_next;
  at_.restart = false;
  if (result_.status == Status::ok && !state_holds()) return;
  if (starts && result_.status == Status::ok) sample();
  if (result_.status != Status::ok) return;
  if (resumed_ && !starts && at_.event_values.size() == listeners_.events.size())
    finder_.begin(at_.event_values);
  else
    finder_.begin(state_);
}

RunResult RunLoop::so_far() const {
  RunResult result = result_;
  result.t_end = state_.t;
  if (error_component_ >= 0) result.largest_error.name = velocity_owner(system_, error_component_);
  result.seconds_total = at_.result.seconds_total + seconds(begin_, Clock::now());
  // What happened inside steps, added to what was known of a part before.
  if (result.unfinished == 0) result.unfinished_remark = between_.remark();
  result.unfinished += between_.failures();
  return result;
}

void RunLoop::explain_culprit() {
  if (const Culprit& c = result_.culprit; !c.why.empty()) result_.message = c.name + ": " + c.why;
}

void RunLoop::look_at(const std::vector<double>& gaps) {
  if (result_.status != Status::ok && result_.status != Status::event) return;
  std::optional<Culprit> lost = without_gap(system_, gaps);
  if (!lost) return;
  result_.status = Status::not_finite;
  result_.culprit = std::move(*lost);
  result_.message.clear();
}

const RunState& RunLoop::saved() {
  saved_ = at_;
  saved_.h_taken = last_outcome_.h_taken;
  saved_.h_next = last_outcome_.h_next;
  saved_.event_values = finder_.values();
  saved_.result = so_far();
  add(saved_.result.earlier, stepper_.statistics());
  return saved_;
}

void RunLoop::save_where_due() {
  if (result_.status == Status::ok && listeners_.checkpoints != nullptr && listeners_.checkpoints->due())
    run_listeners_.save(state_, saved());
}

bool RunLoop::stop_requested() {
  const bool asked = listeners_.stop != nullptr && listeners_.stop->load(std::memory_order_relaxed);
  if (!asked && !StopScope::requested()) return false;
  result_.status = Status::stopped;
  result_.interrupted = true;
  result_.message = "interrupted";
  return true;
}

}  // namespace catena::detail
