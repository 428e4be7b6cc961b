#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace catena {
using namespace detail;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// In tolerances: where a first correction moves q by more, it is followed by a second one, whatever the steps before have
// contracted by. Forces with a kink may be others behind it than the matrix knows, and leave as much.
constexpr double most_unseen = 10.0;
// Of the tolerance: what may remain of the multipliers after a correction that none follows. An undamped method (rho_inf = 1)
// keeps what remains, which adds up over the steps.
constexpr double most_remaining = 0.1;
// What a contraction that no step has measured again grows by with every step: ten times as large after 24 of them.
constexpr double ageing = 1.1;

// Of a contraction from step to step.
constexpr double fastest_fall = 0.3;

double ratio(double now, double before) {
  return now == 0.0 ? 0.0 : before > 0.0 ? now / before : std::numeric_limits<double>::infinity();
}

// The largest of some numbers >= 0, the first of them that is not finite, and whose they are.
struct Largest {
  double value = 0.0;
  int component = 0;
  bool finite = true;

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
  const BlockPattern& p = *system.layout().pattern;
  first_rows_.assign(static_cast<std::size_t>(p.primal_count()) + 1, 0);
  for (const auto& of : p.incidences) ++first_rows_[static_cast<std::size_t>(of.primal) + 1];
  std::partial_sum(first_rows_.begin(), first_rows_.end(), first_rows_.begin());
  rows_.resize(p.incidences.size());
  std::vector<int> next(first_rows_.begin(), first_rows_.end() - 1);
  for (const auto& [dual, primal] : p.incidences) {
    const auto d = static_cast<std::size_t>(dual);
    rows_[static_cast<std::size_t>(next[static_cast<std::size_t>(primal)]++)] = {
        p.dual_offset[d] - p.primal_dimension, p.dual_size[d]};
  }
  per_scale_.clear();
  for (const double scale : system.layout().scale) per_scale_.push_back(1.0 / scale);
  largest_per_scale_ = largest_of(per_scale_);
}

// Slower iterations have their matrix made anew, or they follow noise: no step begins with more.
void NewtonMonitor::begin_step(const NewtonOptions& options, double contraction, const double* discrete) {
  options_ = options;
  discrete_ = discrete;
  contraction_ = last_contraction_ = contraction > 0.0 ? std::min(contraction, options.slow) : options.slow;
  foreseen_ = {};
  iteration_ = 0;
  last_ = 0.0;
}

// Whether what the first correction leaves is foreseen to be nothing: of the velocities, where the same part of a matrix that
// leaves terms out adds up from step to step, less than their roundoff.
bool NewtonMonitor::is_enough(const Parts& correction, const double* v, bool fresh_matrix) const {
  const auto remains = [](double of, double theta) {
    return theta < 1.0 ? of * theta / (1.0 - theta) : std::numeric_limits<double>::infinity();
  };
  const double tolerance = options_.tolerance;
  if (!(foreseen_.of_q > 0.0 && fresh_matrix && options_.extrapolate)) return false;
  if (!(correction.of_q <= most_unseen * tolerance)) return false;
  if (!(remains(correction.of_lambda, foreseen_.of_lambda) <= most_remaining * tolerance)) return false;
  const double speed =
      array_kernels().largest_scaled(v, per_scale_.data(), 1.0, system_->layout().v_size()).value;
  constexpr double units = 0.25 * epsilon;  // half of what the last place of a velocity leaves open
  return remains(correction.of_q, foreseen_.of_q) * velocity_per_q_ <= units * speed;
}

// The contraction from the first correction to the second. Where the rows that the second one answers are roundoff, its
// multipliers are noise of it, and so is q that moves by roundoff: both contract as the balance does, whose roundoff is that of
// the largest multiplier.
void NewtonMonitor::measure(const Parts& first, const Parts& second, const double* q, const double* lambda,
                            bool rows_are_noise) {
  double of_q = ratio(second.of_q, first.of_q), of_lambda = ratio(second.of_lambda, first.of_lambda);
  if (rows_are_noise) {
    const SystemLayout& layout = system_->layout();
    const double none =
        4.0 * epsilon * largest_of(lambda, layout.lambda_size(), 0.0) * layout.roundoff_length;
    const double of_balance = second.work <= none ? 0.0 : ratio(second.work, first.work);
    if (second.of_q <= 4.0 * epsilon * roundoff_length_at(layout, q) * largest_per_scale_) of_q = of_balance;
    of_lambda = std::min(of_lambda, of_balance);
  } else {
    of_q = of_lambda = std::max(of_q, of_lambda);
  }
  const Contractions before = foreseen_.of_q > 0.0 ? foreseen_ : Contractions{options_.slow, options_.slow};
  foreseen_ = {std::min(1.0, std::max(of_q, fastest_fall * before.of_q)),
               std::min(1.0, std::max(of_lambda, fastest_fall * before.of_lambda))};
}

