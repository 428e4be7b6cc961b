#include <catena/driver/grid.hpp>
#include <catena/driver/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace catena {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Holds every number of the options to the range that visit() gives for it.
class RangeCheck : public OptionVisitor {
 public:
  void real(const OptionInfo& info, double& value) override { hold(info, value); }
  void integer(const OptionInfo& info, int& value) override { hold(info, value); }
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}

 private:
  static void hold(const OptionInfo& info, double value) {
    if (info.holds(value)) return;
    std::ostringstream text;
    text << "the option \"" << info.name << "\" of a run must lie between " << info.minimum << " and "
         << info.maximum << ", is " << value;
    throw std::invalid_argument(text.str());
  }
};

const RunOptions& checked(const RunOptions& options, double t_begin) {
  RunOptions copy = options;
  RangeCheck check;
  visit(check, copy);
  // Beyond this the instants of the grid are no longer told apart.
  constexpr double most_steps = 1e15;
  const double steps = std::max(0.0, options.end - t_begin) / options.step;
  if (!std::isfinite(t_begin) || !(steps <= most_steps))
    throw std::invalid_argument("a run from t = " + std::to_string(t_begin) + " s to " +
                                std::to_string(options.end) + " s has too many steps to count");
  return options;
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
    (outcome.status == Status::ok ? result_.start_remark : result_.culprit) = outcome.culprit;
  }

  void advance_to_next_instant() {
    const int units = 1 << options_.max_cuts;
    const double target = grid_.instant(result_.instants + 1);
    double cell = grid_.step();  // [s] units units: the way to the target from where done was 0
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
      if (arrived) {  // no drift of t by additions
        state_.t = target;
        ++result_.instants;
      }
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
      result_.smallest_step = std::min(result_.smallest_step, outcome.h_taken);
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
    written_ = false;
    return false;
  }

  // False: the run is over.
  bool cut(const Outcome& outcome) {
    if (recoverable(outcome.status) && cuts_ < options_.max_cuts) {
      ++result_.rejected;
      ++cuts_;
      return true;
    }
    result_.culprit = outcome.culprit;
    result_.status = outcome.status;
    if (recoverable(outcome.status)) {
      result_.status = Status::step_too_small;
      result_.cause = outcome.status;
    }
    return false;
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
