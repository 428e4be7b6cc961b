#include <catena/math/detail/isa_copies.hpp>
#include <catena/sparse/detail/block_lanes.hpp>

#include <algorithm>
#include <iterator>

namespace catena::detail {

CATENA_ISA_COPIES(block_lane_table, extern const BlockLaneTable block_lane_table)

const BlockLaneTable& block_lane_functions() { return *block_lane_table_at(instruction_set()); }

BlockLanes::BlockLanes(const BlockPattern& p) {
  constexpr unsigned width = BlockMatrix::stride;
  const LaneLayout layout = MatrixLayout(p).incidence;
  std::vector<int> number(layout.size / width, -1);  // of the group that begins there
  std::vector<char> norms;                           // of each group: all of its rows are norms
  for (std::size_t k = 0; k < layout.offset.size(); ++k) {
    const auto dual = static_cast<std::size_t>(p.incidences[k].dual),
               primal = static_cast<std::size_t>(p.incidences[k].primal);
    const int row = p.dual_offset[dual] - p.primal_dimension, col = p.primal_offset[primal];
    const std::uint32_t lane = layout.offset[k] % width, at = layout.offset[k] - lane;
    int& of = number[at / width];
    if (of < 0) {
      of = static_cast<int>(groups_.size());
      norms.push_back(1);
      LaneBlocks& group = groups_.emplace_back();
      group.at = at;
      group.rows = p.dual_size[dual];
      group.cols = p.primal_size[primal];
      group.split = true;
      std::fill(std::begin(group.row_at), std::end(group.row_at), row);
      std::fill(std::begin(group.col_at), std::end(group.col_at), col);
    }
    LaneBlocks& group = groups_[static_cast<std::size_t>(of)];
    group.used |= 1U << lane;
    group.split = group.split && !p.incidence_split.empty() && p.incidence_split[k] != 0;
    group.row_at[lane] = row;
    group.col_at[lane] = col;
    if (!p.is_norm(p.incidences[k].dual)) norms[static_cast<std::size_t>(of)] = 0;
  }
  // Norms see the last four of seven columns alone.
  constexpr int unseen = 3;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (norms[g] == 0) continue;
    LaneBlocks& group = groups_[g];
    group.at += width * unseen;
    group.cols -= unseen;
    for (int& col : group.col_at) col += unseen;
  }
}

void BlockLanes::add_C(const BlockMatrix& matrix, const double* x, double factor, double* out) const {
  for (const LaneBlocks& g : groups_) functions_->multiply(g, matrix.C_pool(), x, factor, out);
}

void BlockLanes::add_B(const BlockMatrix& matrix, const double* lambda, double factor, double* out) const {
  for (const LaneBlocks& g : groups_)
    functions_->multiply_transposed(g, matrix.Bt_pool(), lambda, factor, out);
}

void BlockLanes::add_C_transposed(const BlockMatrix& matrix, const double* lambda, double factor,
                                  double* out) const {
  for (const LaneBlocks& g : groups_)
    functions_->multiply_transposed(g, matrix.C_pool(), lambda, factor, out);
}

void BlockLanes::add_squares_of_C(const BlockMatrix& matrix, const double* per, double factor,
                                  double* out) const {
  for (const LaneBlocks& g : groups_) functions_->add_squares(g, matrix.C_pool(), per, factor, out);
}

}  // namespace catena::detail
