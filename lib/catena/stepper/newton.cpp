#include <catena/stepper/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {

NewtonMonitor::Verdict NewtonMonitor::observe(const double* delta, double factor, const double* q,
                                              const double* lambda, bool fresh_matrix) {
  const SystemLayout& layout = system_->layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  double largest = 0.0, longest = 0.0;
  bool finite = true;
  for (int k = 0; k < n; ++k) {
    const double move = std::abs(delta[k]) * factor;
    const double x = move / layout.scale[static_cast<std::size_t>(k)];
    finite = finite && std::isfinite(x);
    longest = std::max(longest, move);
    if (x > largest) {
      largest = x;
      worst_ = k;
    }
  }
  double scale = 0.0;
  for (int k = 0; k < m; ++k) scale = std::max(scale, std::abs(lambda[k]));
  for (int k = 0; k < m && scale > 0.0; ++k) {
    const double x = std::abs(delta[n + k]) / scale;
    finite = finite && std::isfinite(x);
    if (x > largest) {
      largest = x;
      worst_ = n + k;
    }
  }
  ++iteration_;
  const double before = last_;
  last_ = largest;
  if (!finite) return Verdict::failed;
  if (largest <= options_.tolerance) return Verdict::converged;
  double magnitude = 1.0;
  for (int k = 0; k < layout.q_size; ++k) magnitude = std::max(magnitude, std::abs(q[k]));
  if (longest <= 4.0 * std::numeric_limits<double>::epsilon() * magnitude) return Verdict::converged;
  if (iteration_ > 1) {
    const double theta = largest / before;
    if (theta < 1.0 && theta / (1.0 - theta) * largest <= options_.tolerance) return Verdict::converged;
    // Slower than this, a new matrix costs less than the iterations it saves.
    constexpr double slow = 0.1;
    if (theta > slow && !fresh_matrix && iteration_ < options_.max_iterations) return Verdict::refresh;
    if (theta > 2.0 && iteration_ > 3) return Verdict::failed;
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
