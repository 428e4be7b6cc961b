#include <catena/driver/grid.hpp>
#include <catena/driver/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace catena {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// One run, as verbs. A cell is one step of the grid; a cut step divides it into 2^max_cuts units at most.
class Run {
 public:
  Run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
      const Listeners& listeners)
      : system_(system),
        stepper_(stepper),
        state_(state),
        options_(options),
        listeners_(listeners),
        grid_(state.t, std::max(state.t, options.end), options.step) {
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
      begin_listeners();
      while (result_.status == Status::ok && result_.instants < grid_.steps()) advance_to_next_instant();
      end_listeners();
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
    if (outcome.status == Status::ok && !options_.resume) outcome = stepper_.start(state_, grid_.step());
    result_.status = outcome.status;
    result_.culprit = outcome.culprit;
  }

  void advance_to_next_instant() {
    const int units = 1 << options_.max_cuts;
    const double target = grid_.instant(result_.instants + 1);
    int done = 0;
    while (done < units) {
      if (stop_requested()) return;
      const int size = units >> cuts_;
      const Outcome outcome = timed_step(std::ldexp(grid_.step(), -cuts_));
      if (outcome.status != Status::ok) {
        if (!cut(outcome)) return;
        continue;
      }
      done += size;
      const bool arrived = done == units;
      if (arrived) {  // no drift of t by additions
        state_.t = target;
        ++result_.instants;
      }
      // Grow where the larger step begins on the grid of its own size.
      if (cuts_ > 0 && done % (2 * size) == 0) --cuts_;
      last_outcome_ = outcome;
      tell(arrived && (result_.instants % options_.every == 0 || result_.instants == grid_.steps()));
      if (result_.status != Status::ok) return;
    }
  }

  Outcome timed_step(double h) {
    const Clock::time_point from = Clock::now();
    if (told_since_step_) result_.seconds_output += seconds(last_time_, from);
    Outcome outcome = stepper_.step(state_, h);
    last_time_ = Clock::now();
    told_since_step_ = false;
    const double taken = seconds(from, last_time_);
    result_.seconds_stepping += taken;
    if (outcome.status == Status::ok) {
      ++result_.steps;
      result_.seconds_fastest_step = std::min(result_.seconds_fastest_step, taken);
      result_.smallest_step = std::min(result_.smallest_step, h);
    }
    return outcome;
  }

  // False: the run is over.
  bool cut(const Outcome& outcome) {
    result_.culprit = outcome.culprit;
    if (!recoverable(outcome.status)) {
      result_.status = outcome.status;
      return false;
    }
    if (cuts_ == options_.max_cuts) {
      result_.status = Status::step_too_small;
      result_.cause = outcome.status;
      return false;
    }
    ++result_.rejected;
    ++cuts_;
    return true;
  }

  bool stop_requested() {
    if (listeners_.stop == nullptr || !listeners_.stop->load(std::memory_order_relaxed)) return false;
    result_.status = Status::stopped;
    result_.interrupted = true;
    result_.message = "interrupted";
    return true;
  }

  void begin_listeners() {
    told_since_step_ = true;
    for (Observer* observer : listeners_.observers) observer->begin(system_);
    for (Sink* sink : listeners_.sinks) guard([&] { sink->begin(system_); });
    if (result_.status == Status::ok) tell(true);
  }

  void tell(bool output_instant) {
    told_since_step_ = true;
    for (Observer* observer : listeners_.observers) {
      if (observer->observe(state_) || result_.status != Status::ok) continue;
      result_.status = Status::stopped;
      result_.message = "an observer asked to stop";
    }
    written_ = output_instant;
    if (output_instant) accept();
  }

  void accept() {
    for (Sink* sink : listeners_.sinks) guard([&] { sink->accept(state_, last_outcome_); });
  }

  void end_listeners() {
    const Clock::time_point from = Clock::now();
    if (told_since_step_) result_.seconds_output += seconds(last_time_, from);
    if (!written_ && !result_.sink_failed) accept();
    for (Sink* sink : listeners_.sinks) guard([&] { sink->end(); });
    result_.seconds_output += seconds(from, Clock::now());
  }

  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (const SinkError& error) {
      if (result_.status == Status::ok) result_.status = Status::stopped;
      result_.sink_failed = true;
      result_.message = error.what();
    }
  }

  const System& system_;
  Stepper& stepper_;
  State& state_;
  const RunOptions options_;
  const Listeners& listeners_;
  const Grid grid_;
  RunResult result_;
  Outcome last_outcome_;
  Clock::time_point last_time_;
  int cuts_ = 0;
  bool told_since_step_ = false;  // the time since last_time_ belongs to the listeners
  bool written_ = false;          // the present state has reached the sinks
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

void visit(OptionVisitor& visitor, RunOptions& options) {
  visitor.real(
      {"step", "s", "size of a step; shortened alike where the interval is no multiple of it", 1e-12, 1e6},
      options.step);
  visitor.real({"end", "s", "time at which the run ends", 0.0, 1e12}, options.end);
  visitor.integer({"every", "1", "write every K-th instant; the first and the last always", 1, 1e9},
                  options.every);
  visitor.integer({"max_cuts", "1", "a failed step is halved at most so often", 0, 30}, options.max_cuts);
}

}  // namespace catena
