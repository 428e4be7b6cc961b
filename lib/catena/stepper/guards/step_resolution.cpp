#include <catena/math/detail/largest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

// +1 or -1, the same for the same number on every machine.
double sign_of(int row) {
  std::uint64_t z = static_cast<std::uint64_t>(row) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((z ^ (z >> 31)) & 1u) == 0 ? 1.0 : -1.0;
}

// A right-hand side with rows at position level, row times half a unit in the last place of the numbers that they see;
// their signs are as good as random.
void set_roundoff(const SystemLayout& layout, const Point& at, double row, double* x) {
  const BlockPattern& p = *layout.pattern;
  const double unit = 0.5 * std::numeric_limits<double>::epsilon() * row;
  RowLengths lengths(layout, at);
  std::fill(x, x + p.dimension(), 0.0);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (layout.level[i] != Level::position) continue;
    lengths.at(d);
    for (int k = 0; k < p.dual_size[i]; ++k)
      x[p.dual_offset[i] + k] = unit * lengths[k] * sign_of(p.dual_offset[i] + k);
  }
}

// Of the rows that see most.
double length_at(const SystemLayout& layout, const Point& at) {
  return std::max(roundoff_length_at(layout, at.q), largest_open_length(layout, at));
}

// What the scatter of the rows makes of a multiplier, of what roundoff of random signs in all of them would make: by the
// second differences of the rows along the velocities, over so short a way (1e-9 of the bodies' sizes) that nothing but
// roundoff is left of them, sqrt(6) times that of one evaluation.
double seen_of_estimate(const System& system, const Point& end, GuardWorkspace& workspace) {
  const SystemLayout& layout = system.layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  if (m > n) return 1.0;  // no array of that size; the estimate has to do
  const double fastest = largest_scaled(layout, end.v);
  double *rows = workspace.sum, *second = workspace.sum + n;
  std::fill(second, second + m, 0.0);
  for (int side = -1; side <= 1; ++side) {
    const double way = fastest > 0.0 ? side * 1e-9 / fastest : 0.0;
    for (int k = 0; k < n; ++k) workspace.way[k] = way * end.v[k];
    system.retract(end.q, workspace.way, workspace.q);
    Point at;
    at.t = end.t;
    at.q = workspace.q;
    at.discrete = end.discrete;
    Evaluation wanted;
    wanted.position = rows;
    system.evaluate(at, wanted);
    for (int k = 0; k < m; ++k) second[k] += (side == 0 ? -2.0 : 1.0) * rows[k];
  }
  std::fill(rows, rows + n, 0.0);
  workspace.kkt.solve(workspace.sum);
  const double seen = largest_of(second, m, 0.0) / std::sqrt(6.0);
  set_roundoff(layout, end, 1.0, workspace.sum);
  workspace.kkt.solve(workspace.sum);
  const double estimated = largest_of(second, m, 0.0);
  return estimated > 0.0 ? seen / estimated : 1.0;
}

}  // namespace

void StepResolution::write(double* memory) const {
  memory[0] = noise;
  memory[1] = force;
  memory[2] = largest;
  memory[3] = rough;
  memory[4] = length;
}

void StepResolution::move_to(const SystemLayout& layout, const Point& at) {
  if (layout.open_rows.empty() || !(noise > 0.0)) return;
  const double now = length_at(layout, at);
  noise *= now / length;
  length = now;
}

Outcome StepResolution::watch(double h, const double* before, const double* now, const double* next,
                              double& largest_error, const System& system, const Point& end,
                              GuardWorkspace& workspace) {
  constexpr double too_often = 3.0;
  constexpr double explained = 4.0;  // times the estimate: what is larger is no roundoff
  const BlockPattern& p = *system.layout().pattern;
  double alternating = 0.0;
  int worst = 0;
  for (int k = 0; k < p.dual_dimension; ++k) {
    largest = std::max(largest, std::abs(next[k]));
    const double x = 0.25 * std::abs((next[k] - now[k]) - (now[k] - before[k]));
    if (x <= alternating) continue;
    alternating = x;
    worst = k;
  }
  const double error =
      alternating <= explained * noise / (h * h) ? alternating / std::max(force, largest) : 0.0;
  largest_error = std::max(largest_error, error);
  rough = error > refused && noise > refused * h * h * force ? rough + 1.0 : 0.0;
  if (rough < too_often) return {};
  // The estimate knows nothing of rows without roundoff, as those of bars along an axis, whose multipliers may swing by
  // themselves, an error of order h^2 that the method damps.
  if (!(alternating <= explained * seen_of_estimate(system, end, workspace) * noise / (h * h))) {
    rough = 0.0;
    return {};
  }
  std::string text = printed(
      "roundoff of positions over h^2 makes multipliers noise with steps of %.3g s: take index = 2, or steps "
      "above %.2g s; those of the last two steps taken are such noise already; relative error",
      h, h * std::sqrt(alternating / (refused * force)));
  return failure(Status::step_too_small,
                 {workspace.kkt.owner(p.primal_dimension + worst), std::move(text), error});
}

StepResolution measure_step_resolution(const System& system, const State& started, KktSolver& kkt,
                                       const RowErrors& errors, double* x) {
  const SystemLayout& layout = system.layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  StepResolution resolution;
  if (std::find(layout.level.begin(), layout.level.end(), Level::position) == layout.level.end())
    return resolution;
  Linearization weights = errors.weights;
  weights.matrix = &kkt.matrix();
  const Point at = point_of(started);
  Evaluation wanted;
  wanted.balance = x;  // -f
  wanted.linearization = &weights;
  system.evaluate(at, wanted);
  constexpr double second = 1.0;
  resolution.force = largest_of(x, n, kkt.largest_inertia() / errors.weights.mass / (second * second));
  resolution.force = largest_of(started.lambda.data(), m, resolution.force);

  set_roundoff(layout, at, errors.row, x);
  if (kkt.factorize_and_solve(x).status != Status::ok) return resolution;
  // Rows scatter by less, and the largest of some thousand multipliers by four times as much as one of them.
  const double noise = errors.gain * largest_of(x + n, m, 0.0);
  if (!std::isfinite(noise) || !(resolution.force > 0.0)) return resolution;
  resolution.noise = noise;
  resolution.length = length_at(layout, at);
  return resolution;
}

}  // namespace catena::detail
