#include <catena/driver/cell.hpp>
#include <catena/driver/run.hpp>
#include <catena/driver/run_listeners.hpp>
#include <catena/driver/run_options_check.hpp>
#include <catena/driver/state_between.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

namespace catena {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// One run, as verbs.
class Run {
 public:
  // from: where it goes on; null: from the start.
  Run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
      const Listeners& listeners, const RunState* from)
      : system_(system),
        stepper_(stepper),
        state_(state),
        options_(checked(options, state.t)),
        listeners_(listeners),
        goes_on_(from != nullptr),
        at_(goes_on_ ? *from : beginning(options, state.t)),
        grid_(scheduled(at_, options, state.t)),
        free_(stepper.traits().chooses_step),
        schedule_(system, listeners.controllers),
        finder_(listeners.events),
        between_(system),
        result_(at_.result),
        audience_(system, listeners, result_) {
    result_.step = grid_.step();
    last_outcome_.h_taken = at_.h_taken;
    last_outcome_.h_next = at_.h_next;
    result_.status = result_.cause = Status::ok;
    result_.culprit = {};
    result_.message.clear();
    result_.interrupted = result_.sink_failed = false;
    if (!goes_on_) return;
    ++result_.resumes;
    result_.t_resumed = state.t;
  }

  RunResult operator()() {
    set_up();
    last_time_ = Clock::now();
    result_.seconds_setup += seconds(begin_, last_time_);
    if (result_.status == Status::ok) {
      told_since_step_ = true;
      if (goes_on_) {
        audience_.resume(state_, at_.last_output);
      } else {
        audience_.begin();
        if (result_.status == Status::ok) tell(true);
      }
      while (result_.status == Status::ok && at_.instants < grid_.steps()) {
        if (free_)
          advance_freely();
        else
          advance_to_next_instant();
      }
      const Clock::time_point from = Clock::now();
      if (told_since_step_) result_.seconds_output += seconds(last_time_, from);
      audience_.end(state_, last_outcome_);
      result_.seconds_output += seconds(from, Clock::now());
      audience_.keep(state_, saved());
    }
    note_unfinished();
    result_.t_end = state_.t;
    result_.seconds_total = seconds_until_now();
    if (result_.steps == 0) result_.seconds_fastest_step = result_.smallest_step = 0.0;
    return result_;
  }

 private:
  static RunState beginning(const RunOptions& options, double t) {
    RunState run;
    run.grid_begin = run.last_output = run.result.t_begin = t;
    run.grid_end = options.end;
    run.wanted_step = options.step;
    run.max_cuts = options.max_cuts;
    run.result.seconds_fastest_step = run.result.smallest_step = std::numeric_limits<double>::infinity();
    return run;
  }

  static Grid scheduled(RunState& run, const RunOptions& options, double t) {
    reschedule(run, t, options.end, options.step, options.max_cuts);
    return grid_of(run);
  }

  double seconds_until_now() const { return at_.result.seconds_total + seconds(begin_, Clock::now()); }

  // Where the run stands, for those who save it.
  const RunState& saved() {
    saved_ = at_;
    saved_.h_taken = last_outcome_.h_taken;
    saved_.h_next = last_outcome_.h_next;
    saved_.event_values = finder_.values();
    saved_.result = result_;
    saved_.result.t_end = state_.t;
    saved_.result.seconds_total = seconds_until_now();
    add(saved_.result.earlier, stepper_.statistics());
    return saved_;
  }

  void set_up() {
    const std::string why = stepper_.refuses(system_);
    if (!why.empty()) {
      result_.status = Status::unsupported;
      result_.message = why;
      return;
    }
    Outcome outcome = stepper_.attach(system_);
    const std::string misfit = schedule_.prepare(state_);
    if (!misfit.empty()) outcome = {Status::unsupported, 0.0, 0.0, {misfit, "discrete state", 0.0}};
    const bool starts = goes_on_ ? at_.restart : !options_.resume;
    if (outcome.status == Status::ok && starts) outcome = stepper_.start(state_, grid_.step());
    result_.status = outcome.status;
    if (outcome.status != Status::ok) result_.culprit = outcome.culprit;
    if (starts && outcome.status == Status::ok) result_.start_remark = outcome.culprit;
    if (starts || !goes_on_) last_outcome_.h_next = outcome.h_next;
    at_.restart = false;
    if (starts && result_.status == Status::ok) sample();
    if (result_.status != Status::ok) return;
    if (goes_on_ && !starts && at_.event_values.size() == listeners_.events.size())
      finder_.begin(at_.event_values);
    else
      finder_.begin(state_);
  }

  // Size of the next step that the stepper advises.
  double advised_step() const {
    const double h = stepper_.proposed_step(state_);
    return h > 0.0 ? h : last_outcome_.h_next > 0.0 ? last_outcome_.h_next : grid_.step();
  }

  // One step of the size that the stepper chooses, to the end or to the next sample at most.
  void advance_freely() {
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
    serve_step(state_.t - t, true);
    if (result_.status != Status::ok) return;
    sample();
    const bool hit = stands_on_next_instant();
    if (hit) reach_instant();
    tell(hit && is_output_instant());
    save_where_due();
  }

  bool stands_on_next_instant() const {
    return at_.instants < grid_.steps() &&
           std::abs(grid_.instant(at_.instants + 1) - state_.t) <= roundoff(grid_, state_.t);
  }

  bool is_output_instant() const {
    return at_.instants % options_.every == 0 || at_.instants == grid_.steps();
  }

