#include <catena/stepper/detail/mass_factor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace catena::detail {

void MassFactor::attach(std::shared_ptr<const BlockPattern> pattern) {
  pattern_ = std::move(pattern);
  root_.resize(pattern_->primal_size.size());
  std::iota(root_.begin(), root_.end(), 0);
  made_ = false;
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
    g.coupled = g.block.front() != g.block.back();
  }
  std::size_t size = 0;
  for (Group& g : groups_) {
    const std::size_t n = g.component.size();
    g.at = size;
    g.first = g.component.front();
    for (std::size_t i = 0; i < n; ++i)
      if (g.component[i] != g.component.front() + static_cast<int>(i)) g.first = -1;
    size += n * (n + 1);
  }
  factor_.assign(size, std::numeric_limits<double>::quiet_NaN());  // equal to no mass
  inverse_root_.assign(static_cast<std::size_t>(pattern_->primal_dimension), 1.0);
}

// M of its group, by components of x.
double* MassFactor::entry(int one, int other) {
  const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
  const Group& g = groups_[static_cast<std::size_t>(group_of_[a])];
  const auto row = static_cast<std::size_t>(std::max(place_of_[a], place_of_[b])),
             column = static_cast<std::size_t>(std::min(place_of_[a], place_of_[b]));
  return factor_.data() + g.at + column * (g.component.size() + 1) + row + 1;
}

// Writes M of a block. True: some of it is another than the last one.
bool MassFactor::take(const ConstBlockRef& H, const Group& g, int place) {
  const int width = static_cast<int>(g.component.size()) + 1;
  double* const M = factor_.data() + g.at + place * width + place + 1;
  bool changed = false;
  for (int j = 0; j < H.rows; ++j)
    for (int i = j; i < H.rows; ++i) {
      changed = changed || M[j * width + i] != H(i, j);
      M[j * width + i] = H(i, j);
    }
  return changed;
}

// L of a group from its M. The component that is not positive definite, -1: none.
int MassFactor::factorise(Group& g) {
  double* const L = factor_.data() + g.at;
  const int n = static_cast<int>(g.component.size()), width = n + 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double own = L[j * width + i + 1];
      double sum = own;
      for (int l = 0; l < j; ++l) sum -= L[i * width + l] * L[j * width + l];
      if (i > j) {
        L[i * width + j] = sum * L[j * width + j];
        continue;
      }
      // Against the roundoff of the sum.
      if (!(sum > 1e-14 * own)) return i;
      L[i * width + i] = 1.0 / std::sqrt(sum);
    }
  const auto alone = [&](int j) {
    for (int i = 0; i < n; ++i)
      if (i != j && L[std::max(i, j) * width + std::min(i, j)] != 0.0) return false;
    return true;
  };
  g.alone = 0;
  while (g.alone < n && alone(g.alone)) ++g.alone;
  return -1;
}

void MassFactor::find_mixed() {
  mixed_.clear();
  for (std::size_t k = 0; k < groups_.size(); ++k)
    if (groups_[k].alone < static_cast<int>(groups_[k].component.size()))
      mixed_.push_back(static_cast<int>(k));
}

int MassFactor::make(const BlockMatrix& matrix) {
  made_ = false;
  if (join(matrix)) make_groups();
  for (Group& g : groups_)
    if (g.coupled) {
      std::fill_n(factor_.begin() + static_cast<std::ptrdiff_t>(g.at),
                  g.component.size() * (g.component.size() + 1), 0.0);
      g.changed = true;
    }
  for (int k = 0; k < pattern_->primal_count(); ++k) {
    const auto first = static_cast<std::size_t>(pattern_->primal_offset[static_cast<std::size_t>(k)]);
    Group& g = groups_[static_cast<std::size_t>(group_of_[first])];
    if (take(matrix.H(k), g, place_of_[first])) g.changed = true;
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
  bool factorised = false;
  for (Group& g : groups_) {
    if (!g.changed) continue;
    const int wrong = factorise(g);
    if (wrong >= 0) return g.block[static_cast<std::size_t>(wrong)];
    g.changed = false;
    for (int i = 0; i < static_cast<int>(g.component.size()); ++i)
      inverse_root_[static_cast<std::size_t>(g.component[static_cast<std::size_t>(i)])] =
          i < g.alone ? factor_[g.at + static_cast<std::size_t>(i) * (g.component.size() + 2)] : 1.0;
    factorised = true;
  }
  if (factorised) find_mixed();
  made_ = true;
  return -1;
}

namespace {

// y(i): the components of a group, of which the first `alone` are done.
template <class Component>
void solve_group(const double* L, int n, int alone, const Component& y) {
  const int width = n + 1;
  for (int i = alone; i < n; ++i) {
    double sum = y(i);
    for (int j = alone; j < i; ++j) sum -= L[i * width + j] * y(j);
    y(i) = sum * L[i * width + i];
  }
  for (int i = n - 1; i >= alone; --i) {
    double sum = y(i);
    for (int j = i + 1; j < n; ++j) sum -= L[j * width + i] * y(j);
    y(i) = sum * L[i * width + i];
  }
}

}  // namespace

void MassFactor::solve(double* x) const {
  const double* const root = inverse_root_.data();
  const std::size_t n = inverse_root_.size();
  for (std::size_t k = 0; k < n; ++k) x[k] = x[k] * root[k] * root[k];
  for (const int k : mixed_) {
    const Group& g = groups_[static_cast<std::size_t>(k)];
    const double* const L = factor_.data() + g.at;
    const int size = static_cast<int>(g.component.size());
    if (g.first >= 0 && size == 6 && g.alone == 3)  // of most bodies; compilers unroll it
      solve_group(L, 6, 3, [own = x + g.first](int i) -> double& { return own[i]; });
    else if (g.first >= 0)
      solve_group(L, size, g.alone, [own = x + g.first](int i) -> double& { return own[i]; });
    else
      solve_group(L, size, g.alone,
                  [&](int i) -> double& { return x[g.component[static_cast<std::size_t>(i)]]; });
  }
}

}  // namespace catena::detail
