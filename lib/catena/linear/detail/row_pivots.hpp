// How far each constraint is from being redundant: the sizes of the pivots of its rows.
#pragma once
#include <catena/system/system.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

// With S = G M^-1 G^T, the pivot of row i when it is eliminated behind all others is 1 / (S^-1)_ii. Over S_ii it is the part of
// the row, squared, that is independent of all other rows: 1 where no other constraint pushes the same way, 0 for a redundant
// row. S_ii (1 + 1e-12) in place of S_ii keeps it above 1e-12, as the proximal term of KktSolver does.
class RowPivots {
 public:
  explicit RowPivots(const System& system);  // which outlives it
  ~RowPivots();

  // The smallest of the rows of each dual block of the layout. Empty where the rows have no such numbers: of a matrix that is
  // not finite, or that would take more than `most_operations`.
  std::vector<double> operator()(const State& state, double most_operations);

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace catena::detail
