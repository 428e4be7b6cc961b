#include <catena/stepper/multiplier_pole.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

void MultiplierPole::attach(const System& system) {
  system_ = &system;
  force_.assign(static_cast<std::size_t>(system.layout().v_size()), 0.0);
  alone_.assign(static_cast<std::size_t>(system.layout().lambda_size()), 0.0);
  involved_.reserve(system.layout().pattern->dual_size.size());
}

namespace {

int largest_of(const double* x, int size) {
  int k = 0;
  for (int i = 1; i < size; ++i)
    if (std::abs(x[i]) > std::abs(x[k])) k = i;
  return k;
}

}  // namespace

double MultiplierPole::pole_of(const MultiplierSample& before, const MultiplierSample& now,
                               const MultiplierSample& next, int k) {
  constexpr double none = -1.0;
  constexpr double bend = 2.0;  // how far the new value may be off the line, in its descent over the step
  const double a = before.lambda[k], b = now.lambda[k], c = next.lambda[k];
  if (!(a * b > 0.0 && b * c < 0.0 && std::abs(b) > std::abs(a))) return none;
  const double slope = (1.0 / b - 1.0 / a) / (now.t - before.t), h = next.t - now.t;
  const double expected = 1.0 / b + slope * h;
  if (std::abs(1.0 / c - expected) > bend * std::abs(slope * h)) return none;
  // The line through both sides of the pole.
  return (1.0 / b) / (1.0 / b - 1.0 / c);
}

// Largest component of G^T lambda times its characteristic length.
double MultiplierPole::force_of(const double* lambda, const Point& at) {
  Point there;
  there.t = at.t;
  there.q = at.q;
  there.discrete = at.discrete;
  there.lambda = lambda;
  there.forces = false;
  Evaluation wanted;
  wanted.balance = force_.data();
  system_->evaluate(there, wanted);
  double largest = 0.0;
  for (std::size_t i = 0; i < force_.size(); ++i)
    largest = std::max(largest, std::abs(force_[i]) * system_->layout().scale[i]);
  return largest;
}

bool MultiplierPole::rows_cancel(const double* lambda, const Point& at) {
  constexpr double small = 0.2;     // of the largest: what is left of forces that cancel
  constexpr double involved = 0.1;  // of the largest multiplier
  const BlockPattern& p = *system_->layout().pattern;
  const double top = std::abs(lambda[largest_of(lambda, static_cast<int>(alone_.size()))]);
  double largest = 0.0;
  involved_.clear();
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const int first = p.dual_offset[i] - p.primal_dimension, rows = p.dual_size[i];
    if (std::abs(lambda[first + largest_of(lambda + first, rows)]) < involved * top) continue;
    involved_.push_back(d);
    std::copy(lambda + first, lambda + first + rows, alone_.begin() + first);
    largest = std::max(largest, force_of(alone_.data(), at));
    std::fill_n(alone_.begin() + first, rows, 0.0);
  }
  return force_of(lambda, at) <= small * largest;
}

bool MultiplierPole::crossed(const MultiplierSample& before, const MultiplierSample& now,
                             const MultiplierSample& next, const Point& at) {
  const int m = static_cast<int>(alone_.size());
  if (m == 0 || !(now.t > before.t)) return false;
  double fraction = -1.0;
  for (const double* lambda : {now.lambda, next.lambda}) {
    fraction = pole_of(before, now, next, largest_of(lambda, m));
    if (fraction >= 0.0) break;
  }
  if (fraction < 0.0) return false;
  culprit_.name = dependent_constraints(next.lambda, at);
  culprit_.quantity = "rows become dependent at t";
  culprit_.value = now.t + fraction * (next.t - now.t);
  return !culprit_.name.empty();
}

std::string MultiplierPole::dependent_constraints(const double* lambda, const Point& at) {
  std::string names;
  if (alone_.empty() || !rows_cancel(lambda, at)) return names;
  for (const int d : involved_) {
    if (!names.empty()) names += ", ";
    names += system_->constraint_name(d);
  }
  return names;
}

}  // namespace catena
