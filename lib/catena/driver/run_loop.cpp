// One run in progress: from beginning to end, from state to state, and what is done where a step ends and inside it.
#include <catena/driver/detail/guard_remark.hpp>
#include <catena/driver/detail/not_finite.hpp>
#include <catena/driver/detail/remarks.hpp>
#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

RunLoop::RunLoop(const System& system, Stepper& stepper, State& state, const RunOptions& options,
                 const Listeners& listeners, const RunState* from)
    : system_(system),
      stepper_(stepper),
      state_(state),
      options_(checked(options, state.t)),
      listeners_(listeners),
      resumed_(from != nullptr),
      at_(resumed_ ? *from : beginning(options, state.t)),
      grid_(scheduled(at_, options, state.t)),
      free_(stepper.traits().chooses_step),
      schedule_(system, listeners.controllers),
      finder_(listeners.events),
      between_(system),
      result_(at_.result),
      run_listeners_(system, listeners, result_) {
  result_.step = grid_.step();
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

RunResult RunLoop::operator()() {
  set_up();
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
    while (result_.status == Status::ok && at_.instants < grid_.steps()) {
      if (free_)
        advance_freely();
      else
        advance_to_next_instant();
    }
    std::vector<double> gaps;
    if (result_.status != Status::unstable)  // which says so itself
      gaps = gaps_not_kept(system_, stepper_.traits(), state_);
    look_at(gaps);
    const Clock::time_point from = Clock::now();
    if (notified_since_step_) result_.seconds_output += seconds(last_time_, from);
    run_listeners_.end(state_, last_outcome_);
    if (std::string remark = step_errors_.remark(); !remark.empty())
      result_.remarks.push_back(std::move(remark));
    StepperStatistics whole_run = result_.earlier;
    add(whole_run, stepper_.statistics());
    for (std::string& remark : guard_remarks(whole_run)) result_.remarks.push_back(std::move(remark));
    if (std::string remark = drift_remark(system_, stepper_.traits().name, gaps); !remark.empty())
      result_.remarks.push_back(std::move(remark));
    result_.seconds_output += seconds(from, Clock::now());
    if (result_.status != Status::not_finite)
      run_listeners_.keep(state_, saved());  // a state without numbers cannot be resumed
  }
  RunResult result = so_far();
  if (result.steps == 0) result.seconds_fastest_step = result.smallest_step = 0.0;
  return result;
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
  Outcome outcome = options_.attached ? Outcome{} : stepper_.attach(system_);
  if (outcome.status == Status::unsupported && !outcome.culprit.name.empty()) {
    result_.status = Status::unsupported;
    result_.message = outcome.culprit.name;  // a sentence, see Stepper::attach
    return;
  }
  if (const std::string misfit = schedule_.prepare(state_); !misfit.empty()) {
    result_.status = Status::unsupported;
    result_.message = misfit;
    return;
  }
  const bool starts = resumed_ ? at_.restart : !options_.resume;
  Culprit velocity;
  if (outcome.status == Status::ok && starts) {
    velocity = inconsistent_velocity(system_, state_);
    outcome = stepper_.start(state_, grid_.step());
  }
  result_.status = outcome.status;
  if (outcome.status != Status::ok) result_.culprit = outcome.culprit;
  if (outcome.status == Status::inconsistent_start && outcome.culprit.why.empty())
    find_undefined(system_, point_of(state_), result_.culprit);
  explain_culprit();
  if (starts && outcome.status == Status::ok)
    result_.start_remark = outcome.culprit.quantity.empty() ? velocity : outcome.culprit;
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

// Steps: to the next instant of the grid, cut where they fail, or as the stepper chooses them.

void RunLoop::advance_to_next_instant() {
  if (!at_.cell.open) open_cell(at_, grid_, state_.t, schedule_.next_instant(state_));
  while (at_.cell.open) {
    if (stop_requested()) return;
    const double h = cell_step(at_), t = state_.t;
    const Outcome outcome = timed_step(h);
    if (outcome.status != Status::ok) {
      if (!cut(outcome)) return;
      continue;
    }
    const bool whole = outcome.h_taken == h;
    if (!whole && !moved_on(outcome, h, t)) return;
    const bool arrived = whole ? pass(at_) : pass_part(at_, grid_, state_.t, h);
    if (arrived) state_.t = at_.cell.target;  // no drift of t by additions
    last_outcome_ = outcome;
    if (!state_holds()) return;
    serve_step(outcome.h_taken, false);
    if (result_.status != Status::ok) return;
    at_.on_grid = arrived && at_.cell.to_instant;
    if (at_.on_grid) reach_instant();
    sample();
    notify(at_.on_grid && is_output_instant());
    if (result_.status != Status::ok) return;
    save_where_due();
  }
}

void RunLoop::advance_freely() {
  if (stop_requested()) return;
  const double t = state_.t;
  const double end = grid_.instant(grid_.steps()), sampling = schedule_.next_instant(state_);
  const double target = sampling < end - roundoff(grid_, end) ? sampling : end;
  double h = advised_step();
  const double rest = target - t;
  const bool last = h * 1.01 >= rest;
  if (last)
    h = rest;
  else if (2.0 * h > rest)  // two equal steps, no sliver
    h = 0.5 * rest;
  const Outcome outcome = timed_step(h);
  if (outcome.status != Status::ok) {
    fail(outcome);
    return;
  }
  if (outcome.h_taken != h && !moved_on(outcome, h, t)) return;
  if (last && outcome.h_taken == h) state_.t = target;  // no drift of t by additions
  last_outcome_ = outcome;
  if (!state_holds() || !makes_progress(outcome.h_taken)) return;
  serve_step(state_.t - t, true);
  if (result_.status != Status::ok) return;
  sample();
  const bool hit = is_at_next_instant();
  if (hit) reach_instant();
  notify(hit && is_output_instant());
  save_where_due();
}

double RunLoop::advised_step() const {
  const double h = stepper_.proposed_step(state_);
  return h > 0.0 ? h : last_outcome_.h_next > 0.0 ? last_outcome_.h_next : grid_.step();
}

Outcome RunLoop::timed_step(double h) {
  const Clock::time_point from = Clock::now();
  if (notified_since_step_) result_.seconds_output += seconds(last_time_, from);
  const long rejected = stepper_.statistics().rejected_steps;
  Outcome outcome = stepper_.step(state_, h);
  last_time_ = Clock::now();
  notified_since_step_ = false;
  const double taken = seconds(from, last_time_);
  result_.seconds_stepping += taken;
  if (outcome.status == Status::ok) {
    ++result_.steps;
    result_.seconds_fastest_step = std::min(result_.seconds_fastest_step, taken);
    result_.smallest_step = std::min(result_.smallest_step, outcome.h_taken);
    result_.largest_step = std::max(result_.largest_step, outcome.h_taken);
    result_.rejected += stepper_.statistics().rejected_steps - rejected;
    step_errors_.add(state_, outcome.h_taken);
  }
  return outcome;
}

bool RunLoop::state_holds() {
  std::optional<Culprit> lost = without_square(system_, state_);
  if (!lost) return true;
  result_.status = Status::not_finite;
  result_.culprit = std::move(*lost);
  return false;
}

bool RunLoop::makes_progress(double h_taken) {
  // 1e10 such steps would be needed, and 1e5 of them have been taken: this is no transient, but a tolerance below the
  // roundoff of the fastest component.
  constexpr double shortest = 1e-10;
  constexpr long many = 100000;
  const double length = grid_.instant(grid_.steps()) - grid_.instant(0);
  short_steps_ = h_taken < shortest * length ? short_steps_ + 1 : 0;
  if (short_steps_ < many) return true;
  const SystemLayout& layout = system_.layout();
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < state_.v.size(); ++i)
    if (std::abs(state_.v[i]) / layout.scale[i] > std::abs(state_.v[fastest]) / layout.scale[fastest])
      fastest = i;
  result_.status = Status::step_too_small;
  result_.culprit = {velocity_owner(system_, static_cast<int>(fastest)), "velocity", state_.v[fastest]};
  result_.message =
      "100000 steps in a row shorter than 1e-10 of the run: it would not end; the tolerances ask for "
      "more than the roundoff of this motion allows";
  return false;
}

