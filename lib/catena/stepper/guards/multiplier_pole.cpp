#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/guards/detail/multiplier_pole.hpp>
#include <catena/stepper/guards/detail/strongest_constraints.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

// What is left of forces that cancel, beside the largest of them: constraints pull twice, seven and a hundred times as
// hard as all of them together. The first two ask for a proof, no more.
constexpr double small = 0.5, very_small = 0.15, hardly_any = 0.01;
// Rows nearer to dependent than to perpendicular, within 45 degrees: equal and opposite forces leave 2 sin(45/2 degrees)
// of themselves.
constexpr double near = 0.765;
// How far the weakest pivot may fall within a step, of what it is at the better end. Pivots fall with the square of the
// distance to a pole: of a step over one the nearest of 17 places leaves 1/256.
constexpr double drop = 0.5;
// Pivots differ visibly down to this part of the proximal term.
constexpr double less_proximal = 0x1p-20;
// Forces that are roundoff, and forces that matter, beside those that move a body by its own size within the step.
constexpr double roundoff = 1e-11, matters = 1e-5;

Point without_motion(const Point& at) {
  Point there;
  there.t = at.t;
  there.q = at.q;
  there.discrete = at.discrete;
  there.forces = false;
  return there;
}

}  // namespace

// Largest component of G^T lambda times its characteristic length.
double MultiplierPole::force_of(const double* lambda, const Point& at, double* force) const {
  evaluate_reaction(*system_, at, lambda, force);
  double largest = 0.0;
  for (int i = 0; i < system_->layout().v_size(); ++i)
    largest = std::max(largest, std::abs(force[i]) * system_->layout().scale[static_cast<std::size_t>(i)]);
  return largest;
}

// |sum_k G_k^T lambda_k| over |G_k^T lambda_k| of the constraint with the largest multiplier.
double MultiplierPole::left_over(const Point& at, double* work) {
  const int m = system_->layout().lambda_size();
  double* alone = work + system_->layout().v_size();
  const BlockPattern& p = *system_->layout().pattern;
  const int top = number_of_largest(at.lambda, m) + p.primal_dimension;
  const auto d = static_cast<std::size_t>(p.block_of(top));
  const int first = p.dual_offset[d] - p.primal_dimension, rows = p.dual_size[d];
  std::fill(alone, alone + m, 0.0);
  std::copy(at.lambda + first, at.lambda + first + rows, alone + first);
  largest_force_ = force_of(alone, at, work);
  return largest_force_ > 0.0 ? force_of(at.lambda, at, work) / largest_force_ : 1.0;
}

// Forces of the last left_over() beside those that move a body by its own size within the step.
double MultiplierPole::of_motion(const Point& at, double h, double* force) const {
  Point there = without_motion(at);
  there.a = system_->layout().scale.data();
  Evaluation wanted;
  wanted.balance = force;
  system_->evaluate(there, wanted);
  const SystemLayout& layout = system_->layout();
  const double largest =
      array_kernels().largest_scaled(force, layout.scale.data(), 1.0, layout.v_size()).value;
  return largest_force_ * h * h / largest;
}

Outcome MultiplierPole::assess(Outcome outcome, const State& state, const Point& next,
                               const double* lambda_before, GuardWorkspace& workspace) {
  proximal_is_less_ = false;
  outcome = assess_attempt(std::move(outcome), state, next, lambda_before, workspace);
  if (proximal_is_less_) workspace.kkt.scale_proximal(1.0 / less_proximal);
  return outcome;
}

Outcome MultiplierPole::assess_attempt(Outcome outcome, const State& state, const Point& next,
                                       const double* lambda_before, GuardWorkspace& workspace) {
  double* const work = workspace.sum;
  Point now;
  now.t = state.t;
  now.q = state.q.data();
  now.lambda = state.lambda.data();
  now.discrete = state.discrete.data();
  if (outcome.status == Status::singular_kkt) {
    const std::string all = dependent_constraints(now, work);
    if (!all.empty()) outcome.culprit.name = all;
  } else if (outcome.status == Status::newton_not_converged) {
    if (system_->layout().lambda_size() == 0 || lambda_before == nullptr) return outcome;
    const double left = left_over(now, work), h = next.t - now.t;
    if (left > near || of_motion(now, h, work) < roundoff) return outcome;
    const int k = number_of_largest(now.lambda, system_->layout().lambda_size());
    const bool grown = std::abs(now.lambda[k]) > std::abs(lambda_before[k]);  // it grows before a pole
    if (!(grown && left <= hardly_any) && !weaker_ahead(state, h, workspace)) return outcome;
    outcome.status = Status::singular_kkt;
    outcome.culprit = {strongest_constraints(*system_, now),
                       "rows become dependent, constraint forces cancel to", left};
  } else if (outcome.status == Status::ok) {
    constexpr int parts = 16;
    const auto proven = [&] {
      const Pivots p = weakest_pivots(now, next, parts, workspace);
      return p.weakest <= drop * p.at_better_end;
    };
    if (!(crossed(now, next, work) && proven()) && !unresolved(now, next, workspace)) return outcome;
    if (passes(state, next, workspace)) return outcome;
    outcome = {};
    outcome.status = Status::singular_kkt;
    outcome.culprit = culprit_;
  }
  return outcome;
}

