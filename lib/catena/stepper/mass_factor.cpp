#include <catena/stepper/mass_factor.hpp>

#include <cmath>
#include <utility>

namespace catena {

void MassFactor::attach(std::shared_ptr<const BlockPattern> pattern) {
  pattern_ = std::move(pattern);
  at_.clear();
  std::size_t size = 0;
  for (const int n : pattern_->primal_size) {
    at_.push_back(size);
    size += static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  }
  factor_.assign(size, 0.0);
}

int MassFactor::make(const BlockMatrix& matrix) {
  for (int k = 0; k < pattern_->primal_count(); ++k) {
    const ConstBlockRef H = matrix.H(k);
    double* L = factor_.data() + at_[static_cast<std::size_t>(k)];
    const int n = H.rows;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = H(i, j);
        for (int l = 0; l < j; ++l) sum -= L[i * n + l] * L[j * n + l];
        if (i > j) {
          L[i * n + j] = sum * L[j * n + j];
          continue;
        }
        // Against the roundoff of the sum.
        if (!(sum > 1e-14 * H(i, i))) return k;
        L[i * n + i] = 1.0 / std::sqrt(sum);
      }
  }
  return -1;
}

void MassFactor::solve(double* x) const {
  for (std::size_t k = 0; k < at_.size(); ++k) {
    const double* L = factor_.data() + at_[k];
    const int n = pattern_->primal_size[k];
    double* y = x + pattern_->primal_offset[k];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) y[i] -= L[i * n + j] * y[j];
      y[i] *= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) y[i] -= L[j * n + i] * y[j];
      y[i] *= L[i * n + i];
    }
  }
}

}  // namespace catena
