// The blocks C and B of a BlockMatrix eight at a time, for products with all of them outside of a factorisation: blocks of one
// shape that lie side by side in their pool are read as packs, and what they give is added lane by lane, in one order for
// any instruction set.
#pragma once
#include <catena/sparse/detail/block_lane_kernels.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <vector>

namespace catena::detail {

class BlockLanes {
 public:
  explicit BlockLanes(const BlockPattern& pattern);

  // out += factor C x, x [v_size], out [lambda_size]
  void add_C(const BlockMatrix& matrix, const double* x, double factor, double* out) const;
  // out += factor B lambda, lambda [lambda_size], out [v_size]
  void add_B(const BlockMatrix& matrix, const double* lambda, double factor, double* out) const;
  // out += factor C^T lambda
  void add_C_transposed(const BlockMatrix& matrix, const double* lambda, double factor, double* out) const;
  // out_r += factor sum_j C_rj^2 per_j, per [v_size], out [lambda_size]
  void add_squares_of_C(const BlockMatrix& matrix, const double* per, double factor, double* out) const;

 private:
  const BlockLaneTable* functions_ = &block_lane_functions();
  std::vector<LaneBlocks> groups_;  // in the order of their first incidences
};

}  // namespace catena::detail
