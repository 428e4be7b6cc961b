// Products with up to eight blocks of a matrix at once, by the instruction set that this machine has.
#pragma once
#include <cstdint>

namespace catena::detail {

// Up to eight blocks of one shape, which belong to rows of constraints and to bodies; of norms the four columns that they see. row_at, col_at: their first row and
// column, of [lambda_size] and [v_size]. used: one bit a lane; the others repeat numbers of one that is. split: what
// BlockPattern::incidence_split says of each of them.
struct LaneBlocks {
  std::uint32_t at = 0;  // offset of the first entry of lane 0
  int rows = 0, cols = 0;
  unsigned used = 0;
  bool split = false;
  int row_at[8] = {}, col_at[8] = {};
};

struct BlockLaneTable {
  // out += factor A x, or with A^T
  void (*multiply)(const LaneBlocks&, const double* pool, const double* x, double factor, double* out);
  void (*multiply_transposed)(const LaneBlocks&, const double* pool, const double* x, double factor,
                              double* out);
  // out_r += factor sum_j A_rj^2 per_j
  void (*add_squares)(const LaneBlocks&, const double* pool, const double* per, double factor, double* out);
};

const BlockLaneTable& block_lane_functions();

}  // namespace catena::detail
