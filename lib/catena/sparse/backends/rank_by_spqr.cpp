#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>
#include <catena/sparse/backends/detail/spqr_view.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

using Index = SuiteSparse_long;

// What SuiteSparseQR gives, and gives back.
struct Factors {
  cholmod_common common{};
  cholmod_sparse* R = nullptr;
  Index* E = nullptr;
  std::size_t columns = 0;

  Factors() {
    cholmod_l_start(&common);
    common.print = 0;
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    if (E != nullptr) cholmod_l_free(columns, sizeof(Index), E, &common);
    cholmod_l_free_sparse(&R, &common);
    cholmod_l_finish(&common);
  }
};

}  // namespace

std::optional<RankTriangle> spqr_triangle(const SparseColumns& matrix, double tolerance) {
  std::vector<Index> start(matrix.start.begin(), matrix.start.end()),
      row(matrix.row.begin(), matrix.row.end());
  std::vector<double> value = matrix.value;
  cholmod_sparse a = spqr_view(index(matrix.rows), start, row, value);
  Factors factors;
  factors.columns = a.ncol;
  if (SuiteSparseQR<double>(SPQR_ORDERING_DEFAULT, tolerance, 0, &a, &factors.R, &factors.E,
                            &factors.common) < 0)
    return std::nullopt;
  const cholmod_sparse& R = *factors.R;
  const Index *from = static_cast<const Index*>(R.p), *at = static_cast<const Index*>(R.i);
  const double* x = static_cast<const double*>(R.x);
  RankTriangle t;
  t.R.rows = static_cast<int>(R.nrow);
  t.R.start.assign(from, from + a.ncol + 1);
  t.R.row.assign(at, at + from[a.ncol]);
  t.R.value.assign(x, x + from[a.ncol]);
  for (Index j = 0; j < static_cast<Index>(a.ncol); ++j) {
    t.original.push_back(static_cast<int>(factors.E == nullptr ? j : factors.E[j]));
    Index last = -1;
    for (Index k = from[j]; k < from[j + 1]; ++k) last = std::max(last, at[k]);
    (last == static_cast<Index>(t.live.size()) ? t.live : t.dead).push_back(static_cast<int>(j));
  }
  return t;
}

}  // namespace catena::detail