bool RunLoop::moved_on(const Outcome& outcome, double h, double t) {
  if (outcome.h_taken > 0.0 && outcome.h_taken < h && state_.t > t) return true;
  const bool too_far = outcome.h_taken > h;
  result_.status = too_far ? Status::unsupported : Status::step_too_small;
  result_.message = too_far ? "the stepper went beyond the step that it was asked for"
                            : "the stepper reports success but time does not advance";
  run_listeners_.state_is_new();
  at_.cell = {};
  at_.on_grid = false;
  return false;
}

bool RunLoop::cut(const Outcome& outcome) {
  if (recoverable(outcome.status) && at_.cuts < at_.max_cuts) {
    ++result_.rejected;
    ++at_.cuts;
    return true;
  }
  fail(outcome);
  return false;
}

void RunLoop::fail(const Outcome& outcome) {
  result_.culprit = outcome.culprit;
  explain_culprit();
  result_.status = outcome.status;
  if (!recoverable(outcome.status)) return;
  result_.status = Status::step_too_small;
  result_.cause = outcome.status;
}

// Events, controllers and outputs, in the order of time.

void RunLoop::serve_step(double h, bool dense) {
  notified_since_step_ = true;
  const auto serve_instants = [&](double until) {
    while (dense && result_.status == Status::ok && at_.instants < grid_.steps()) {
      const double t = grid_.instant(at_.instants + 1);
      if (t > until || t >= state_.t - roundoff(grid_, state_.t)) break;
      reach_instant();
      if (!is_output_instant() || listeners_.sinks.empty()) continue;
      const State& inside = between_.at(1.0 - (state_.t - t) / h, stepper_, state_, h);
      run_listeners_.accept(inside, last_outcome_);
      at_.last_output = t;
    }
  };
  if (!finder_.empty())
    for (const EventFinder::Root& root : finder_.find(stepper_, state_, h, between_.scratch(state_))) {
      const double t = root.theta == 1.0 ? state_.t : state_.t - (1.0 - root.theta) * h;
      serve_instants(t);
      if (result_.status != Status::ok || meet(root, t, h)) return;
    }
  serve_instants(state_.t);
}