bool NewtonMonitor::rows_are_roundoff(const double* q, const double* v,
                                      const IterateResiduals& before) const {
  const SystemLayout& layout = system_->layout();
  for (std::size_t k = 0; k < before.place.size(); ++k)
    if (!(before.place[k] <= 4.0 * epsilon * roundoff_length_at(layout.place_rows[k], q))) return false;
  for (std::size_t k = 0; k < before.open.size(); ++k)
    if (!(before.open[k] <= 4.0 * epsilon * roundoff_length_at(layout, layout.open_rows[k], q, discrete_)))
      return false;
  return before.position <= 4.0 * epsilon * roundoff_length_at(layout, q) &&
         before.cosine <= 4.0 * epsilon * SystemLayout::roundoff_of_cosines &&
         before.velocity <= 4.0 * epsilon * largest_of(v, layout.v_size(), 1.0);
}

// Whether the balance of every body is within roundoff of the forces on it, of_lambda times its multipliers, or
// of_change times what these move by.
bool NewtonMonitor::balanced(const double* change, const double* lambda, const IterateResiduals& before,
                             double of_lambda, double of_change) {
  constexpr double units = 64.0 * epsilon;  // in the last place
  for (std::size_t b = 0; b + 1 < first_rows_.size(); ++b) {
    const double of_inertia = before.inertia[b] / before.inertia_unit;
    if (before.balance[b] <= units * of_inertia) continue;
    double force = 0.0, move = 0.0;
    for (int k = first_rows_[b]; k < first_rows_[b + 1]; ++k) {
      const Rows& rows = rows_[static_cast<std::size_t>(k)];
      force = largest_of(lambda + rows.first, rows.size, force);
      move = largest_of(change + rows.first, rows.size, move);
    }
    const double roundoff = units * std::max(force, of_inertia);
    if (!(before.balance[b] <= std::max({roundoff, of_lambda * force, of_change * move}))) return false;
  }
  return true;
}

int NewtonMonitor::worst_component(const double* delta) const {
  const int n = system_->layout().v_size(), m = system_->layout().lambda_size();
  Largest found;
  for (int k = 0; k < n; ++k)
    found.look_at(std::abs(delta[k]) * unit_ * per_scale_[static_cast<std::size_t>(k)], k);
  for (int k = n; k < n + m && multiplier_ > 0.0; ++k) found.look_at(std::abs(delta[k]) / multiplier_, k);
  return found.component;
}

NewtonMonitor::Verdict NewtonMonitor::observe(const double* delta, double unit, const double* q,
                                              const double* v, const double* lambda,
                                              const IterateResiduals& before, bool fresh_matrix) {
  const SystemLayout& layout = system_->layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  unit_ = unit;
  const ArrayKernels& kernels = array_kernels();
  const LargestNumber move = kernels.largest_scaled(delta, per_scale_.data(), unit, n);
  const double of_q = move.value;
  // Multipliers below ten units in the last place of the largest inertia over the tolerance count as zero.
  const double inertia = largest_of(before.inertia.data(), static_cast<int>(before.inertia.size()), 0.0);
  multiplier_ = largest_of(lambda, m, 10.0 * epsilon * inertia / (before.inertia_unit * options_.tolerance));
  LargestNumber force{};
  if (multiplier_ > 0.0) force = kernels.largest_number(delta + n, m);
  const double of_lambda = multiplier_ > 0.0 ? force.value / multiplier_ : 0.0;

  ++iteration_;
  const double last = last_, largest = std::max(of_q, of_lambda);
  const bool finite = move.not_finite == 0.0 && force.not_finite == 0.0 && std::isfinite(of_lambda);
  last_ = finite ? largest : std::numeric_limits<double>::quiet_NaN();
  if (!finite) return Verdict::failed;
  const double tolerance = options_.tolerance;
  if (options_.foresee) {
    const Parts parts{of_q, of_lambda, before.work};
    if (iteration_ == 1) {
      first_ = parts;
      if (is_enough(parts, v, fresh_matrix)) {
        for (double* theta : {&foreseen_.of_q, &foreseen_.of_lambda})
          *theta = std::min(options_.slow, ageing * *theta);
        return Verdict::converged;
      }
      // Within the tolerance, a first correction may still leave what adds up.
      if (fresh_matrix && options_.extrapolate && largest > 0.0) return next_verdict();
    } else if (iteration_ == 2) {
      measure(first_, parts, q, lambda, of_q <= 1.0 && rows_are_roundoff(q, v, before));
    }
  }
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
    contraction_ = std::max(theta, fastest_fall * last_contraction_);
    if (options_.extrapolate && contraction_ < 1.0 &&
        contraction_ / (1.0 - contraction_) * largest <= tolerance)
      return Verdict::converged;
    if (theta > options_.slow && !fresh_matrix && iteration_ < options_.max_iterations)
      return Verdict::refresh;
    if (theta > 2.0 && iteration_ > 3 && !noise_only) return Verdict::failed;
  }
  return next_verdict();
}

NewtonMonitor::Verdict NewtonMonitor::next_verdict() const {
  if (iteration_ >= options_.max_iterations) return Verdict::failed;
  return options_.jacobian == JacobianUpdate::every_iteration ? Verdict::refresh : Verdict::iterate;
}

}  // namespace catena
