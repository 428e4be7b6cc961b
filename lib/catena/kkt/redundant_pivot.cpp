#include <catena/kkt/detail/redundant_pivot.hpp>

namespace catena::detail {
namespace {

double weakest_pivot(KktSolver& kkt) {
  KktReport report = kkt.factorize();
  kkt.find_weakest_row(report);
  return report.weakest_dual_ratio;
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

}  // namespace catena::detail
