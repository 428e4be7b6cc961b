#include <catena/kkt/detail/redundant_pivot.hpp>
#include <catena/math/detail/index.hpp>

#include <vector>

namespace catena::detail {
namespace {

double weakest_pivot(KktSolver& kkt) {
  KktReport report = kkt.factorize();
  kkt.find_weakest_row(report);
  return report.weakest_dual_ratio;
}

// The rows of `from` beside masses with which every body has the same kinetic energy, for velocities of the size of its scales.
void write_even(const std::vector<double>& scale, const BlockMatrix& from, BlockMatrix& to) {
  const BlockPattern& p = from.pattern();
  to.set_zero();
  for (int k = 0; k < p.primal_count(); ++k) {
    const BlockRef H = to.H(k);
    for (int i = 0; i < H.rows; ++i) {
      const double unit = scale[index(p.primal_offset[index(k)] + i)];
      H(i, i) = 1.0 / (unit * unit);
    }
  }
  const auto copy = [](const ConstBlockRef& x, const BlockRef& y) {
    for (int i = 0; i < x.rows; ++i)
      for (int j = 0; j < x.cols; ++j) y(i, j) = x(i, j);
  };
  for (int k = 0; k < static_cast<int>(p.incidences.size()); ++k) {
    copy(from.C(k), to.C(k));
    if (from.border() == Border::separate) copy(from.Bt(k), to.Bt(k));
  }
}

}  // namespace

// The pivot of a redundant row is what the proximal terms of all rows in the dependency make of it, over the scale of this one.
// Levers and slender bodies make it more than suspicious_ratio terms; it then grows as they do, which that of rows that hardly
// differ does not.
bool has_redundant_rows(KktSolver& kkt, const KktReport& index_1) {
  const double proximal = kkt.proximal();
  if (index_1.weakest_dual < 0 || !(index_1.weakest_dual_ratio < slender_ratio * proximal)) return false;
  if (index_1.weakest_dual_ratio < suspicious_ratio * proximal) return true;
  constexpr double factor = 16.0;
  kkt.update_proximal();
  const double before = weakest_pivot(kkt);
  kkt.scale_proximal(factor);
  const double after = weakest_pivot(kkt);
  kkt.scale_proximal(1.0 / factor);
  kkt.factorize();
  return after > 0.5 * factor * before;  // more than half of it is the proximal term
}

bool is_weak_by_masses(const KktSolver& kkt) {
  KktSolver even = kkt.sibling();
  write_even(kkt.system().layout().scale, kkt.matrix(), even.matrix());
  even.update_proximal();
  return weakest_pivot(even) >= slender_ratio * kkt.proximal();
}

}  // namespace catena::detail
