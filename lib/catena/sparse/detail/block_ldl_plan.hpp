// The plan of a block factorisation as plain data: what the kernels of every instruction set read.
// A front is a dense matrix of its pivot and rest unknowns; like fronts share a recipe; a batch is one front
// (dense) or up to eight like fronts, one per lane. docs/theory/block_ldl.md explains the whole.
#pragma once
#include <cstdint>

namespace catena::detail::ldl {

inline constexpr int widest_lane_batch = 36;  // unknowns of a front in lanes, at most
inline constexpr int most_joined_rows = 12;   // rest unknowns of OpKind::children

// Pivots that kernels of lanes know when they are compiled: joints of 3 or 5 rows, bodies of 6 unknowns, quaternions with their
// norm row; a body with one or two ball joints.
#define CATENA_LDL_PIVOTS(X) X(3) X(5) X(6) X(8) X(9) X(12)
constexpr bool has_own_kernel(int pivots) {
#define CATENA_LDL_IS(K) case K:
  switch (pivots) {
    CATENA_LDL_PIVOTS(CATENA_LDL_IS)
    return true;
    default:
      return false;
  }
#undef CATENA_LDL_IS
}

// One source of a front. row, col: local offsets of the blocks; slot: which index vector of the batch.
enum class OpKind : std::int32_t {
  diagonal,    // H of the pivot block at row, `rows` unknowns
  border,      // C and B of dual block (row, rows) and primal block (col, cols)
  coupling,    // H_ij at (row, rows) x (col, cols); slot: H_upper, slot + 1: H_lower
  compliance,  // -(D + proximal) of the dual block at row
  child,       // the record of a child front with `rows` rest unknowns; map: where they are in this front
  children  // the same of eight children that were one batch, into a dense front; slot: that of the first of them
};
struct Op {
  OpKind kind;
  std::int32_t row, col, rows, cols, slot;
  std::int32_t map;         // child: first of `rows` entries in Plan::map
  std::int32_t dense;       // child: the record is of a dense batch
  std::int32_t persistent;  // child: the record lies in the persistent store
};

struct Block {
  std::int32_t size, offset, dual;
};

// How the local scale of a rest row (see FactorReport::weakest_dual) grows in a front.
enum class ScaleRule : std::int32_t {
  own,     // pivots primal, rest dual, nothing assembled there: the update itself
  passed,  // pivots and rest of one kind: the sum of those of the children
  general
};

struct Recipe {
  std::int32_t pivots, rest;  // unknowns
  std::int32_t pivot_blocks, rest_blocks;
  std::int32_t block;  // first in Plan::block: pivot blocks, then rest blocks
  std::int32_t op_begin, op_end;
  std::int32_t slots;       // index vectors: pivot blocks, rest blocks, then those of the ops
  std::int32_t full_panel;  // every entry of the pivot columns is written by an op
  std::int32_t has_child;
  std::int32_t persistent;  // its own record goes to the persistent store
  std::int32_t many;        // sources, so that the front goes alone
  // In lanes: a body that no front leaves anything to, with the structure of BlockPattern::primal_split and incidence_split.
  std::int32_t split;
  ScaleRule scale;
};

// Leaf bodies in lanes keep A21 A11^-1 in the place of L21 (and A11^-1 A12 in that of U12), so that the backward sweep
// reads nothing else of their factor and waits for no triangular solve.
constexpr bool keeps_solved_rest(const Recipe& r) { return r.scale == ScaleRule::own; }

// How the eight lanes of a slot are read.
enum class Access : std::uint8_t { aligned, paired, gathered };

struct Batch {
  std::int32_t recipe;
  std::int32_t lanes;    // 1 ... 8 fronts; unused lanes repeat lane 0
  std::int32_t dense;    // one front in column-major storage instead of lanes
  std::int32_t level;    // in the task; the batches of a level do not depend on one another
  std::int64_t index;    // into Plan::index, 8 values a slot (dense: 1)
  std::int64_t factor;   // into the factor [doubles]
  std::int64_t forward;  // into the forward solution
  std::int64_t record;   // into the scratch or persistent store
};

struct Plan {
  const Recipe* recipe;
  const Op* op;
  const Block* block;
  const std::int32_t* map;
  const Batch* batch;
  const std::int32_t* index;
  const Access* access;          // one per slot: at index / 8 (dense batches: unused)
  const std::int32_t* position;  // elimination position of the block at an offset of the solution vector
  std::int32_t far;              // matrix and factor are larger than the caches: prefetch them
};

struct Numbers {
  const double *H, *C, *Bt, *upper, *lower;  // pools of the matrix
  const double *D, *proximal;                // compliance of the rows is their sum
  std::int32_t transposed;                   // sweeps: U^T takes the place of L, L^T that of U (LDU only)
  double* factor;
  double* forward;
  double* persistent;
};

// Findings of a task. Offsets are those of the block in the solution vector, -1: nothing.
struct TaskReport {
  double weak = 0.0;  // largest scale / |pivot| of a dual block
  std::int32_t weak_block = -1;
  double shrink = 1e300;             // smallest scale / |pivot| of any block
  std::int32_t negative_change = 0;  // negative pivots beyond the number of dual unknowns
  std::int32_t wrong_primal = -1;    // first in elimination order
  std::int32_t culprit = -1;         // first vanishing or non-finite pivot
  std::int32_t culprit_not_finite = 0;
};

// Sizes of what the batches of a recipe hold, in values (times eight in lanes).
constexpr std::int64_t record_size(std::int64_t rest, bool symmetric, bool dense) {
  return 2 * rest + (dense || !symmetric ? rest * rest : rest * (rest + 1) / 2);
}
constexpr std::int64_t padded(std::int64_t n) { return (n + 7) / 8 * 8; }
// Lanes: reciprocal pivots, strict rows of L11, rows of L21, and the same of U^T. Dense: reciprocal pivots
// (padded), then columns of L and of U^T of padded length, then triangles (block_ldl_dense.hpp).
constexpr std::int64_t factor_size(std::int64_t k, std::int64_t r, bool symmetric, bool dense) {
  if (dense) return padded(k) + (symmetric ? 1 : 2) * (k * padded(k + r) + 8 * padded(k));
  return k + (symmetric ? 1 : 2) * (k * (k - 1) / 2 + k * r);
}
// In lanes, with what is kept of a split body: the reciprocal of its mass, the front of its rotations, and of each block of rows
// C = [s I_3 A; 0 B] s over the mass (and the same of B).
constexpr std::int64_t lane_factor_size(const Recipe& recipe, bool symmetric) {
  if (recipe.split == 0) return factor_size(recipe.pivots, recipe.rest, symmetric, false);
  return 1 + factor_size(3, recipe.rest, symmetric, false) + (symmetric ? 1 : 2) * recipe.rest_blocks;
}
// Work space of a front [doubles].
constexpr std::int64_t work_size(std::int64_t k, std::int64_t r, bool dense) {
  const std::int64_t n = k + r;
  // dense: front, scales, kinds, a panel of U; lanes: front and scales
  return dense ? padded(n) * (n + 2 + 64) : 8 * (n * n + n);
}

}  // namespace catena::detail::ldl
