#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

KktSolver* FactoredRows::solver() {
  if (made_) return solver_.get();
  made_ = true;
  auto kkt = std::make_unique<KktSolver>();
  if (!kkt->attach(system_, {}).empty()) return nullptr;
  evaluate_mass_and_rows(system_, point_of(state_), kkt->matrix());
  kkt->update_proximal();
  report_ = kkt->factorize();
  if (report_.status != Status::not_finite) solver_ = std::move(kkt);
  return solver_.get();
}

std::vector<std::vector<double>> allowed_motions(FactoredRows& rows, int count) {
  constexpr double none = 1e-6;  // of a motion without those before it
  std::vector<std::vector<double>> found;
  KktSolver* const kkt = rows.solver();
  if (kkt == nullptr) return found;
  const SystemLayout& layout = rows.system().layout();
  const auto n = static_cast<std::size_t>(layout.v_size());
  std::vector<double> x(n + static_cast<std::size_t>(layout.lambda_size())), weighed(x);
  const int patterns = count + 4;  // a few more, where one is all but a sum of those before it
  for (int k = 0; k < patterns && static_cast<int>(found.size()) < count; ++k) {
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i)  // squares, or all patterns would be one, shifted
      x[i] = layout.scale[i] * (2.0 * scattered((i + 1) * (i + 1) * static_cast<std::size_t>(k + 1)) - 1.0);
    weighed.resize(x.size());
    kkt->matrix().multiply(x.data(), weighed.data());
    std::fill(weighed.begin() + static_cast<std::ptrdiff_t>(n), weighed.end(), 0.0);
    kkt->solve_refined(weighed.data());
    weighed.resize(n);
    // Twice, so that what is left is orthogonal to the last digit.
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<double>& other : found) {
        double product = 0.0, square = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
          const double s = layout.scale[i] * layout.scale[i];
          product += weighed[i] * other[i] / s;
          square += other[i] * other[i] / s;
        }
        for (std::size_t i = 0; i < n; ++i) weighed[i] -= product / square * other[i];
      }
    const double largest = largest_scaled(layout, weighed.data());
    if (!(largest > none) || !std::isfinite(largest)) continue;
    for (double& component : weighed) component /= largest;
    found.push_back(weighed);
  }
  return found;
}

}  // namespace catena::detail
