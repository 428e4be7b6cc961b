// Block matrix -> compressed sparse columns, for libraries without blocks: positions are computed once a pattern,
// numbers are then written in place.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <cstdint>
#include <vector>

namespace catena::detail {

// Blocks in the numbering used here: primal blocks 0 .. primal_count()-1, then dual blocks.
using BlockOrder = std::vector<int>;

class CscMap {
 public:
  enum class Part : std::uint8_t { full, upper, lower };  // triangles include the diagonal

  CscMap() = default;
  // order: block at every place of the CSC matrix, empty: as numbered. Rows of a column are sorted. The
  // diagonal of D is always present, so that a zero pivot can be replaced without a new pattern.
  explicit CscMap(const BlockPattern& pattern, Part part = Part::full, const BlockOrder& order = {});

  int dimension() const { return static_cast<int>(column_.size()) - 1; }
  int nonzeros() const { return column_.empty() ? 0 : column_.back(); }
  const std::vector<int>& column() const { return column_; }  // dimension + 1 pointers
  const std::vector<int>& row() const { return row_; }
  // Place of unknown i of the block matrix in the CSC matrix.
  const std::vector<int>& place() const { return place_; }

  // Writes nonzeros() values of [H B; C -(D + proximal)]; allocates nothing. symmetric_part: H is taken as
  // (H + H^T)/2, which a triangle always does.
  void fill(const BlockMatrix& matrix, double* values, bool symmetric_part) const;

 private:
  enum class Kind : std::uint8_t { diagonal, upper, lower, C, B };
  struct Place {
    Kind kind;
    int block;  // primal block, coupling or incidence
    int start;  // index in column_start_: one value position per column of the block in the CSC matrix
  };

  Part part_ = Part::full;
  std::vector<int> column_, row_, place_;
  std::vector<Place> places_;
  std::vector<int> column_start_;
  std::vector<int> dual_diagonal_;
};

// Elimination order for factorisations without pivoting: a row block after all its bodies, except that
// bodies with very many joints (hubs) come last; fill reduced by constrained minimum degree (CAMD).
// Safe when H is positive definite and the rows are independent. For block diagonal H: where bodies are
// coupled in chains the remaining rows are dense; choose_ordering avoids that.
BlockOrder bodies_first_order(const BlockPattern& pattern);

}  // namespace catena::detail
