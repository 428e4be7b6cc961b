#include <catena/stepper/multiplier_pole.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace catena {
namespace {

// What is left of forces that cancel, beside the largest of them.
constexpr double small = 0.5, very_small = 0.15, hardly_any = 0.01;

int largest_of(const double* x, int size) {
  int k = 0;
  for (int i = 1; i < size; ++i)
    if (std::abs(x[i]) > std::abs(x[k])) k = i;
  return k;
}

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
  Point there = without_motion(at);
  there.lambda = lambda;
  Evaluation wanted;
  wanted.balance = force;
  system_->evaluate(there, wanted);
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
  const int top = largest_of(at.lambda, m) + p.primal_dimension;
  const auto after = std::upper_bound(p.dual_offset.begin(), p.dual_offset.end(), top);
  const auto d = static_cast<std::size_t>(after - p.dual_offset.begin()) - 1;
  const int first = p.dual_offset[d] - p.primal_dimension, rows = p.dual_size[d];
  std::fill(alone, alone + m, 0.0);
  std::copy(at.lambda + first, at.lambda + first + rows, alone + first);
  largest_force_ = force_of(alone, at, work);
  return largest_force_ > 0.0 ? force_of(at.lambda, at, work) / largest_force_ : 1.0;
}

// Forces of the last left_over() that are roundoff beside those that move a body by its own size within the step.
bool MultiplierPole::noise(const Point& at, double h, double* force) const {
  Point there = without_motion(at);
  there.a = system_->layout().scale.data();
  Evaluation wanted;
  wanted.balance = force;
  system_->evaluate(there, wanted);
  double largest = 0.0;
  for (int i = 0; i < system_->layout().v_size(); ++i)
    largest = std::max(largest, std::abs(force[i]) * system_->layout().scale[static_cast<std::size_t>(i)]);
  return largest_force_ < 1e-11 * largest / (h * h);
}

Outcome MultiplierPole::judged(Outcome outcome, const State& state, const Point& next,
                               const double* lambda_before, double* work, KktSolver& kkt) {
  matrix_changed_ = false;
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
    const int k = largest_of(now.lambda, system_->layout().lambda_size());
    if (!(std::abs(now.lambda[k]) > std::abs(lambda_before[k]))) return outcome;  // it grows before a pole
    const double left = left_over(now, work);
    if (left > hardly_any || noise(now, next.t - now.t, work)) return outcome;
    const std::string all = dependent_constraints(now, work);
    if (all.empty()) return outcome;
    outcome.status = Status::singular_kkt;
    outcome.culprit = {all, "rows become dependent, constraint forces cancel to", left};
  } else if (outcome.status == Status::ok && crossed(now, next, work) && proven(now, next, kkt)) {
    outcome = {};
    outcome.status = Status::singular_kkt;
    outcome.culprit = culprit_;
  }
  return outcome;
}

// Whether the weakest local Schur pivot of the rows falls along the geodesic from now to next.
bool MultiplierPole::proven(const Point& now, const Point& next, KktSolver& kkt) {
  constexpr int few = 6, parts = 16;
  constexpr double drop = 0.5;
  if (!prove_) return involved_ <= few || 2 * involved_ <= system_->layout().pattern->dual_count();
  const auto n = static_cast<std::size_t>(system_->layout().v_size());
  std::vector<double> whole(n), part(n), q(static_cast<std::size_t>(system_->layout().q_size));
  system_->difference(now.q, next.q, whole.data());
  matrix_changed_ = true;
  double weakest = std::numeric_limits<double>::infinity(), at_better_end = 0.0;
  for (int k = 0; k <= parts; ++k) {
    const double s = static_cast<double>(k) / parts;
    for (std::size_t i = 0; i < n; ++i) part[i] = s * whole[i];
    system_->retract(now.q, part.data(), q.data());
    Point at = without_motion(now);
    at.t = now.t + s * (next.t - now.t);
    at.q = q.data();
    Linearization lin;
    lin.matrix = &kkt.matrix();
    lin.mass = 1.0;
    Evaluation wanted;
    wanted.linearization = &lin;
    system_->evaluate(at, wanted);
    KktReport report = kkt.factorize();
    kkt.find_weakest_row(report);
    const double ratio = report.status == Status::ok ? report.weakest_dual_ratio : 0.0;
    weakest = std::min(weakest, ratio);
    if (k == 0 || k == parts) at_better_end = std::max(at_better_end, ratio);
  }
  return weakest <= drop * at_better_end;
}

bool MultiplierPole::crossed(const Point& now, const Point& next, double* work) {
  const int m = system_->layout().lambda_size();
  if (m == 0) return false;
  int k = largest_of(now.lambda, m);
  if (!(now.lambda[k] * next.lambda[k] < 0.0)) k = largest_of(next.lambda, m);
  const double b = now.lambda[k], c = next.lambda[k];
  if (!(b * c < 0.0)) return false;
  const double before = left_over(now, work);
  if (!(before <= small)) return false;
  const double after = left_over(next, work), h = next.t - now.t;
  if (!(after <= small && std::min(before, after) <= very_small) || noise(next, h, work)) return false;
  char text[80];  // the line of 1 / lambda vanishes there
  std::snprintf(text, sizeof text, "rows become dependent at t = %.7g s, constraint forces cancel to",
                now.t + h * c / (c - b));
  culprit_ = {dependent_constraints(next, work), text, std::min(before, after)};
  return !culprit_.name.empty();
}

std::string MultiplierPole::dependent_constraints(const Point& at, double* work) {
  constexpr double involved = 0.1;  // of the largest multiplier
  constexpr int most = 6;
  std::string names;
  if (system_->layout().lambda_size() == 0 || !(left_over(at, work) <= small)) return names;
  const BlockPattern& p = *system_->layout().pattern;
  const double top = std::abs(at.lambda[largest_of(at.lambda, system_->layout().lambda_size())]);
  int count = 0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double* lambda = at.lambda + p.dual_offset[i] - p.primal_dimension;
    if (std::abs(lambda[largest_of(lambda, p.dual_size[i])]) < involved * top || ++count > most) continue;
    if (!names.empty()) names += ", ";
    names += system_->constraint_name(d);
  }
  involved_ = count;
  return count <= most ? names : names + " and " + std::to_string(count - most) + " more";
}

}  // namespace catena