bool RunLoop::meet(const EventFinder::Root& root, double t, double h) {
  const Event& event = listeners_.events[static_cast<std::size_t>(root.number)];
  const EventRecord record{root.number, event.name, t, root.rising};
  result_.events.push_back(record);
  const State& at_event = root.theta == 1.0 ? state_ : between_.at(root.theta, stepper_, state_, h);
  const bool asked = run_listeners_.event(record, at_event), stop = asked || event.terminal;
  if (!stop) return false;
  if (root.theta != 1.0) state_ = at_event;
  state_.memory.clear();
  at_.restart = true;
  at_.cell = {};
  at_.on_grid = is_at_next_instant();
  if (at_.on_grid) reach_instant();
  if (result_.status == Status::ok) {
    result_.status = event.terminal ? Status::event : Status::stopped;
    result_.message =
        (event.terminal ? "event \"" : "an observer asked to stop at event \"") + event.name + "\"";
  }
  notify(false);
  return true;
}

void RunLoop::sample() {
  if (schedule_.empty()) return;
  notified_since_step_ = true;
  if (!schedule_.sample(state_, roundoff(grid_, state_.t), result_.samples)) return;
  const Clock::time_point from = Clock::now();
  const Outcome outcome = stepper_.restart(state_, free_ ? advised_step() : grid_.step());
  const Clock::duration spent = Clock::now() - from;
  result_.seconds_stepping += std::chrono::duration<double>(spent).count();
  last_time_ += spent;
  if (outcome.status != Status::ok) {
    at_.restart = true;
    fail(outcome);
    return;
  }
  finder_.begin(state_);
  step_errors_.begin_anew(state_);
}

void RunLoop::notify(bool output_instant) {
  notified_since_step_ = true;
  run_listeners_.notify(state_, last_outcome_, output_instant);
  if (output_instant) at_.last_output = state_.t;
}

void RunLoop::reach_instant() {
  ++at_.instants;
  ++result_.instants;
}

bool RunLoop::is_at_next_instant() const {
  return at_.instants < grid_.steps() &&
         std::abs(grid_.instant(at_.instants + 1) - state_.t) <= roundoff(grid_, state_.t);
}

bool RunLoop::is_output_instant() const {
  return at_.instants % options_.every == 0 || at_.instants == grid_.steps();
}

}  // namespace catena::detail
