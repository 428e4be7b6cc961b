#include <catena/stepper/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {

namespace {

double largest_of(const double* x, int n, double at_least) {
  for (int k = 0; k < n; ++k) at_least = std::max(at_least, std::abs(x[k]));
  return at_least;
}

}  // namespace

NewtonMonitor::Verdict NewtonMonitor::observe(const double* delta, double factor, const double* q,
                                              const double* v, const double* lambda,
                                              const IterateResiduals& before, bool fresh_matrix) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const SystemLayout& layout = system_->layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  double largest = 0.0;
  bool finite = true;
  const auto look_at = [&](double x, int component) {
    if (finite && !std::isfinite(x)) {
      finite = false;
      worst_ = component;
    }
    if (finite && x > largest) {
      largest = x;
      worst_ = component;
    }
  };
  for (int k = 0; k < n; ++k)
    look_at(std::abs(delta[k]) * factor / layout.scale[static_cast<std::size_t>(k)], k);
  const double of_q = largest;
  const double multiplier =
      std::max(largest_of(lambda, m, 0.0), 10.0 * epsilon * before.inertia / options_.tolerance);
  for (int k = 0; k < m && multiplier > 0.0; ++k) look_at(std::abs(delta[n + k]) / multiplier, n + k);
  const double change = largest_of(delta + n, m, 0.0);

  ++iteration_;
  const double last = last_;
  last_ = finite ? largest : std::numeric_limits<double>::quiet_NaN();
  if (!finite) return Verdict::failed;
  if (largest <= options_.tolerance) return Verdict::converged;

  const double length =
      layout.roundoff_length > 0.0 ? layout.roundoff_length : largest_of(q, layout.q_size, 1.0);
  const bool rows_are_roundoff =
      before.position <= 4.0 * epsilon * length && before.velocity <= 4.0 * epsilon * largest_of(v, n, 1.0);
  if (rows_are_roundoff && before.balance <= 64.0 * epsilon * std::max(multiplier, before.inertia))
    return Verdict::converged;
  if (rows_are_roundoff && before.balance <= options_.tolerance * multiplier && of_q <= options_.tolerance)
    return Verdict::converged;

  if (iteration_ > 1) {
    const double theta = largest / last;
    // Multipliers that follow the noise of the rows and no longer the balance.
    if (rows_are_roundoff && of_q <= options_.tolerance && theta > 0.5 && before.balance <= 0.01 * change)
      return Verdict::converged;
    if (theta < 1.0 && theta / (1.0 - theta) * largest <= options_.tolerance) return Verdict::converged;
    // Slower than this, a new matrix costs less than the iterations it saves.
    constexpr double slow = 0.1;
    if (theta > slow && !fresh_matrix && iteration_ < options_.max_iterations) return Verdict::refresh;
    if (theta > 2.0 && iteration_ > 3 && !rows_are_roundoff) return Verdict::failed;
  }
  if (iteration_ >= options_.max_iterations) return Verdict::failed;
  return options_.jacobian == JacobianUpdate::every_iteration ? Verdict::refresh : Verdict::go_on;
}

std::string NewtonMatrix::attach(const System& system, const KktOptions& options) {
  mask_.assign(static_cast<std::size_t>(system.layout().pattern->primal_count()), 0);
  h = 0.0;
  fresh = false;
  return kkt_.attach(system, options);
}

}  // namespace catena
