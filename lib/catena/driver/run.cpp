#include <catena/driver/grid.hpp>
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

// One run, as verbs. A cell is one step of the grid, or what is left of it after a stepper has taken less than
// it was asked for; a cut step divides it into 2^max_cuts units at most.
class Run {
 public:
  Run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
      const Listeners& listeners)
      : system_(system),
        stepper_(stepper),
        state_(state),
        options_(checked(options, state.t)),
        listeners_(listeners),
        grid_(state.t, std::max(state.t, options.end), options.step),
        free_(stepper.traits().chooses_step),
        schedule_(system, listeners.controllers),
        finder_(listeners.events),
        between_(system),
        audience_(system, listeners, result_) {
    result_.t_begin = state.t;
    result_.step = grid_.step();
    result_.seconds_fastest_step = std::numeric_limits<double>::infinity();
    result_.smallest_step = std::numeric_limits<double>::infinity();
  }

  RunResult operator()() {
    const Clock::time_point begin = Clock::now();
    set_up();
    const Clock::time_point ready = Clock::now();
    result_.seconds_setup = seconds(begin, ready);
    last_time_ = ready;
    if (result_.status == Status::ok) {
      told_since_step_ = true;
      audience_.begin();
      if (result_.status == Status::ok) tell(true);
      while (result_.status == Status::ok && result_.instants < grid_.steps()) {
        if (free_)
          advance_freely();
        else
          advance_to_next_instant();
      }
      const Clock::time_point from = Clock::now();
      if (told_since_step_) result_.seconds_output += seconds(last_time_, from);
      audience_.end(state_, last_outcome_);
      result_.seconds_output += seconds(from, Clock::now());
    }
    result_.t_end = state_.t;
    if (result_.steps == 0) result_.seconds_fastest_step = result_.smallest_step = 0.0;
    result_.seconds_total = seconds(begin, Clock::now());
    return result_;
  }

 private:
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
    if (outcome.status == Status::ok && !options_.resume) outcome = stepper_.start(state_, grid_.step());
    result_.status = outcome.status;
    (outcome.status == Status::ok ? result_.start_remark : result_.culprit) = outcome.culprit;
    last_outcome_.h_next = outcome.h_next;
    if (outcome.status == Status::ok && !options_.resume) sample();
    if (result_.status == Status::ok) finder_.begin(state_);
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
    const double target = sampling < end - roundoff(end) ? sampling : end;
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
    const bool hit = result_.instants < grid_.steps() &&
                     std::abs(grid_.instant(result_.instants + 1) - state_.t) <= roundoff(state_.t);
    if (hit) ++result_.instants;
    tell(hit && is_output_instant());
  }

  bool is_output_instant() const {
    return result_.instants % options_.every == 0 || result_.instants == grid_.steps();
  }

  // Events inside the step just taken and, where dense, instants of the grid, in the order of time.
  void serve_step(double h, bool dense) {
    told_since_step_ = true;
    const auto serve_instants = [&](double until) {
      while (dense && result_.status == Status::ok && result_.instants < grid_.steps()) {
        const double t = grid_.instant(result_.instants + 1);
        if (t > until || t >= state_.t - roundoff(state_.t)) break;
        ++result_.instants;
        if (!is_output_instant() || listeners_.sinks.empty()) continue;
        const State& inside = between_.at(1.0 - (state_.t - t) / h, stepper_, state_, h);
        audience_.accept(inside, last_outcome_);
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
    if (std::abs(grid_.instant(result_.instants + 1) - state_.t) <= roundoff(state_.t)) ++result_.instants;
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
    if (!schedule_.sample(state_, roundoff(state_.t), result_.samples)) return;
    const Clock::time_point from = Clock::now();
    const Outcome outcome = stepper_.restart(state_, free_ ? advised_step() : grid_.step());
    const Clock::duration spent = Clock::now() - from;
    result_.seconds_stepping += std::chrono::duration<double>(spent).count();
    last_time_ += spent;
    if (outcome.status != Status::ok) {
      fail(outcome);
      return;
    }
    finder_.begin(state_);
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
    const int units = 1 << options_.max_cuts;
    const double instant = grid_.instant(result_.instants + 1);
    const double sampling = schedule_.next_instant(state_);
    const bool to_instant = !(sampling < instant - roundoff(instant));  // else to a sample on the way
    const double target = to_instant ? instant : sampling;
    // [s] units units: the way to the target from where done was 0
    double cell = to_instant && on_grid_ ? grid_.step() : target - state_.t;
    int done = 0;
    bool arrived = false;
    while (!arrived) {
      if (stop_requested()) return;
      const int size = units >> cuts_;
      const double h = std::ldexp(cell, -cuts_);
      const double t = state_.t;
      const Outcome outcome = timed_step(h);
      if (outcome.status != Status::ok) {
        if (!cut(outcome)) return;
        continue;
      }
      if (outcome.h_taken == h) {
        done += size;
        arrived = done == units;
        // Grow where the larger step begins on the grid of its own size.
        if (cuts_ > 0 && done % (2 * size) == 0) --cuts_;
      } else {  // the stepper took less than it was asked for: a new cell from where it stands
        if (!moved_on(outcome, h, t)) return;
        cell = target - state_.t;
        done = 0;
        arrived = cell <= roundoff(target);
        while (cuts_ > 0 && std::ldexp(cell, 1 - cuts_) <= h) --cuts_;
      }
      if (arrived) state_.t = target;  // no drift of t by additions
      last_outcome_ = outcome;
      serve_step(outcome.h_taken, false);
      if (result_.status != Status::ok) return;
      on_grid_ = arrived && to_instant;
      if (on_grid_) ++result_.instants;
      sample();
      tell(on_grid_ && is_output_instant());
      if (result_.status != Status::ok) return;
    }
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

  // Of sums that should meet an instant.
  double roundoff(double instant) const {
    return 1e-12 * grid_.step() + 4.0 * std::numeric_limits<double>::epsilon() * std::abs(instant);
  }

  // Whether a step from t that was asked for h took a part of it; else the run is over.
  bool moved_on(const Outcome& outcome, double h, double t) {
    if (outcome.h_taken > 0.0 && outcome.h_taken < h && state_.t > t) return true;
    const bool too_far = outcome.h_taken > h;
    result_.status = too_far ? Status::unsupported : Status::step_too_small;
    result_.message = too_far ? "the stepper went beyond the step that it was asked for"
                              : "the stepper reports success but time stands still";
    audience_.state_is_new();
    return false;
  }

  // False: the run is over.
  bool cut(const Outcome& outcome) {
    if (recoverable(outcome.status) && cuts_ < options_.max_cuts) {
      ++result_.rejected;
      ++cuts_;
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
  }

  const System& system_;
  Stepper& stepper_;
  State& state_;
  const RunOptions options_;
  const Listeners& listeners_;
  const Grid grid_;
  const bool free_;  // the stepper chooses its steps
  const ControllerSchedule schedule_;
  EventFinder finder_;
  StateBetween between_;
  RunResult result_;
  RunListeners audience_;
  Outcome last_outcome_;
  Clock::time_point last_time_;
  int cuts_ = 0;
  bool on_grid_ = true;           // the next step of the grid is a whole one
  bool told_since_step_ = false;  // the time since last_time_ belongs to the listeners
};

}  // namespace

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners) {
  return Run(system, stepper, state, options, listeners)();
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink) {
  return run(system, stepper, state, options, Listeners{{&sink}, {}, nullptr});
}

RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options) {
  return run(system, stepper, state, options, Listeners{});
}

}  // namespace catena
