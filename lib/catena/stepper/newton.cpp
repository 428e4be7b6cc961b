#include <catena/math/detail/largest.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
using namespace detail;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The largest of some numbers >= 0, the first of them that is not finite, and whose they are.
struct Largest {
  double value = 0.0;
  int component = -1;
  bool finite = true;

  // number(k) for k < n belongs to component first + k. Four sums at a time, which compilers turn into lanes; which
  // component it was is looked up in those four alone that raised the largest.
  template <class Number>
  void look_at(int n, int first, Number&& number) {
    constexpr int width = 4;
    int k = 0;
    for (; k + width <= n && finite; k += width) {
      double x[width];
      for (int l = 0; l < width; ++l) x[l] = number(k + l);
      const bool larger = (x[0] > value) | (x[1] > value) | (x[2] > value) | (x[3] > value);
      const double sum = (x[0] + x[1]) + (x[2] + x[3]);
      if (!larger && sum - sum == 0.0) continue;
      for (int l = 0; l < width; ++l) look_at(x[l], first + k + l);
    }
    for (; k < n && finite; ++k) look_at(number(k), first + k);
  }

 private:
  void look_at(double x, int of) {
    if (!finite || (x <= value && std::isfinite(x))) return;
    component = of;
    finite = std::isfinite(x);
    if (finite) value = x;
  }
};

}  // namespace

void NewtonMonitor::attach(const System& system) {
  system_ = &system;
  const auto blocks = static_cast<std::size_t>(system.layout().pattern->primal_count());
  force_.assign(blocks, 0.0);
  move_.assign(blocks, 0.0);
  per_scale_.clear();
  for (const double scale : system.layout().scale) per_scale_.push_back(1.0 / scale);
}

// Slower iterations have their matrix made anew, or they follow noise: no step begins with more.
void NewtonMonitor::begin_step(const NewtonOptions& options, double contraction) {
  options_ = options;
  contraction_ = last_contraction_ = contraction > 0.0 ? std::min(contraction, options.slow) : options.slow;
  iteration_ = 0;
  last_ = 0.0;
}

bool NewtonMonitor::rows_are_roundoff(const double* q, const double* v,
                                      const IterateResiduals& before) const {
  const SystemLayout& layout = system_->layout();
  for (std::size_t k = 0; k < before.place.size(); ++k)
    if (!(before.place[k] <= 4.0 * epsilon * roundoff_length_at(layout.place_rows[k], q))) return false;
  return before.position <= 4.0 * epsilon * roundoff_length_at(layout, q) &&
         before.cosine <= 4.0 * epsilon * SystemLayout::roundoff_of_cosines &&
         before.velocity <= 4.0 * epsilon * largest_of(v, layout.v_size(), 1.0);
}

// Whether the balance of every body is within roundoff of the forces on it, of_lambda times its multipliers, or
// of_change times what these move by.
bool NewtonMonitor::balanced(const double* change, const double* lambda, const IterateResiduals& before,
                             double of_lambda, double of_change) {
  const BlockPattern& p = *system_->layout().pattern;
  std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(move_.begin(), move_.end(), 0.0);
  for (const auto& [dual, primal] : p.incidences) {
    const auto d = static_cast<std::size_t>(dual), b = static_cast<std::size_t>(primal);
    const int first = p.dual_offset[d] - p.primal_dimension;
    force_[b] = largest_of(lambda + first, p.dual_size[d], force_[b]);
    move_[b] = largest_of(change + first, p.dual_size[d], move_[b]);
  }
  for (std::size_t b = 0; b < force_.size(); ++b) {
    const double roundoff = 64.0 * epsilon * std::max(force_[b], before.inertia[b] / before.inertia_unit);
    if (!(before.balance[b] <= std::max({roundoff, of_lambda * force_[b], of_change * move_[b]})))
      return false;
  }
  return true;
}

NewtonMonitor::Verdict NewtonMonitor::observe(const double* delta, double unit, const double* q,
                                              const double* v, const double* lambda,
                                              const IterateResiduals& before, bool fresh_matrix) {
  const SystemLayout& layout = system_->layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  Largest found;
  const double* per_scale = per_scale_.data();
  found.look_at(n, 0, [&](int k) { return std::abs(delta[k]) * unit * per_scale[k]; });
  const double of_q = found.value;
  // Multipliers below ten units in the last place of the largest inertia over the tolerance count as zero.
  const double inertia = largest_of(before.inertia.data(), static_cast<int>(before.inertia.size()), 0.0);
  const double multiplier =
      largest_of(lambda, m, 10.0 * epsilon * inertia / (before.inertia_unit * options_.tolerance));
  if (multiplier > 0.0) found.look_at(m, n, [&](int k) { return std::abs(delta[n + k]) / multiplier; });
  if (found.component >= 0) worst_ = found.component;

  ++iteration_;
  const double last = last_, largest = found.value;
  last_ = found.finite ? largest : std::numeric_limits<double>::quiet_NaN();
  if (!found.finite) return Verdict::failed;
  const double tolerance = options_.tolerance;
  if (largest <= tolerance) return Verdict::converged;

  const double theta = iteration_ > 1 ? largest / last : 0.0;
  // A correction beyond the size of the bodies is no noise, however large the velocities that it makes.
  const bool noise_only = of_q <= 1.0 && rows_are_roundoff(q, v, before);
  if (noise_only) {
    const bool q_converged = of_q <= tolerance, wanders = theta > 0.5;
    if (balanced(delta + n, lambda, before, q_converged ? tolerance : 0.0,
                 q_converged && wanders ? 0.01 : 0.0))
      return Verdict::converged;
  }
  if (iteration_ > 1) {
    constexpr double fastest_fall = 0.3;
    contraction_ = std::max(theta, fastest_fall * last_contraction_);
    if (options_.extrapolate && contraction_ < 1.0 &&
        contraction_ / (1.0 - contraction_) * largest <= tolerance)
      return Verdict::converged;
    if (theta > options_.slow && !fresh_matrix && iteration_ < options_.max_iterations)
      return Verdict::refresh;
    if (theta > 2.0 && iteration_ > 3 && !noise_only) return Verdict::failed;
  }
  if (iteration_ >= options_.max_iterations) return Verdict::failed;
  return options_.jacobian == JacobianUpdate::every_iteration ? Verdict::refresh : Verdict::iterate;
}

}  // namespace catena
