// How a run with a grid comes from instant to instant: cells, and the steps into which failures cut them.
#pragma once
#include <catena/driver/detail/grid.hpp>
#include <catena/driver/parts/run_state.hpp>

#include <string>

namespace catena::detail {

// Empty, or what of the progress of a run no run has left, as a part of a sentence: "a grid from 0 s to nan s in steps of
// 0.1 s". Its grid, its counters and its cell are looked at.
std::string defect_of(const RunState& run);

Grid grid_of(const RunState& run);
// [s] of sums of steps that should meet an instant.
double roundoff(const Grid& grid, double instant);

// [s] Sampling that is nearer to an instant of the grid meets it: a step between the two would be as short, and an implicit
// method closes its rows there by multipliers of what it leaves open, 1e-10 of the sizes of bodies, over the square of the step.
double nearness(const Grid& grid, double instant, double shortest_period);

// The cell from t to the next instant of the grid, or to sampling where that comes first, and is not as near as `near`.
Cell next_cell(const RunState& run, const Grid& grid, double t, double sampling, double near);
// [s] of the steps into which it is cut.
double step_of(const Cell& cell, int cuts);
// [s] size of the next step.
inline double cell_step(const RunState& run) { return step_of(run.cell, run.cuts); }
// After a step of cell_step(). Grows where the larger step begins on the grid of its own size. True: arrived.
bool pass(RunState& run);
// After a step that took less than h = cell_step() and led to t: a new cell from there. True: arrived.
bool pass_part(RunState& run, const Grid& grid, double t, double h);

// Lets a run that was saved continue from t to another end, with other steps or cuts. The grid stays where its
// instants stay the same; else a new one begins at t.
void reschedule(RunState& run, double t, double end, double wanted_step, int max_cuts);

}  // namespace catena::detail
