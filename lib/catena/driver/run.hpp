// The time loop: attach, start, step by step to the end, with cut steps after recoverable failures.
#pragma once
#include <catena/driver/controller.hpp>
#include <catena/driver/event.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/option.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace catena {

struct RunOptions {
  double step = 1e-3;   // [s] wanted; see Grid. Of output alone where the stepper chooses its steps
  double end = 1.0;     // [s] the run goes from State::t to here
  int every = 1;        // sinks see every K-th instant of the grid
  int max_cuts = 10;    // a failed step is halved at most so often: h/1024
  bool resume = false;  // the state comes from an earlier run: attach, but do not start
};
void visit(OptionVisitor& visitor, RunOptions& options);

// Who takes part. None is owned; null stop: nobody asks from outside.
struct Listeners {
  std::vector<Sink*> sinks = {};
  std::vector<Observer*> observers = {};
  const std::atomic<bool>* stop = nullptr;  // set from a signal handler or another thread to end the run
  std::vector<Event> events = {};
  std::vector<Controller*> controllers = {};
};

struct RunResult {
  Status status = Status::ok;
  Status cause = Status::ok;  // step_too_small: why the smallest step failed
  Culprit culprit;            // of the failure that ended the run: the worst residual or pivot and its owner
  Culprit start_remark;       // what Stepper::start() had to correct, where it says so; no failure
  std::string message;        // a sentence for people where the status says too little
  bool interrupted = false;   // stopped through Listeners::stop
  bool sink_failed = false;   // stopped because a sink threw SinkError; message says why

  double t_begin = 0.0, t_end = 0.0;               // [s] t_end: of the final state
  double step = 0.0;                               // [s] of the grid
  double smallest_step = 0.0, largest_step = 0.0;  // [s] really taken
  long steps = 0;                                  // accepted, the parts of cut steps counted each
  long rejected = 0;                // attempts that failed and were repeated with a smaller step
  long instants = 0;                // of the grid reached
  long samples = 0;                 // of controllers
  std::vector<EventRecord> events;  // in the order of time

  double seconds_setup = 0.0;         // attach and start
  double seconds_stepping = 0.0;      // Stepper::step, failed attempts included; nothing else
  double seconds_fastest_step = 0.0;  // the smallest of all accepted steps
  double seconds_output = 0.0;        // sinks and observers
  double seconds_total = 0.0;
};

// Runs from state to options.end and leaves the last accepted state in it. Failures never throw: they end the
// run with a status; everything computed until then has reached the sinks.
//
// Steps of the grid: on a recoverable failure the step is halved, and grown again by halves that fit the grid, so
// that output instants stay the same. After a step that took less than it was asked for the next one aims at the
// same instant of the grid. Steps that the stepper chooses (Traits::chooses_step) follow its advice and end at the
// end of the run; instants of the grid inside them are interpolated for the sinks (StateBetween).
//
// Both end at the instants at which controllers sample. A terminal event leaves the state of the event, without the
// stepper's memory: a run goes on from there with resume = false, and controllers keep what State::discrete holds
// of them. With resume = true a copy of any state that an observer has seen goes on to the same bits, by a stepper
// with copyable memory and in steps that end at the same instants.
// Throws std::invalid_argument for options outside the ranges of visit().
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners);
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink);
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options);

}  // namespace catena
