#include <catena/sparse/backends/detail/locate.hpp>

#include <cmath>

namespace catena::detail {
namespace {

bool finite(const ConstBlockRef& b) {
  for (int i = 0; i < b.rows; ++i)
    for (int j = 0; j < b.cols; ++j)
      if (!std::isfinite(b(i, j))) return false;
  return true;
}

bool finite(const double* v, int n) {
  for (int i = 0; i < n; ++i)
    if (!std::isfinite(v[i])) return false;
  return true;
}

}  // namespace

void locate(const BlockPattern& p, int unknown, FactorReport& report) {
  report.culprit = -1;
  if (unknown < 0 || unknown >= p.dimension()) return;
  report.culprit_is_dual = unknown >= p.primal_dimension;
  report.culprit = p.block_of(unknown);
}

FactorReport find_not_finite(const BlockMatrix& matrix, const std::vector<double>& values) {
  FactorReport report;
  double sum = 0.0;  // 0 x NaN and 0 x Inf are NaN
  for (const double v : values) sum += 0.0 * v;
  if (sum == 0.0) return report;
  report.status = FactorStatus::not_finite;
  const BlockPattern& p = matrix.pattern();
  for (int d = 0; d < p.dual_count(); ++d) {
    const int rows = p.dual_size[static_cast<std::size_t>(d)];
    if (finite(matrix.D(d), rows) && finite(matrix.proximal(d), rows)) continue;
    report.culprit_is_dual = true;
    report.culprit = d;
    return report;
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    if (finite(matrix.C(static_cast<int>(k))) && finite(matrix.Bt(static_cast<int>(k)))) continue;
    report.culprit_is_dual = true;
    report.culprit = p.incidences[k].dual;
    return report;
  }
  for (int b = 0; b < p.primal_count(); ++b)
    if (!finite(matrix.H(b))) {
      report.culprit = b;
      return report;
    }
  for (std::size_t k = 0; k < p.couplings.size(); ++k)
    if (!finite(matrix.H_upper(static_cast<int>(k))) || !finite(matrix.H_lower(static_cast<int>(k)))) {
      report.culprit = p.couplings[k].i;
      return report;
    }
  return report;
}

}  // namespace catena::detail
