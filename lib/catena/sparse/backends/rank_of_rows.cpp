#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace catena::detail {
namespace {

// C^T, one column per row of C, each of length 1 (empty rows stay empty).
struct ScaledRows {
  SparseColumns transposed;
  std::vector<double> length;  // of the rows of C
};

ScaledRows scaled_rows(const BlockMatrix& matrix) {
  const BlockPattern& p = matrix.pattern();
  std::vector<std::vector<int>> of_dual(index(p.dual_count()));
  for (std::size_t k = 0; k < p.incidences.size(); ++k)
    of_dual[index(p.incidences[k].dual)].push_back(static_cast<int>(k));
  ScaledRows scaled;
  SparseColumns& t = scaled.transposed;
  t.rows = p.primal_dimension;
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
          t.value.push_back(matrix.C(k)(i, j) / largest / std::sqrt(sum));
        }
      t.start.push_back(static_cast<int>(t.row.size()));
      scaled.length.push_back(largest * std::sqrt(sum));
    }
  }
  return scaled;
}

// Null vector of R in which the dead column j has weight 1, scattered to the original numbering.
void null_vector(const RankTriangle& t, int j, std::vector<double>& y) {
  const std::vector<int>&start = t.R.start, &row = t.R.row;
  const std::vector<double>& x = t.R.value;
  std::vector<double> w(t.live.size(), 0.0);
  std::fill(y.begin(), y.end(), 0.0);
  for (int k = start[index(j)]; k < start[index(j) + 1]; ++k)
    if (row[index(k)] < static_cast<int>(w.size())) w[index(row[index(k)])] = x[index(k)];
  for (std::size_t r = t.live.size(); r-- > 0;) {
    if (w[r] == 0.0) continue;
    const int c = t.live[r];
    double diagonal = 0.0;
    for (int k = start[index(c)]; k < start[index(c) + 1]; ++k)
      if (row[index(k)] == static_cast<int>(r)) diagonal = x[index(k)];
    const double z = w[r] / diagonal;
    for (int k = start[index(c)]; k < start[index(c) + 1]; ++k) w[index(row[index(k)])] -= x[index(k)] * z;
    y[index(t.original[index(c)])] = -z;
  }
  y[index(t.original[index(j)])] = 1.0;
}

}  // namespace

RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options) {
#ifdef CATENA_HAS_CHOLMOD
  return rank_of_rows(matrix, options, spqr_triangle);
#else
  return rank_of_rows(matrix, options, rotations_triangle);
#endif
}

RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options, RankFactorisation factorise) {
  const BlockPattern& p = matrix.pattern();
  RankReport report;
  report.rows = report.rank = p.dual_dimension;
  const ScaledRows scaled = scaled_rows(matrix);
  double sum = 0.0;
  for (const double v : scaled.transposed.value) sum += 0.0 * v;
  if (!(sum == 0.0)) return report;
  report.computed = true;
  if (p.dual_dimension == 0) return report;
  const std::optional<RankTriangle> triangle = factorise(scaled.transposed, options.tolerance);
  report.computed = triangle.has_value();
  if (!triangle) return report;
  report.rank = static_cast<int>(triangle->live.size());

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
  for (const int j : triangle->dead) {
    null_vector(*triangle, j, y);
    if (static_cast<int>(report.null_vectors.size()) < options.vectors) {
      std::vector<double>& kept = report.null_vectors.emplace_back(y);
      for (std::size_t i = 0; i < kept.size(); ++i)
        if (scaled.length[i] > 0.0) kept[i] /= scaled.length[i];
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
