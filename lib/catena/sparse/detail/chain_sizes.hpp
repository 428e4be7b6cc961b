// What the elimination of a chain keeps, and where: of a place, of what a segment leaves, and of a node. Included by *.isa.cpp
// files only.
#pragma once
#include <catena/sparse/detail/chain_matrices.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

// rows: of a joint; split, symmetric: see ChainPlan.
template <int rows, bool split, bool symmetric>
struct Sizes {
  static constexpr int m = rows, n = split ? 3 : 6,
                       first = 6 - n;  // columns first ... 5 are eliminated as a matrix
  static constexpr int square = m * m, strict = m * (m - 1) / 2,
                       whole = symmetric ? m * (m + 1) / 2 : square;  // a block on the diagonal
  static constexpr int lower = 0, upper = symmetric ? 0 : 1, sides = upper + 1;
  // Entries of a place: of both sides, then of each; these count from the beginning of their side.
  static constexpr int body_d = 0, mass = body_d + n, joint_d = mass + (split ? 1 : 0), value = joint_d + m,
                       shared = value + m;
  static constexpr int body_L = 0, before = body_L + n * (n - 1) / 2, after = before + m * n,
                       over = after + m * n, joint_L = over + (split ? 2 : 0), to_next = joint_L + strict,
                       to_node = to_next + square, side = to_node + square;
  static constexpr int place = shared + sides * side;
  static constexpr int at(int of_side, int entry) { return shared + of_side * side + entry; }
  // Of what a segment leaves: to the node in front of it, to the one behind it, and what couples the two.
  static constexpr int node = 0, node_scale = node + whole, node_value = node_scale + m,
                       next = node_value + m, next_scale = next + whole, next_value = next_scale + m,
                       coupling = next_value + m, end = coupling + sides * square;
  // Of a node: of both sides, then of each.
  static constexpr int node_d = 0, node_z = node_d + m, node_shared = node_z + m, node_L = 0,
                       node_next = node_L + strict, node_side = node_next + square,
                       node_size = node_shared + sides * node_side;
  static constexpr int node_at(int of_side, int entry) { return node_shared + of_side * node_side + entry; }

  // Entry (i, j) of a block on the diagonal; of a symmetric one j <= i.
  static constexpr int entry(int i, int j) { return symmetric ? sym(i, j) : i * m + j; }
};

}  // namespace chain
CATENA_END_DETAIL_ISA
