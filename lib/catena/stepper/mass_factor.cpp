#include <catena/stepper/detail/mass_factor.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace catena::detail {

void MassFactor::attach(std::shared_ptr<const BlockPattern> pattern) {
  pattern_ = std::move(pattern);
  root_.resize(pattern_->primal_size.size());
  std::iota(root_.begin(), root_.end(), 0);
  make_groups();
}

// True where a coupling that holds numbers now joins two groups.
bool MassFactor::join(const BlockMatrix& matrix) {
  bool joined = false;
  for (std::size_t c = 0; c < pattern_->couplings.size(); ++c) {
    const auto [i, j] = pattern_->couplings[c];
    const int a = root_[static_cast<std::size_t>(i)], b = root_[static_cast<std::size_t>(j)];
    if (a == b) continue;
    const ConstBlockRef H = matrix.H_upper(static_cast<int>(c));
    bool empty = true;
    for (int r = 0; r < H.rows && empty; ++r)
      for (int s = 0; s < H.cols && empty; ++s) empty = H(r, s) == 0.0;
    if (empty) continue;
    std::replace(root_.begin(), root_.end(), std::max(a, b), std::min(a, b));
    joined = true;
  }
  return joined;
}

void MassFactor::make_groups() {
  groups_.clear();
  group_of_.assign(static_cast<std::size_t>(pattern_->primal_dimension), 0);
  place_of_ = group_of_;
  std::vector<int> group_of_block(root_.size(), -1);
  for (std::size_t k = 0; k < root_.size(); ++k) {
    int& group = group_of_block[static_cast<std::size_t>(root_[k])];
    if (group < 0) {
      group = static_cast<int>(groups_.size());
      groups_.emplace_back();
    }
    Group& g = groups_[static_cast<std::size_t>(group)];
    for (int r = 0; r < pattern_->primal_size[k]; ++r) {
      const int component = pattern_->primal_offset[k] + r;
      group_of_[static_cast<std::size_t>(component)] = group;
      place_of_[static_cast<std::size_t>(component)] = static_cast<int>(g.component.size());
      g.component.push_back(component);
      g.block.push_back(static_cast<int>(k));
    }
  }
  std::size_t size = 0;
  for (Group& g : groups_) {
    g.at = size;
    size += g.component.size() * g.component.size();
  }
  factor_.assign(size, 0.0);
}

// Of the lower half of its group's matrix, by components of x.
double* MassFactor::entry(int one, int other) {
  const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
  const Group& g = groups_[static_cast<std::size_t>(group_of_[a])];
  const auto row = static_cast<std::size_t>(std::max(place_of_[a], place_of_[b])),
             column = static_cast<std::size_t>(std::min(place_of_[a], place_of_[b]));
  return factor_.data() + g.at + row * g.component.size() + column;
}

int MassFactor::make(const BlockMatrix& matrix) {
  if (join(matrix)) make_groups();
  std::fill(factor_.begin(), factor_.end(), 0.0);
  for (int k = 0; k < pattern_->primal_count(); ++k) {
    const ConstBlockRef H = matrix.H(k);
    const int first = pattern_->primal_offset[static_cast<std::size_t>(k)];
    double* alone = entry(first, first);  // the blocks of a body of its own lie row by row
    const int width = static_cast<int>(
        groups_[static_cast<std::size_t>(group_of_[static_cast<std::size_t>(first)])].component.size());
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j <= i; ++j) alone[i * width + j] = H(i, j);
  }
  for (std::size_t c = 0; c < pattern_->couplings.size(); ++c) {
    const auto [i, j] = pattern_->couplings[c];
    if (root_[static_cast<std::size_t>(i)] != root_[static_cast<std::size_t>(j)]) continue;  // no mass in it
    const ConstBlockRef H = matrix.H_upper(static_cast<int>(c));
    for (int r = 0; r < H.rows; ++r)
      for (int s = 0; s < H.cols; ++s)
        *entry(pattern_->primal_offset[static_cast<std::size_t>(i)] + r,
               pattern_->primal_offset[static_cast<std::size_t>(j)] + s) = H(r, s);
  }
  for (const Group& g : groups_) {
    double* L = factor_.data() + g.at;
    const int n = static_cast<int>(g.component.size());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const double own = L[i * n + j];
        double sum = own;
        for (int l = 0; l < j; ++l) sum -= L[i * n + l] * L[j * n + l];
        if (i > j) {
          L[i * n + j] = sum * L[j * n + j];
          continue;
        }
        // Against the roundoff of the sum.
        if (!(sum > 1e-14 * own)) return g.block[static_cast<std::size_t>(i)];
        L[i * n + i] = 1.0 / std::sqrt(sum);
      }
  }
  return -1;
}

void MassFactor::solve(double* x) const {
  for (const Group& g : groups_) {
    const double* L = factor_.data() + g.at;
    const int n = static_cast<int>(g.component.size());
    const auto y = [&](int i) -> double& { return x[g.component[static_cast<std::size_t>(i)]]; };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) y(i) -= L[i * n + j] * y(j);
      y(i) *= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) y(i) -= L[j * n + i] * y(j);
      y(i) *= L[i * n + i];
    }
  }
}

}  // namespace catena::detail
