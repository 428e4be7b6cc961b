#include <catena/kkt/detail/mass_defect.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {

std::optional<Asymmetry> asymmetry_of_mass(const BlockMatrix& matrix) {
  // Sums of products in another order differ by less; a forgotten entry or sign differs by the size of the entry.
  constexpr double roundoff = 1e-9;
  // Of the largest entry of all: a diagonal that vanishes may have roundoff of others beside it.
  constexpr double nothing = 1e-15;
  const BlockPattern& p = matrix.pattern();
  std::optional<Asymmetry> worst;
  double most = roundoff, largest = 0.0;
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = matrix.H(k);
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j < H.cols; ++j) largest = std::max(largest, std::abs(H(i, j)));
  }
  const auto compare = [&](int row, int column, double entry, double mirrored, double diagonals) {
    const double size = std::max({std::abs(entry), std::abs(mirrored), std::sqrt(std::abs(diagonals))});
    const double difference = std::abs(entry - mirrored);
    if (!(difference > most * size) || !(difference > nothing * largest)) return;
    most = difference / size;
    worst = {row, column, entry, mirrored};
  };
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = matrix.H(k);
    const int first = p.primal_offset[index(k)];
    for (int i = 0; i < H.rows; ++i)
      for (int j = i + 1; j < H.cols; ++j) compare(first + i, first + j, H(i, j), H(j, i), H(i, i) * H(j, j));
  }
  for (std::size_t c = 0; c < p.couplings.size(); ++c) {
    const auto [a, b] = std::pair{p.couplings[c].i, p.couplings[c].j};
    const ConstBlockRef upper = matrix.H_upper(static_cast<int>(c)),
                        lower = matrix.H_lower(static_cast<int>(c));
    const ConstBlockRef Ha = matrix.H(a), Hb = matrix.H(b);
    for (int i = 0; i < upper.rows; ++i)
      for (int j = 0; j < upper.cols; ++j)
        compare(p.primal_offset[index(a)] + i, p.primal_offset[index(b)] + j, upper(i, j), lower(j, i),
                Ha(i, i) * Hb(j, j));
  }
  return worst;
}

std::string defect_of_mass(const System& system, const State& state) {
  KktSolver kkt;
  if (!kkt.attach(system, {}).empty()) return {};  // which attach() of the stepper says
  kkt.matrix().set_zero();
  evaluate_mass_and_rows(system, point_of(state), kkt.matrix());
  const std::string name = system.layout().pattern->primal_count() == 1
                               ? "the mass matrix of " + system.velocity_block_name(0)
                               : "the mass matrix";
  if (const std::optional<Asymmetry> found = asymmetry_of_mass(std::as_const(kkt).matrix()))
    return name +
           printed(" is not symmetric: its entry (%d, %d), counted from 0, is %.6g, and (%d, %d) is %.6g",
                   found->row, found->column, found->entry, found->column, found->row, found->mirrored);
  kkt.update_proximal();
  const KktReport report = kkt.factorize();
  if (report.status != Status::ok || !report.indefinite) return {};
  const BlockPattern& p = *system.layout().pattern;
  std::string why = name + " is not positive definite";
  if (p.dual_dimension > 0) why += " for the velocities that the rows allow";
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = std::as_const(kkt).matrix().H(k);
    for (int i = 0; i < H.rows; ++i)
      if (H(i, i) < 0.0) {
        const int at = p.primal_offset[index(k)] + i;
        return why + printed(": its entry (%d, %d), counted from 0, is %.6g", at, at, H(i, i));
      }
  }
  return why + ": some velocities have a negative kinetic energy";
}

}  // namespace catena::detail
