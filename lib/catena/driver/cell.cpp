#include <catena/driver/detail/cell.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail {

std::string defect_of(const RunState& run) {
  const double length = run.grid_end - run.grid_begin;
  if (!std::isfinite(run.grid_begin) || !std::isfinite(run.grid_end) || !(run.wanted_step > 0.0) ||
      !(std::max(0.0, length) / run.wanted_step <= most_steps))
    return printed("a grid from %g s to %g s in steps of %g s", run.grid_begin, run.grid_end,
                   run.wanted_step);
  if (run.max_cuts < 0 || run.max_cuts > most_cuts || run.cuts < 0 || run.cuts > run.max_cuts)
    return printed("%d cuts of at most %d", run.cuts, run.max_cuts);
  if (run.instants < 0 || run.instants > grid_of(run).steps())
    return printed("%ld instants of %ld", run.instants, grid_of(run).steps());
  const Cell& cell = run.cell;
  if (!std::isfinite(cell.target) || !std::isfinite(cell.length) || cell.length < 0.0 || cell.done < 0 ||
      cell.done > 1 << run.max_cuts)
    return printed("%d parts of a step of %g s to %g s", cell.done, cell.length, cell.target);
  return {};
}

Grid grid_of(const RunState& run) {
  return {run.grid_begin, std::max(run.grid_begin, run.grid_end), run.wanted_step};
}

double roundoff(const Grid& grid, double instant) {
  return 1e-12 * grid.step() + 4.0 * std::numeric_limits<double>::epsilon() * std::abs(instant);
}

double nearness(const Grid& grid, double instant, double shortest_period) {
  constexpr double of_step = 1e-3, of_period = 0.25;  // no two samples of one controller
  return std::max(roundoff(grid, instant), std::min(of_step * grid.step(), of_period * shortest_period));
}

Cell next_cell(const RunState& run, const Grid& grid, double t, double sampling, double near) {
  const double instant = grid.instant(run.instants + 1);
  const bool to_instant = !(sampling < instant - near);
  const double target = to_instant ? instant : sampling;
  return {.open = true,
          .to_instant = to_instant,
          .target = target,
          .length = to_instant && run.on_grid ? grid.step() : target - t};
}

double step_of(const Cell& cell, int cuts) { return std::ldexp(cell.length, -cuts); }

bool pass(RunState& run) {
  const int units = 1 << run.max_cuts, size = units >> run.cuts;
  run.cell.done += size;
  const bool arrived = run.cell.done == units;
  if (run.cuts > 0 && run.cell.done % (2 * size) == 0) --run.cuts;
  run.cell.open = !arrived;
  return arrived;
}

bool pass_part(RunState& run, const Grid& grid, double t, double h) {
  run.cell.length = run.cell.target - t;
  run.cell.done = 0;
  while (run.cuts > 0 && std::ldexp(run.cell.length, 1 - run.cuts) <= h) --run.cuts;
  run.cell.open = run.cell.length > roundoff(grid, run.cell.target);
  return !run.cell.open;
}

void reschedule(RunState& run, double t, double end, double wanted_step, int max_cuts) {
  if (end == run.grid_end && wanted_step == run.wanted_step && max_cuts == run.max_cuts) return;
  const double step = grid_of(run).step();
  const bool same_cuts = max_cuts == run.max_cuts;
  run.grid_end = end;
  run.wanted_step = wanted_step;
  run.max_cuts = max_cuts;
  const Grid grid = grid_of(run);
  if (same_cuts && grid.step() == step && run.instants <= grid.steps() && t <= end) return;
  run.grid_begin = t;
  run.instants = 0;
  run.cell = {};
  run.cuts = 0;
  run.on_grid = true;
}

}  // namespace catena::detail
