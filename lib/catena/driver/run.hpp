// The time loop: attach, start, step by step to the end, with cut steps after recoverable failures.
#pragma once
#include <catena/driver/parts/controller.hpp>
#include <catena/driver/parts/event.hpp>
#include <catena/driver/parts/run_state.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/option.hpp>
#include <catena/math/parts/threads.hpp>

#include <atomic>
#include <vector>

namespace catena {

struct RunOptions {
  double step = 1e-3;  // [s] wanted; see Grid. Of output alone where the stepper chooses its steps
  double end = 1.0;    // [s] the run goes from State::t to here
  int every = 1;       // sinks see every K-th instant of the grid
  // The local error of every such step is estimated (RunResult::largest_error); 0: of none. An estimate takes a third of a
  // step at most: 1 % of the run.
  int estimate_every = 32;
  int max_cuts = 10;    // a failed step is halved at most so often: h/1024
  bool resume = false;  // the state comes from an earlier run: attach, but do not start
  // The stepper is attached to this system from an earlier run: it keeps its analysis, its arrays and its statistics.
  bool attached = false;
  // Remarks on the result of a run that has not failed, in RunResult::remarks: RemarkKey::energy, coarse_steps, turn,
  // indefinite, drift (docs/theory/output.md#the-verdict); and the end of a run whose energy grows beyond all sense, as
  // Status::unstable. It takes the energy and the residuals of every accepted state. Of a run that is resumed it knows
  // the part since then.
  bool verdict = true;
  // Status::unstable for a run that reaches its end with a joint open by more than a thousandth of its largest body or arm.
  // False: a remark, RemarkKey::drift, for those who measure the drift of a method. Part of the verdict.
  bool open_joints_fail = true;
};
void visit(OptionVisitor& visitor, RunOptions& options);

// Who takes part. None is owned; null stop: nobody asks from outside.
struct Listeners {
  std::vector<Sink*> sinks = {};
  std::vector<Observer*> observers = {};
  const std::atomic<bool>* stop = nullptr;  // set from a signal handler or another thread to end the run
  std::vector<Event> events = {};
  std::vector<Controller*> controllers = {};
  CheckpointKeeper* checkpoints = nullptr;
};

// Runs from state to options.end and leaves the last accepted state in it. Failures never throw: they end the
// run with a status; everything computed until then has reached the sinks. That holds for exceptions of forces, joints,
// controllers, events, quantities and observers too: the run ends with Status::exception, the name of what threw and its
// text; sinks are ended, and the last state is saved as a checkpoint, or the checkpoint before stays where a sink or an
// observer threw.
//
// Steps of the grid: on a recoverable failure the step is halved, and grown again by halves that fit the grid, so
// that output instants stay the same. After a step that took less than it was asked for the next one aims at the
// same instant of the grid. Steps that the stepper chooses (Traits::chooses_step) follow its advice and end at the
// end of the run; instants of the grid inside them are interpolated for the sinks (StateBetween).
//
// Both end at the instants at which controllers sample (Controller::period). A terminal event leaves the state of the event, without the
// stepper's memory: a run continues from there with resume = false, and controllers keep what State::discrete holds
// of them. With resume = true a copy of any state that an observer has seen continues to the same bits, by a stepper
// with copyable memory and in steps that end at the same instants: the grid begins anew at State::t.
// The functions are defined above the driver, where energies and residuals are measured (measure/assessed_run.cpp).
// Throws std::invalid_argument for options outside the ranges of visit().
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners);
// Continues where a checkpoint was saved: bit for bit as the run without a break, by a stepper with copyable memory
// and with the same system, options, events and controllers; any other stepper restarts. What the result counts is
// of the whole run. Sinks and observers are resumed; the first state that they see is the one behind `from`.
// Another end keeps the grid where its step stays the same, and begins a new one at State::t where not. Throws
// std::invalid_argument for a progress that no run has left.
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options,
              const Listeners& listeners, const RunState& from);
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options, Sink& sink);
RunResult run(const System& system, Stepper& stepper, State& state, const RunOptions& options);

}  // namespace catena
