// Fronts eight at a time, one per lane: the sources of the numbers of a batch, and their assembly into the front.
#pragma once
#include <catena/sparse/detail/block_ldl_access.hpp>

// function<K>(arguments) for k = K of these, function<0>(arguments) for others.
// NOLINTBEGIN(bugprone-macro-parentheses): the arguments come with theirs
#if CATENA_ISA_LEVEL > 0
#define CATENA_LDL_FOR(k, function, arguments) \
  do switch (k) {                              \
      case 3:                                  \
        function<3> arguments;                 \
        break;                                 \
      case 5:                                  \
        function<5> arguments;                 \
        break;                                 \
      case 6:                                  \
        function<6> arguments;                 \
        break;                                 \
      case 8:                                  \
        function<8> arguments;                 \
        break;                                 \
      case 9:                                  \
        function<9> arguments;                 \
        break;                                 \
      case 12:                                 \
        function<12> arguments;                \
        break;                                 \
      default:                                 \
        function<0> arguments;                 \
    }                                          \
  while (false)
#else
#define CATENA_LDL_FOR(k, function, arguments) function<0> arguments
#endif
// NOLINTEND(bugprone-macro-parentheses)

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

// Entry (i, j) of a front or record: packed lower triangle by rows, or full rows.
template <bool Symmetric>
constexpr int at(int i, int j, int n) {
  return Symmetric ? i * (i + 1) / 2 + j : i * n + j;
}

// A batch and where its parts are.
struct Lanes {
  const Recipe& recipe;
  const Batch& batch;
  const int* index;
  const Access* access;
  Lanes(const Plan& plan, const Batch& b)
      : recipe(plan.recipe[b.recipe]),
        batch(b),
        index(plan.index + b.index),
        access(plan.access + b.index / 8) {}
  const int* slot(int s) const { return index + 8 * s; }
};

// The functions below are compiled for the usual sizes (N, Rows, Cols, R > 0) and once for any.

template <bool Symmetric, int N, class Reader>
inline void add_diagonal(const Reader& H, int rows, int row, int n, Pack8* F) {
  const int size = N > 0 ? N : rows;
  CATENA_UNROLL
  for (int i = 0; i < size; ++i) {
    Pack8* f = F + at<Symmetric>(row + i, row, n);
    CATENA_UNROLL
    for (int j = 0; j < i; ++j) {
      const Pack8 lower = H(8 * (i * size + j)), upper = H(8 * (j * size + i));
      if constexpr (Symmetric) {
        f[j] = (lower + upper) * Pack8(0.5);
      } else {
        f[j] = lower;
        F[at<false>(row + j, row + i, n)] = upper;
      }
    }
    f[i] = H(8 * (i * size + i));
  }
}

template <bool Symmetric, int Rows, int Cols, class Reader>
inline void add_rows(const Reader& block, int rows_, int cols_, int row, int col, int n, Pack8* F) {
  const int rows = Rows > 0 ? Rows : rows_, cols = Cols > 0 ? Cols : cols_;
  CATENA_UNROLL
  for (int i = 0; i < rows; ++i) {
    Pack8* f = F + at<Symmetric>(row + i, col, n);
    CATENA_UNROLL
    for (int j = 0; j < cols; ++j) f[j] = block(8 * (i * cols + j));
  }
}

template <bool Symmetric, class Reader>
inline void add_transposed(const Reader& block, int rows, int cols, int row, int col, int n, Pack8* F) {
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) F[at<Symmetric>(col + j, row + i, n)] = block(8 * (i * cols + j));
}

template <bool Symmetric, int R, class Reader>
inline void add_record(const Reader& child, int r_, const int* map, int n, Pack8* F, Pack8* scale) {
  const int r = R > 0 ? R : r_;
  int entry = 8 * r;
  CATENA_UNROLL
  for (int i = 0; i < r; ++i, entry += 8) scale[map[i]] += child(entry);
  CATENA_UNROLL
  for (int i = 0; i < r; ++i) {
    Pack8* row = F + at<Symmetric>(map[i], 0, n);
    CATENA_UNROLL
    for (int j = 0; j < (Symmetric ? i + 1 : r); ++j, entry += 8) row[map[j]] += child(entry);
  }
}

template <bool Symmetric>
void add_matrix(const Lanes& lanes, const Numbers& numbers, const Op& op, int n, Pack8* F) {
  const int* index = lanes.slot(op.slot);
  const Access access = lanes.access[op.slot];
  const int row = op.row, col = op.col, rows = op.rows, cols = op.cols;
  switch (op.kind) {
    case OpKind::diagonal:
      read(access, numbers.H, index, [&](const auto& H) {
        if (rows == 6)
          add_diagonal<Symmetric, 6>(H, rows, row, n, F);
        else
          add_diagonal<Symmetric, 0>(H, rows, row, n, F);
      });
      return;
    case OpKind::border: {
      // the entry below the diagonal is C where the dual block comes later, else B
      const bool dual_later = row > col;
      if (dual_later || !Symmetric)
        read(access, numbers.C, index, [&](const auto& C) {
          if (rows == 3 && cols == 6)
            add_rows<Symmetric, 3, 6>(C, rows, cols, row, col, n, F);
          else
            add_rows<Symmetric, 0, 0>(C, rows, cols, row, col, n, F);
        });
      if (!dual_later || !Symmetric)
        read(access, numbers.Bt, index,
             [&](const auto& Bt) { add_transposed<Symmetric>(Bt, rows, cols, row, col, n, F); });
      return;
    }
    case OpKind::coupling:
      read(access, numbers.upper, index, [&](auto upper) {
        read(lanes.access[op.slot + 1], numbers.lower, index + 8, [&](auto lower) {
          for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j) {
              const Pack8 a = upper(8 * (i * cols + j)), b = lower(8 * (j * rows + i));
              if constexpr (Symmetric) {
                F[row > col ? at<Symmetric>(row + i, col + j, n) : at<Symmetric>(col + j, row + i, n)] =
                    (a + b) * Pack8(0.5);
              } else {
                F[at<Symmetric>(row + i, col + j, n)] = a;
                F[at<Symmetric>(col + j, row + i, n)] = b;
              }
            }
        });
      });
      return;
    case OpKind::compliance:
      for (int i = 0; i < rows; ++i)
        F[at<Symmetric>(row + i, row + i, n)] =
            -(gather(numbers.D + i, index) + gather(numbers.proximal + i, index));
      return;
    case OpKind::child:
    case OpKind::children:
      return;
  }
}

