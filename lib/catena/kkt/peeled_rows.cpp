#include <catena/kkt/detail/peeled_rows.hpp>
#include <catena/math/detail/index.hpp>

#include <cmath>

namespace catena::detail {
namespace {

constexpr double least_part = 1e-2;

class Peeler {
 public:
  Peeler(const BlockMatrix& matrix, const std::vector<double>& scale)
      : matrix_(matrix),
        pattern_(matrix.pattern()),
        scale_(scale),
        rows_left_(index(pattern_.primal_count()), 0) {
    for (const auto& [dual, primal] : pattern_.incidences)
      rows_left_[index(primal)] += pattern_.dual_size[index(dual)];
    by_primal_ = sorted([](const BlockPattern::Incidence& k) { return k.primal; }, pattern_.primal_count());
    by_dual_ = sorted([](const BlockPattern::Incidence& k) { return k.dual; }, pattern_.dual_count());
    find_lengths();
  }

  bool operator()() {
    int left = pattern_.dual_count();
    std::vector<char> removed(index(left), 0);
    std::vector<int> waiting;
    for (int p = pattern_.primal_count() - 1; p >= 0; --p) waiting.push_back(p);
    while (left > 0 && !waiting.empty()) {
      const int p = waiting.back();
      waiting.pop_back();
      if (rows_left_[index(p)] == 0 || rows_left_[index(p)] > pattern_.primal_size[index(p)]) continue;
      if (!independent_in(p, removed)) continue;
      for (const int k : by_primal_[p]) {
        const int dual = pattern_.incidences[index(k)].dual;
        if (removed[index(dual)] != 0) continue;
        removed[index(dual)] = 1;
        --left;
        for (const int other : by_dual_[dual]) {
          const int q = pattern_.incidences[index(other)].primal;
          rows_left_[index(q)] -= pattern_.dual_size[index(dual)];
          if (q != p) waiting.push_back(q);
        }
      }
    }
    return left == 0;
  }

 private:
  // Numbers of incidences, grouped.
  struct Groups {
    std::vector<int> first, members;
    struct Range {
      const int *from, *to;
      const int* begin() const { return from; }
      const int* end() const { return to; }
    };
    Range operator[](int g) const {
      return {members.data() + first[index(g)], members.data() + first[index(g) + 1]};
    }
  };
  template <class GroupOf>
  Groups sorted(const GroupOf& group_of, int count) const {
    Groups groups{std::vector<int>(index(count) + 1, 0), std::vector<int>(pattern_.incidences.size())};
    for (const BlockPattern::Incidence& k : pattern_.incidences) ++groups.first[index(group_of(k)) + 1];
    for (std::size_t g = 1; g < groups.first.size(); ++g) groups.first[g] += groups.first[g - 1];
    std::vector<int> next = groups.first;
    for (std::size_t k = 0; k < pattern_.incidences.size(); ++k)
      groups.members[index(next[index(group_of(pattern_.incidences[k]))]++)] = static_cast<int>(k);
    return groups;
  }

  double entry(const ConstBlockRef& block, int row, int column, int primal) const {
    return block(row, column) * scale_[index(pattern_.primal_offset[index(primal)] + column)];
  }

  // Squares of the lengths of whole rows.
  void find_lengths() {
    square_.assign(index(pattern_.dual_dimension), 0.0);
    for (std::size_t k = 0; k < pattern_.incidences.size(); ++k) {
      const auto [dual, primal] = pattern_.incidences[k];
      const ConstBlockRef C = matrix_.C(static_cast<int>(k));
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.cols; ++j) {
          const double c = entry(C, i, j, primal);
          square_[index(row_of(dual) + i)] += c * c;
        }
    }
  }
  int row_of(int dual) const { return pattern_.dual_offset[index(dual)] - pattern_.primal_dimension; }

  // Gram-Schmidt on the remaining rows in the columns of p. A number that is not finite fails.
  bool independent_in(int p, const std::vector<char>& removed) {
    const int n = pattern_.primal_size[index(p)];
    basis_.clear();
    for (const int k : by_primal_[p]) {
      const int dual = pattern_.incidences[index(k)].dual;
      if (removed[index(dual)] != 0) continue;
      const ConstBlockRef C = matrix_.C(k);
      for (int i = 0; i < C.rows; ++i) {
        const std::size_t before = basis_.size();
        for (int j = 0; j < n; ++j) basis_.push_back(entry(C, i, j, p));
        double* row = basis_.data() + before;
        for (std::size_t b = 0; b < before; b += index(n)) {
          const double* unit = basis_.data() + b;
          double along = 0.0;
          for (int j = 0; j < n; ++j) along += unit[j] * row[j];
          for (int j = 0; j < n; ++j) row[j] -= along * unit[j];
        }
        double square = 0.0;
        for (int j = 0; j < n; ++j) square += row[j] * row[j];
        if (!(square > least_part * least_part * square_[index(row_of(dual) + i)]) || !std::isfinite(square))
          return false;
        for (int j = 0; j < n; ++j) row[j] /= std::sqrt(square);
      }
    }
    return true;
  }

  const BlockMatrix& matrix_;
  const BlockPattern& pattern_;
  const std::vector<double>& scale_;
  std::vector<int> rows_left_;  // of each primal block
  Groups by_primal_, by_dual_;
  std::vector<double> square_, basis_;
};

}  // namespace

bool rows_peel_off(const BlockMatrix& matrix, const std::vector<double>& scale) {
  return Peeler(matrix, scale)();
}

}  // namespace catena::detail
