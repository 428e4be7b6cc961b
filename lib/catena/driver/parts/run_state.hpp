// The progress of a run: with the State all that it needs to continue to the same bits, as a value.
#pragma once
#include <catena/driver/parts/run_result.hpp>
#include <catena/system/parts/state.hpp>

#include <vector>

namespace catena {

// The way to the instant that a run aims at, in steps of which each is length / 2^cuts. One step of the grid, or
// what was left of it after a stepper had taken less than it was asked for.
struct Cell {
  bool open = false;       // on the way; else the next step opens a new one
  bool to_instant = true;  // of the grid; else to a sample of a controller
  double target = 0.0;     // [s]
  double length = 0.0;     // [s] from where done was 0 to the target
  int done = 0;            // of the 2^max_cuts units of the length
};

struct RunState {
  double grid_begin = 0.0, grid_end = 0.0, wanted_step = 0.0;  // [s] what the Grid is made of
  int max_cuts = 0;
  long instants = 0;                 // of the grid reached
  Cell cell;                         // not of steps that the stepper chooses
  int cuts = 0;                      // of the next step; they outlive a cell
  bool on_grid = true;               // the next step of the grid is a whole one
  bool restart = false;              // the state has no memory of the stepper: a run stopped at an event
  double h_taken = 0.0;              // [s] the step that led here
  double h_next = 0.0;               // [s] advice of the last outcome; 0: none
  double last_output = 0.0;          // [s] instant of the last state that the sinks hold for good
  std::vector<double> event_values;  // that roots are counted from
  RunResult result;                  // so far
};

// Saves the progress of a run.
class CheckpointKeeper {
 public:
  virtual ~CheckpointKeeper() = default;
  // Asked after every accepted step.
  virtual bool due() = 0;
  // The sinks have flushed, the observers have seen the state. Called where due(), and once at the end of the
  // run, whatever ended it but a sink. Throws SinkError.
  virtual void save(const State& state, const RunState& run) = 0;
};

}  // namespace catena
