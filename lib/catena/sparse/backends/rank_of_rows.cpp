#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/spqr.hpp>

#include <SuiteSparseQR.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace catena::detail {
namespace {

using Index = SuiteSparse_long;

// C^T by columns, one column per row of C, each of length 1 (empty rows stay empty).
struct Transposed {
  std::vector<Index> column, row;
  std::vector<double> values;
  std::vector<double> length;  // of the rows of C
};

Transposed scaled_rows(const BlockMatrix& matrix) {
  const BlockPattern& p = matrix.pattern();
  std::vector<std::vector<int>> of_dual(index(p.dual_count()));
  for (std::size_t k = 0; k < p.incidences.size(); ++k)
    of_dual[index(p.incidences[k].dual)].push_back(static_cast<int>(k));
  Transposed t;
  t.column.push_back(0);
  for (int d = 0; d < p.dual_count(); ++d) {
    auto& list = of_dual[index(d)];
    std::sort(list.begin(), list.end(),
              [&](int a, int b) { return p.incidences[index(a)].primal < p.incidences[index(b)].primal; });
    for (int i = 0; i < p.dual_size[index(d)]; ++i) {
      double largest = 0.0, sum = 0.0;  // in two passes, so that no square overflows
      for (const int k : list)
        for (int j = 0; j < matrix.C(k).cols; ++j) largest = std::max(largest, std::fabs(matrix.C(k)(i, j)));
      for (const int k : list)
        for (int j = 0; j < matrix.C(k).cols && largest > 0.0; ++j)
          sum += (matrix.C(k)(i, j) / largest) * (matrix.C(k)(i, j) / largest);
      for (const int k : list)
        for (int j = 0; j < matrix.C(k).cols && largest > 0.0; ++j) {
          t.row.push_back(p.primal_offset[index(p.incidences[index(k)].primal)] + j);
          t.values.push_back(matrix.C(k)(i, j) / largest / std::sqrt(sum));
        }
      t.column.push_back(static_cast<Index>(t.row.size()));
      t.length.push_back(largest * std::sqrt(sum));
    }
  }
  return t;
}

// R of a rank-revealing QR with its column permutation. A column is live when it ends in a new row.
struct Triangle {
  cholmod_common common{};
  cholmod_sparse* R = nullptr;
  Index* E = nullptr;
  std::vector<Index> live, dead;

  Triangle() {
    cholmod_l_start(&common);
    common.print = 0;
  }
  Triangle(const Triangle&) = delete;
  Triangle& operator=(const Triangle&) = delete;
  ~Triangle() {
    if (E != nullptr) cholmod_l_free(index(columns), sizeof(Index), E, &common);
    cholmod_l_free_sparse(&R, &common);
    cholmod_l_finish(&common);
  }
  bool compute(Transposed& t, int rows, double tolerance) {
    columns = static_cast<Index>(t.column.size()) - 1;
    cholmod_sparse a{};
    a.nrow = index(rows);
    a.ncol = index(columns);
    a.nzmax = t.row.size();
    a.p = t.column.data();
    a.i = t.row.data();
    a.x = t.values.data();
    a.itype = CHOLMOD_LONG;
    a.xtype = CHOLMOD_REAL;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = a.packed = 1;
    if (SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, 0, &a, &R, &E, &common) < 0) return false;
    const Index *start = static_cast<const Index*>(R->p), *row = static_cast<const Index*>(R->i);
    for (Index j = 0; j < columns; ++j) {
      Index last = -1;
      for (Index k = start[j]; k < start[j + 1]; ++k) last = std::max(last, row[k]);
      (last == static_cast<Index>(live.size()) ? live : dead).push_back(j);
    }
    return true;
  }
  // Null vector of R in which the dead column j has weight 1, scattered to the original numbering.
  void null_vector(Index j, std::vector<double>& y) const {
    const Index *start = static_cast<const Index*>(R->p), *row = static_cast<const Index*>(R->i);
    const double* x = static_cast<const double*>(R->x);
    std::vector<double> w(live.size(), 0.0);
    std::fill(y.begin(), y.end(), 0.0);
    for (Index k = start[j]; k < start[j + 1]; ++k)
      if (row[k] < static_cast<Index>(w.size())) w[index(row[k])] = x[k];
    for (std::size_t r = live.size(); r-- > 0;) {
      if (w[r] == 0.0) continue;
      const Index c = live[r];
      double diagonal = 0.0;
      for (Index k = start[c]; k < start[c + 1]; ++k)
        if (row[k] == static_cast<Index>(r)) diagonal = x[k];
      const double z = w[r] / diagonal;
      for (Index k = start[c]; k < start[c + 1]; ++k) w[index(row[k])] -= x[k] * z;
      y[index(original(c))] = -z;
    }
    y[index(original(j))] = 1.0;
  }

 private:
  Index original(Index c) const { return E == nullptr ? c : E[c]; }
  Index columns = 0;
};

}  // namespace

RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options) {
  const BlockPattern& p = matrix.pattern();
  RankReport report;
  report.rows = report.rank = p.dual_dimension;
  Transposed t = scaled_rows(matrix);
  double sum = 0.0;
  for (const double v : t.values) sum += 0.0 * v;
  if (!(sum == 0.0)) return report;
  report.computed = true;
  if (p.dual_dimension == 0) return report;
  Triangle triangle;
  report.computed = triangle.compute(t, p.primal_dimension, options.tolerance);
  if (!report.computed) return report;
  report.rank = static_cast<int>(triangle.live.size());

  // Null vectors that share a block belong to one dependency: join their blocks.
  std::vector<int> parent(index(p.dual_count())), deficiency(index(p.dual_count()), 0);
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int d) {
    while (parent[index(d)] != d) d = parent[index(d)] = parent[index(parent[index(d)])];
    return d;
  };
  std::vector<char> involved(index(p.dual_count()), 0);
  std::vector<int> one_of;
  std::vector<double> y(index(p.dual_dimension));
  for (const Index j : triangle.dead) {
    triangle.null_vector(j, y);
    if (static_cast<int>(report.null_vectors.size()) < options.vectors) {
      std::vector<double>& kept = report.null_vectors.emplace_back(y);
      for (std::size_t i = 0; i < kept.size(); ++i)
        if (t.length[i] > 0.0) kept[i] /= t.length[i];
    }
    double norm = 0.0;
    for (const double v : y) norm += v * v;
    int first = -1;
    for (int d = 0; d < p.dual_count(); ++d) {
      double share = 0.0;
      for (int i = 0; i < p.dual_size[index(d)]; ++i) {
        const double v = y[index(p.dual_offset[index(d)] - p.primal_dimension + i)];
        share += v * v;
      }
      if (share <= options.weight * options.weight * norm) continue;
      involved[index(d)] = 1;
      if (first < 0)
        first = d;
      else
        parent[index(root(d))] = root(first);
    }
    one_of.push_back(first);
  }
  for (const int d : one_of) ++deficiency[index(root(d))];
  std::vector<int> number(index(p.dual_count()), -1);
  for (int d = 0; d < p.dual_count(); ++d) {
    if (involved[index(d)] == 0) continue;
    int& n = number[index(root(d))];
    if (n < 0) {
      n = static_cast<int>(report.dependencies.size());
      report.dependencies.push_back({deficiency[index(root(d))], {}});
    }
    report.dependencies[index(n)].duals.push_back(d);
  }
  return report;
}

}  // namespace catena::detail