// The weakest local Schur pivot of the rows at q exp(s way).
double MultiplierPole::weakest_pivot(const Point& now, double s, double t, GuardWorkspace& workspace) {
  for (int i = 0; i < system_->layout().v_size(); ++i) workspace.part[i] = s * workspace.way[i];
  system_->retract(now.q, workspace.part, workspace.q);
  Point at = without_motion(now);
  at.t = t;
  at.q = workspace.q;
  Linearization lin = workspace.weights;
  lin.matrix = &workspace.kkt.matrix();
  Evaluation wanted;
  wanted.linearization = &lin;
  if (!proximal_is_less_) workspace.kkt.scale_proximal(less_proximal);
  workspace.matrix_used = proximal_is_less_ = true;
  {
    const PhaseTimer timer(statistics_->seconds_evaluate);
    ++statistics_->evaluations;
    system_->evaluate(at, wanted);
  }
  const PhaseTimer timer(statistics_->seconds_factorize);
  ++statistics_->factorizations;
  KktReport report = workspace.kkt.factorize();
  workspace.kkt.find_weakest_row(report);
  return report.status == Status::ok ? report.weakest_dual_ratio : 0.0;
}

// Along the geodesic from now, or from the time at which its multipliers apply, to next.
MultiplierPole::Pivots MultiplierPole::weakest_pivots(const Point& now, const Point& next, int parts,
                                                      GuardWorkspace& workspace) {
  system_->difference(now.q, next.q, workspace.way);
  Pivots found{std::numeric_limits<double>::infinity(), 0.0, 0.0};
  const double h = next.t - now.t, behind = behind_ / h;
  for (int k = behind > 0.0 ? -parts : 0; k <= parts; ++k) {
    const double s = static_cast<double>(k) / parts * (k < 0 ? behind : 1.0);
    const double ratio = weakest_pivot(now, s, now.t + s * h, workspace);
    found.weakest = std::min(found.weakest, ratio);
    found.strongest = std::max(found.strongest, ratio);
    if (k <= -parts || k == 0 || k == parts) found.at_better_end = std::max(found.at_better_end, ratio);
  }
  return found;
}

// Whether the weakest pivot falls on the way that the present velocities lead. A step that is cut ten times is one of
// the horizon's thousand.
bool MultiplierPole::weaker_ahead(const State& state, double h, GuardWorkspace& workspace) {
  constexpr int doublings = 10;
  Point now;
  now.t = state.t;
  now.q = state.q.data();
  now.discrete = state.discrete.data();
  std::copy(state.v.begin(), state.v.end(), workspace.way);
  const double here = weakest_pivot(now, 0.0, now.t, workspace);
  for (int k = -4; k <= doublings; ++k) {
    const double s = std::ldexp(h, k);
    if (weakest_pivot(now, s, now.t + s, workspace) <= drop * here) return true;
  }
  return false;
}

// Whether multipliers turn round within the step, with rows whose dependence changes. A step of x times the distance in
// time to a pole, where multipliers grow like 1 / distance and pivots fall like its square, changes multipliers by x of
// what they become and leaves (1 - x)^2 of the pivots; a method of order p leaves an error of x^p in their forces.
bool MultiplierPole::unresolved(const Point& now, const Point& next, GuardWorkspace& workspace) {
  double* const work = workspace.sum;
  // Errors of the constraint forces that are let go, and where the forces move bodies by a fiftieth of their size.
  constexpr double error = 0.05, large = 0.02, error_where_large = 0.01;
  constexpr int parts = 2;
  // x by the order of the method. No more is trusted than order 2; order 1 counts where rows are near to dependence:
  // elsewhere multipliers do not grow like 1 / distance, and pivots change as bodies turn.
  const auto longest = [](double e, bool of_order_1) { return of_order_1 ? e : std::sqrt(e); };
  const int m = system_->layout().lambda_size();
  const double largest = largest_of(next.lambda, m, largest_of(now.lambda, m)),
               change = array_kernels().largest_difference(next.lambda, now.lambda, m);
  if (!(change > (order_ == 1 ? error : longest(error_where_large, false)) * largest)) return false;
  const Point& at = std::abs(now.lambda[number_of_largest(now.lambda, m)]) < largest ? next : now;
  const double left = left_over(at, work);
  const double moves = of_motion(at, next.t - now.t, work);
  if (moves < matters) return false;
  const double x = longest(moves < large ? error : error_where_large, order_ == 1 && left <= near);
  if (!(change > std::min(x, longest(error_where_large, false)) * largest)) return false;
  const Pivots p = weakest_pivots(now, next, parts, workspace);
  if (!(p.weakest <= (1.0 - x) * (1.0 - x) * p.strongest)) return false;
  culprit_ = {
      left <= small ? dependent_constraints(at, work) : strongest_constraints(*system_, at),
      printed(
          "rows turn too far towards dependence within a step from t = %.7g s, their Schur pivot changes to",
          now.t),
      p.weakest / p.strongest};
  return true;
}