  // Events inside the step just taken and, where dense, instants of the grid, in the order of time.
  void serve_step(double h, bool dense) {
    told_since_step_ = true;
    const auto serve_instants = [&](double until) {
      while (dense && result_.status == Status::ok && at_.instants < grid_.steps()) {
        const double t = grid_.instant(at_.instants + 1);
        if (t > until || t >= state_.t - roundoff(grid_, state_.t)) break;
        reach_instant();
        if (!is_output_instant() || listeners_.sinks.empty()) continue;
        const State& inside = between_.at(1.0 - (state_.t - t) / h, stepper_, state_, h);
        audience_.accept(inside, last_outcome_);
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

  // True: the run ends at this event.
  bool meet(const EventFinder::Root& root, double t, double h) {
    const Event& event = listeners_.events[static_cast<std::size_t>(root.number)];
    const EventRecord record{root.number, event.name, t, root.rising};
    result_.events.push_back(record);
    const State& at_event = root.theta == 1.0 ? state_ : between_.at(root.theta, stepper_, state_, h);
    const bool asked = audience_.event(record, at_event), stop = asked || event.terminal;
    if (!stop) return false;
    if (root.theta != 1.0) state_ = at_event;
    state_.memory.clear();
    at_.restart = true;
    at_.cell = {};
    at_.on_grid = stands_on_next_instant();
    if (at_.on_grid) reach_instant();
    if (result_.status == Status::ok) {
      result_.status = event.terminal ? Status::event : Status::stopped;
      result_.message =
          (event.terminal ? "event \"" : "an observer asked to stop at event \"") + event.name + "\"";
    }
    tell(false);
    return true;
  }

  // Lets controllers sample that are due, and makes the state consistent where they have changed something.
  void sample() {
    if (schedule_.empty()) return;
    told_since_step_ = true;
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
  }

  // What happened inside steps, added to what was known of a part before.
  void note_unfinished() {
    if (result_.unfinished == 0) result_.unfinished_remark = between_.remark();
    result_.unfinished += between_.failures();
  }

  // Ends the run for what the stepper says.
  void fail(const Outcome& outcome) {
    result_.culprit = outcome.culprit;
    result_.status = outcome.status;
    if (!recoverable(outcome.status)) return;
    result_.status = Status::step_too_small;
    result_.cause = outcome.status;
  }

  void advance_to_next_instant() {
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
      serve_step(outcome.h_taken, false);
      if (result_.status != Status::ok) return;
      at_.on_grid = arrived && at_.cell.to_instant;
      if (at_.on_grid) reach_instant();
      sample();
      tell(at_.on_grid && is_output_instant());
      if (result_.status != Status::ok) return;
      save_where_due();
    }
  }

  void reach_instant() {
    ++at_.instants;
    ++result_.instants;
  }

  void save_where_due() {
    if (result_.status == Status::ok && listeners_.checkpoints != nullptr && listeners_.checkpoints->due())
      audience_.save(state_, saved());
  }

  Outcome timed_step(double h) {
    const Clock::time_point from = Clock::now();
    if (told_since_step_) result_.seconds_output += seconds(last_time_, from);
    const long rejected = stepper_.statistics().rejected_steps;
    Outcome outcome = stepper_.step(state_, h);
    last_time_ = Clock::now();
    told_since_step_ = false;
    const double taken = seconds(from, last_time_);
    result_.seconds_stepping += taken;
    if (outcome.status == Status::ok) {
      ++result_.steps;
      result_.seconds_fastest_step = std::min(result_.seconds_fastest_step, taken);
      result_.smallest_step = std::min(result_.smallest_step, outcome.h_taken);
      result_.largest_step = std::max(result_.largest_step, outcome.h_taken);
      result_.rejected += stepper_.statistics().rejected_steps - rejected;
    }
    return outcome;
  }

  // Whether a step from t that was asked for h took a part of it; else the run is over.
  bool moved_on(const Outcome& outcome, double h, double t) {
    if (outcome.h_taken > 0.0 && outcome.h_taken < h && state_.t > t) return true;
    const bool too_far = outcome.h_taken > h;
    result_.status = too_far ? Status::unsupported : Status::step_too_small;
    result_.message = too_far ? "the stepper went beyond the step that it was asked for"
                              : "the stepper reports success but time stands still";
    audience_.state_is_new();
    at_.cell = {};
    at_.on_grid = false;
    return false;
  }

  // False: the run is over.
  bool cut(const Outcome& outcome) {
    if (recoverable(outcome.status) && at_.cuts < at_.max_cuts) {
      ++result_.rejected;
      ++at_.cuts;
      return true;
    }
    fail(outcome);
    return false;
  }

  bool stop_requested() {
    if (listeners_.stop == nullptr || !listeners_.stop->load(std::memory_order_relaxed)) return false;
    result_.status = Status::stopped;
    result_.interrupted = true;
    result_.message = "interrupted";
    return true;
  }

  void tell(bool output_instant) {
    told_since_step_ = true;
    audience_.tell(state_, last_outcome_, output_instant);
    if (output_instant) at_.last_output = state_.t;
  }

  const System& system_;
  Stepper& stepper_;
  State& state_;
  const RunOptions options_;
  const Listeners& listeners_;
  const bool goes_on_;
  RunState at_;
  const Grid grid_;
  const bool free_;  // the stepper chooses its steps
  const ControllerSchedule schedule_;
  EventFinder finder_;
  StateBetween between_;
  RunResult result_;
  RunState saved_;
  RunListeners audience_;
  Outcome last_outcome_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_time_;
  bool told_since_step_ = false;  // the time since last_time_ belongs to the listeners
};

}  // namespace

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners) {
  return Run(system, stepper, state, options, listeners, nullptr)();
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners, const RunState& from) {
  return Run(system, stepper, state, options, listeners, &from)();
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink) {
  return run(system, stepper, state, options, Listeners{{&sink}, {}, nullptr});
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options) {
  return run(system, stepper, state, options, Listeners{});
}

}  // namespace catena