// The front of the rotations of a split body (Recipe::split), and the coefficients of its translations. F: the triangle or square
// of 3 + rest unknowns; mass: c; per_mass: 1/c; of_translations: s over the mass of each block of C, then of B.
template <bool Symmetric>
void add_split_body(const Plan& plan, const Lanes& lanes, const Numbers& numbers, Pack8* F, Pack8* mass,
                    Pack8* per_mass, double* of_translations) {
  const Recipe& recipe = lanes.recipe;
  const int n = 3 + recipe.rest, entries = Symmetric ? n * (n + 1) / 2 : n * n;
  for (int e = 0; e < entries; ++e) F[e] = Pack8(0.0);
  const Op& diagonal = plan.op[recipe.op_begin];
  read(lanes.access[diagonal.slot], numbers.H, lanes.slot(diagonal.slot), [&](const auto& H) {
    *mass = H(0);
    CATENA_UNROLL
    for (int i = 0; i < 3; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < i; ++j) {
        const Pack8 lower = H(8 * (6 * (3 + i) + 3 + j)), upper = H(8 * (6 * (3 + j) + 3 + i));
        F[at<Symmetric>(i, j, n)] = Symmetric ? (lower + upper) * Pack8(0.5) : lower;
        if constexpr (!Symmetric) F[at<false>(j, i, n)] = upper;
      }
      F[at<Symmetric>(i, i, n)] = H(8 * (6 * (3 + i) + 3 + i));
    }
  });
  *per_mass = Pack8(1.0) / *mass;
  Pack8 below[widest_lane_batch / 3], beside[widest_lane_batch / 3];  // s of C and of B
  int row[widest_lane_batch / 3];
  const int blocks = recipe.rest_blocks;
  for (int b = 0; b < blocks; ++b) {
    const Op& op = plan.op[recipe.op_begin + 1 + b];
    const int* index = lanes.slot(op.slot);
    row[b] = op.row - 3;  // in this front, whose translations are gone
    read(lanes.access[op.slot], numbers.C, index, [&](const auto& C) {
      below[b] = beside[b] = C(0);
      for (int i = 0; i < op.rows; ++i)
        for (int j = 0; j < 3; ++j) F[at<Symmetric>(row[b] + i, j, n)] = C(8 * (6 * i + 3 + j));
    });
    if constexpr (!Symmetric)
      read(lanes.access[op.slot], numbers.Bt, index, [&](const auto& Bt) {
        beside[b] = Bt(0);
        for (int i = 0; i < op.rows; ++i)
          for (int j = 0; j < 3; ++j) F[at<false>(j, row[b] + i, n)] = Bt(8 * (6 * i + 3 + j));
      });
  }
  for (int b = 0; b < blocks; ++b) {
    const Pack8 of_C = below[b] * *per_mass;
    store(of_translations + 8 * b, of_C);
    if constexpr (!Symmetric) store(of_translations + 8 * (blocks + b), beside[b] * *per_mass);
    for (int other = 0; other < (Symmetric ? b + 1 : blocks); ++other) {
      const Pack8 left = Pack8(0.0) - of_C * beside[other];
      for (int i = 0; i < 3; ++i) F[at<Symmetric>(row[b] + i, row[other] + i, n)] = left;
    }
  }
}

template <bool Symmetric>
void add_child(const Plan& plan, const Lanes& lanes, const Op& op, const double* store, int n, Pack8* F,
               Pack8* scale) {
  const int r = op.rows;
  const int* map = plan.map + op.map;
  const int* index = lanes.slot(op.slot);
  if (op.dense) {
    for (int i = 0; i < r; ++i) {
      scale[map[i]] += gather(store + r + i, index);
      for (int j = 0; j < (Symmetric ? i + 1 : r); ++j)
        F[at<Symmetric>(map[i], map[j], n)] += gather(store + 2 * r + j * r + i, index);
    }
    return;
  }
  read(lanes.access[op.slot], store, index, [&](const auto& child) {
    if (r == 6)
      add_record<Symmetric, 6>(child, r, map, n, F, scale);
    else if (r == 3)
      add_record<Symmetric, 3>(child, r, map, n, F, scale);
    else
      add_record<Symmetric, 0>(child, r, map, n, F, scale);
  });
}

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
