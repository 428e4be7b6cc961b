// The error of a step beside rows that nearly depend on each other, as in the flat positions of linkages
// (docs/theory/explicit_runge_kutta.md).
//
// There a row -2 a d = 0, with a the way to the place and d the coordinate across it, holds d to roundoff over a only, and
// the stages, which follow its second derivative, accelerate across by roundoff over a^3: the shorter the step and the
// nearer its stages, the larger the error. The end of the step is moved onto the rows, which takes that out again. What is
// left is the error along the motions that the rows allow, and it is this that the tolerance is for.
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace catena {
using namespace detail;
namespace {

// The part of an error that the rows forbid is left to the projection where the rows are as weak in its direction as those
// within 0.1 rad of dependence: the square of that, beside the strength of each row alone.
constexpr double nearly_dependent = 1e-2;
// And where it is at most this beside the motion, in the norm of the mass matrix: half of the square is what taking it costs.
constexpr double most_taken = 1e-5;
// And where the motion bends no faster than this, in rates of its own: branches of positions that miss each other by e turn
// it within a root of e, and with it the rows. What they forbid in the step is allowed at its end then.
constexpr double sharpest_bend = 10.0;

double norm(const std::vector<double>& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

}  // namespace

// Takes what the rows forbid out of an error at the end of the step; returns its size in the norm of the mass matrix.
// Nothing, and the error as it was, where the rows are not nearly dependent in its direction.
std::optional<double> ExplicitStepper::take_out_forbidden(std::vector<double>& error) {
  // Solves: the proximal term leaves a hundredth of the error within 1e-5 rad of dependence, and where rows are redundant
  // as much within 1e-4 rad. Behind a thousandth of the first no more is worth an evaluation.
  constexpr int most = 4;
  constexpr double rest = 1e-3;
  const std::size_t n = now_.v.size(), m = now_.lambda.size();
  std::vector<double>& moved = dense_v_[2];  // free until the step is accepted
  double* const solution = equations_.work();
  double* const rows = solution + n;
  double size = 0.0;
  for (int k = 0; k < most; ++k) {
    double unit = 0.0;
    for (const double e : error) unit = std::max(unit, std::abs(e));
    if (!(unit > 0.0) || !std::isfinite(unit)) return std::max(size, unit);
    for (std::size_t i = 0; i < n; ++i) moved[i] = now_.v[i] + error[i] / unit;
    Point at = point_of(now_);
    at.v = moved.data();
    Evaluation wanted;
    wanted.velocity = rows;
    ++statistics_.evaluations;
    system_->evaluate(at, wanted);  // G error / unit: the rows of the velocities at the end vanish
    std::copy(rows, rows + m, rows_of_error_.begin());
    std::fill(solution, rows, 0.0);
    ++statistics_.solves;
    equations_.kkt().solve(solution);
    const double square = -std::inner_product(rows_of_error_.begin(), rows_of_error_.end(), rows, 0.0);
    if (!(square > 0.0)) return size;
    if (k == 0 && !(equations_.strength(rows_of_error_.data()) <= nearly_dependent * square)) return {};
    for (std::size_t i = 0; i < n; ++i) error[i] -= unit * solution[i];
    const double taken = unit * std::sqrt(square);
    if (k == 0) size = taken;
    if (!(taken > rest * size)) break;
  }
  return size;
}

// Of an attempt whose errors are in dense_x_[0] and dense_v_[0], by this part. Nothing where they count as they are.
std::optional<LocalError> ExplicitStepper::error_beside_rows(const State& state, double h, double part) {
  const std::size_t n = now_.v.size();
  // Velocities that no position guides have no branch to return to.
  if (plain_ || !equations_.of_positions()) return {};
  std::vector<double>&x = dense_x_[0], &v = dense_v_[0], &turned = dense_x_[2];
  const std::optional<double> forbidden = take_out_forbidden(v);
  if (!forbidden) return {};
  const auto size_of = [&](const std::vector<double>& w) {
    double* const out = equations_.work();
    ++statistics_.evaluations;
    evaluate_inertia(*system_, point_of(now_), w.data(), out);
    return std::sqrt(std::max(0.0, std::inner_product(w.begin(), w.end(), out, 0.0)));
  };
  const double speed = size_of(now_.v), taken = std::max(size_of(v_taken_), part * *forbidden);
  if (!(taken <= most_taken * speed)) return {};
  std::vector<double>& bend = dense_v_[1];
  double rate = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    bend[i] = now_.v[i] - state.v[i];
    rate = std::max(rate, std::abs(now_.v[i]) / system_->layout().scale[i]);
  }
  if (!(size_of(bend) <= sharpest_bend * rate * h * speed)) return {};
  // From the chart at the start of the step to the velocities at its end, to the first order.
  system_->inverse_tangent(x_.data(), x.data(), turned.data());
  for (std::size_t i = 0; i < n; ++i) x[i] += x[i] - turned[i];
  take_out_forbidden(x);  // where that is nothing it counts as it is, and so does what follows
  // The projection goes along the rows where it began, which differ from those at the end by what it takes over a.
  std::vector<double>&x_beside = dense_x_[1], &v_beside = dense_v_[1];
  x_beside = x_taken_;
  v_beside = v_taken_;
  take_out_forbidden(x_beside);
  take_out_forbidden(v_beside);
  // What is wrong with the accelerations of single stages ends in v by the weights of the solution, ten times those by
  // which the estimate sees it.
  const double of_stages = part * norm(table_.a.back()) / norm(table_.error);
  const double shorter =
      0.5 * (taken / speed) * (taken / speed);  // v, by what is taken at right angles to it
  LocalError error;
  for (std::size_t i = 0; i < n; ++i) {
    error.add(part * std::abs(x[i]) + std::abs(x_beside[i]), tolerance_of_x(state, i), static_cast<int>(i));
    error.add(of_stages * std::abs(v[i]) + std::abs(v_beside[i]) + shorter * std::abs(now_.v[i]),
              tolerance_of_v(state, i), static_cast<int>(i));
  }
  return error;
}

}  // namespace catena
