// How a run went.
#pragma once
#include <catena/driver/parts/event.hpp>
#include <catena/driver/parts/remark.hpp>
#include <catena/stepper/stepper.hpp>

#include <string>
#include <vector>

namespace catena {

// RunResult::start_remark of initial velocities.
inline constexpr const char* velocity_removed = "velocity residual removed at the start";

// Culprit::quantity of a run that has ended for want of it, with Status::exception.
inline constexpr const char* memory_of_machine = "memory of this machine";

struct RunResult {
  Status status = Status::ok;
  Status cause = Status::ok;  // step_too_small: why the smallest step failed
  Culprit culprit;            // of the failure that ended the run: the worst residual or pivot and its owner
  // The largest residual of the initial velocities (velocity_removed), which every start makes consistent, else what the start
  // had to correct, as Stepper::start() says; no failure.
  Culprit start_remark;
  std::string message;       // a sentence for people where the status says too little
  bool interrupted = false;  // stopped through Listeners::stop
  bool sink_failed = false;  // stopped because a sink threw SinkError; message says why

  bool chosen_steps = false;                       // the stepper chose its steps
  double t_begin = 0.0, t_end = 0.0;               // [s] t_end: of the final state
  double step = 0.0;                               // [s] of the grid
  double smallest_step = 0.0, largest_step = 0.0;  // [s] really taken
  double failed_step = 0.0;                        // [s] of the attempt that ended the run; 0: none did
  long steps = 0;                                  // accepted, the parts of cut steps counted each
  long rejected = 0;       // attempts that failed and were repeated with a smaller step
  long instants = 0;       // of the grid reached
  long samples = 0;        // of controllers
  long resumes = 0;        // how often it was resumed from a checkpoint
  double t_resumed = 0.0;  // [s] where it did so last
  // States inside steps, interpolated for sinks and events, that could not be moved onto the constraints or given
  // their own accelerations (StateBetween::remark); of the first of them why.
  long unfinished = 0;
  Culprit unfinished_remark;
  // Of the steps whose local error was estimated (RunOptions::estimate_every) the largest error of an increment, in the
  // characteristic size of its body, with its name; without a quantity where none was.
  Culprit largest_error;
  double t_largest_error = 0.0;     // [s] at the end of that step
  std::vector<EventRecord> events;  // in the order of time
  // Of the sinks: what is missing in the results though the run is fine; of the steps since the start or the resume:
  // that they are too long for their order (step_errors.hpp); that joints are open (remarks.hpp).
  std::vector<Remark> remarks;

  double seconds_setup = 0.0;         // attach and start
  double seconds_stepping = 0.0;      // Stepper::step, failed attempts included; nothing else
  double seconds_fastest_step = 0.0;  // the smallest of all accepted steps
  double seconds_output = 0.0;        // sinks and observers
  double seconds_total = 0.0;

  // What ended the run: of steps that were cut as often as they may be, why the smallest failed.
  Status reason() const { return cause == Status::ok ? status : cause; }

  StepperStatistics earlier;  // of the parts before the last checkpoint that the run was resumed from
};

// How it ended, as a sentence: 'ok: reached t = 2 s', 'step_too_small at t = 0.31 s (newton_not_converged at the smallest
// step): position residual 3e-4 of joint "hip" (spherical); take ...'.
std::string to_text(const RunResult& result);

// Adds counters and seconds.
void add(StepperStatistics& sum, const StepperStatistics& more);

}  // namespace catena