// Whether the step leads through, or past, a place where branches of the positions cross and the motion stays on its own.
// There lambda = C / (t* - t) + ..., so that two multipliers say where the place is and their difference is the vector n
// with G^T n = 0 at it. Rows that depend on each other at the place contradict each other by n.g. Where that vanishes,
// positions continue; a motion that is turned away has n.g of the order of the square of the way, or more. A step that ends
// on the other branch changes the direction of the velocities.
bool MultiplierPole::passes(const State& state, const Point& next, GuardWorkspace& workspace) {
  // Ten times what initial positions may miss by, in metres for bodies of a metre.
  constexpr double contradiction = 1e-8, part_of_square = 1e-2, same_direction = 0.9;
  constexpr double farthest = 16.0;  // steps to the place beyond which no extrapolation is trusted
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  const auto n = static_cast<std::size_t>(layout.v_size());
  double* rows = workspace.sum + n;
  int top = 0;
  double largest = 0.0;
  for (int k = 0; k < layout.lambda_size(); ++k) {
    const double change = std::abs(next.lambda[k] - state.lambda[static_cast<std::size_t>(k)]);
    if (change > largest) largest = change, top = k;
  }
  if (!(largest > 0.0) || next.v == nullptr) return false;
  const double share = next.lambda[top] / (next.lambda[top] - state.lambda[static_cast<std::size_t>(top)]);
  if (!(std::abs(share) < farthest)) return false;
  system_->difference(state.q.data(), next.q, workspace.way);
  double way = 0.0, length = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    workspace.part[i] = share * workspace.way[i];
    way = std::max(way, std::abs(workspace.part[i]) / layout.scale[i]);
    length = std::max(length, layout.scale[i]);
  }
  system_->retract(state.q.data(), workspace.part, workspace.q);
  Point place;
  place.t = state.t + share * (next.t - state.t);
  place.q = workspace.q;
  place.discrete = state.discrete.data();
  place.forces = false;
  Evaluation wanted;
  wanted.position = rows;
  system_->evaluate(place, wanted);
  double sum = 0.0, size = 0.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const int first = p.dual_offset[i] - p.primal_dimension;
    for (int r = 0; r < p.dual_size[i]; ++r) {
      const double change = next.lambda[first + r] - state.lambda[static_cast<std::size_t>(first + r)];
      if (layout.level[i] != Level::position) {
        if (std::abs(change) > hardly_any * largest) return false;
        continue;
      }
      sum += change * rows[first + r];
      size = std::max(size, std::abs(change) * (r < layout.lengths(d) ? length : 1.0));
    }
  }
  if (!(std::abs(sum) <= std::min(contradiction, part_of_square * way * way) * size)) return false;
  const auto product = [&](const double* v, const double* w) {
    return product_by_mass(*system_, without_motion(next), v, w, workspace.sum);
  };
  const double* before = state.v.data();
  return product(next.v, before) >
         same_direction * std::sqrt(product(before, before) * product(next.v, next.v));
}

bool MultiplierPole::crossed(const Point& now, const Point& next, double* work) {
  const int m = system_->layout().lambda_size();
  if (m == 0) return false;
  int k = number_of_largest(now.lambda, m);
  if (!(now.lambda[k] * next.lambda[k] < 0.0)) k = number_of_largest(next.lambda, m);
  const double b = now.lambda[k], c = next.lambda[k];
  if (!(b * c < 0.0)) return false;
  const double before = left_over(now, work);
  if (!(before <= small)) return false;
  const double after = left_over(next, work), h = next.t - now.t;
  if (!(after <= small && std::min(before, after) <= very_small) || of_motion(next, h, work) < roundoff)
    return false;
  // The line of 1 / lambda vanishes there.
  const double t = now.t - behind_ + (h + behind_ - behind_next_) * c / (c - b);
  culprit_ = {dependent_constraints(next, work),
              printed("rows become dependent at t = %.7g s, constraint forces cancel to", t),
              std::min(before, after)};
  return !culprit_.name.empty();
}

std::string MultiplierPole::dependent_constraints(const Point& at, double* work) {
  if (system_->layout().lambda_size() == 0 || !(left_over(at, work) <= small)) return {};
  return strongest_constraints(*system_, at);
}

}  // namespace catena::detail
