// One place of a chain: the elimination of a body, then of the rows before it, in as many segments as V has lanes.
// Included by *.isa.cpp files only.
//
// With H = L D U, C of the rows before the body, B^T of the same rows, and S what was left at them:
//     W = C U^-1,  X = B^T L^-T D^-1  (both by rows),  likewise for the rows behind it;
//     S + W X^T  is the matrix of the rows before,
// and this, factorised in turn, leaves to the rows behind, and to the node in front of the segment, what carries on. Without
// symmetry there are two of each but of pivots: the side of L and C, which a forward sweep reads, and the side of U and B, which
// a backward sweep reads; of the transposed matrix it is the other way round. For L D L^T the two are one.
#pragma once
#include <catena/sparse/detail/chain_kernels.hpp>
#include <catena/sparse/detail/chain_matrices.hpp>
#include <catena/sparse/detail/chain_reading.hpp>
#include <catena/sparse/detail/chain_sizes.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

template <class V, int rows, bool split, bool symmetric>
struct Segment {
  using Z = Sizes<rows, split, symmetric>;
  static constexpr int m = Z::m, n = Z::n, stride = Width<V>::stride;
  static constexpr int lower = Z::lower, upper = Z::upper, sides = Z::sides;
  static constexpr int body_strict = n * (n - 1) / 2, strict = Z::strict > 0 ? Z::strict : 1;

  V node[Z::whole], node_scale[m], node_value[m];  // of the node in front, so far
  V next[Z::whole], next_scale[m], next_value[m];  // left at the rows behind
  // Of the rows behind and the node, by the rows behind: where these are rows of the matrix, where they are columns.
  V coupling[sides][Z::square];
  Watch<V> watch;

  // What the rows of one end of the body, or their columns, are to its elimination.
  struct End {
    V W[m * n], X[m * n];  // X = W D^-1
    V translation = V(0.0), over_mass = V(0.0);
  };
  // L: of the other side.
  static CATENA_INLINE void read_end(const Source& c, const V* L, const V* d, const V& inverse_mass,
                                     End& out) {
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) out.W[i * n + j] = take<V>(c.pool + 8 * (6 * i + Z::first + j), c.at);
    }
    if constexpr (split) {
      out.translation = take<V>(c.pool, c.at);
      out.over_mass = out.translation * inverse_mass;
    }
    solve_rows<V, m, n>(L, out.W);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) out.X[i * n + j] = out.W[i * n + j] * d[j];
    }
  }
  static CATENA_INLINE void keep_end(const End& e, int at, int over, double* f) {
    put_all<V, m * n>(f + stride * at, e.X);
    if constexpr (split) put(f + stride * over, e.over_mass);
  }

  // Entry (i, j) of W X^T: row i of one end, column j of another or the same.
  static CATENA_INLINE V product(const End& row, const End& column, int i, int j) {
    V sum = row.W[i * n] * column.X[j * n];
    CATENA_UNROLL
    for (int k = 1; k < n; ++k) sum = madd(row.W[i * n + k], column.X[j * n + k], sum);
    if constexpr (split)
      if (i == j && i < 3) sum = madd(row.translation, column.over_mass, sum);
    return sum;
  }
  // The scale of row i of one end: the sum of the sizes of the terms of its product with its own column.
  static CATENA_INLINE V scale_of(const End& row, const End& column, int i, const V& whole) {
    if constexpr (symmetric) {
      return whole;  // they are squares over pivots
    } else {
      V sum = V(0.0);
      CATENA_UNROLL
      for (int k = 0; k < n; ++k) sum = sum + magnitude(row.W[i * n + k] * column.X[i * n + k]);
      if constexpr (split)
        if (i < 3) sum = sum + magnitude(row.translation * column.over_mass);
      return sum;
    }
  }
  static CATENA_INLINE V entry(const double* H, const std::int32_t* at, int i, int j) {
    return take<V>(H + 8 * (6 * (Z::first + i) + Z::first + j), at);
  }
  static CATENA_INLINE V magnitude(const V& x) {
    const V zero(0.0);
    return select_less(x, zero, zero - x, x);
  }

  // In place of a node in front of the segment: rows of their own, which nothing couples with it.
  void begin_without_node() {
    for (int k = 0; k < Z::whole; ++k) node[k] = next[k] = V(0.0);
    for (int i = 0; i < m; ++i) {
      node[Z::entry(i, i)] = node_scale[i] = V(1.0);
      next_scale[i] = node_value[i] = next_value[i] = V(0.0);
    }
    for (int k = 0; k < sides * Z::square; ++k) coupling[k / Z::square][k % Z::square] = V(0.0);
  }

  // is_first: the rows before the body are the node. place: for the report.
  // D: of the rows before; s: their right-hand side, b: that of the body (not read without Solve).
  template <bool Solve>
  void eliminate(bool is_first, double place, const double* H, const std::int32_t* H_at, const Source* before,
                 const Source* after, const V* D, const V* s, const V* b, double* f) {
    V L[sides][body_strict], d[n];
    V diagonal[n];  // of H
    {
      V a[symmetric ? n * (n + 1) / 2 : n * n];
      CATENA_UNROLL
      for (int i = 0; i < n; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < i; ++j) {
          if constexpr (symmetric) {
            a[sym(i, j)] = V(0.5) * (entry(H, H_at, i, j) + entry(H, H_at, j, i));
          } else {
            a[i * n + j] = entry(H, H_at, i, j);
            a[j * n + i] = entry(H, H_at, j, i);
          }
        }
        diagonal[i] = a[symmetric ? sym(i, i) : i * n + i] = entry(H, H_at, i, i);
      }
      factorise_block<V, n, symmetric>(a, L, d);
    }
    CATENA_UNROLL
    for (int i = 0; i < n; ++i) {
      watch.see(d[i]);
      if constexpr (!symmetric) watch.see_growth(diagonal[i] * d[i]);
    }
    put_all<V, n>(f + stride * Z::body_d, d);
    CATENA_UNROLL
    for (int k = 0; k < sides; ++k) put_all<V, body_strict>(f + stride * Z::at(k, Z::body_L), L[k]);
    V inverse_mass(0.0);
    if constexpr (split) {
      inverse_mass = V(1.0) / take<V>(H, H_at);
      watch.see(inverse_mass);
      put(f + stride * Z::mass, inverse_mass);
    }
    V P[Z::whole], R[sides][Z::square], Q[Z::whole], scale_before[m], scale_after[m], pa[m], pb[m], z[n];
    if constexpr (Solve) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
      forward_solve<V, n>(L[lower], z);
    }
    {
      End A[sides];
      CATENA_UNROLL
      for (int k = 0; k < sides; ++k) {
        read_end(before[k], L[upper - k], d, inverse_mass, A[k]);
        keep_end(A[k], Z::at(k, Z::before), Z::at(k, Z::over), f);
      }
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < (symmetric ? i + 1 : m); ++j)
          P[Z::entry(i, j)] = product(A[lower], A[upper], i, j);
        scale_before[i] = scale_of(A[lower], A[upper], i, P[Z::entry(i, i)]);
      }
      End B[sides];
      CATENA_UNROLL
      for (int k = 0; k < sides; ++k) {
        read_end(after[k], L[upper - k], d, inverse_mass, B[k]);
        keep_end(B[k], Z::at(k, Z::after), Z::at(k, Z::over + 1), f);
      }
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < m; ++j) {
          R[lower][i * m + j] = product(B[lower], A[upper], i, j);
          if constexpr (!symmetric) R[upper][i * m + j] = product(A[lower], B[upper], j, i);
        }
        CATENA_UNROLL
        for (int j = 0; j < (symmetric ? i + 1 : m); ++j)
          Q[Z::entry(i, j)] = product(B[lower], B[upper], i, j);
        scale_after[i] = scale_of(B[lower], B[upper], i, Q[Z::entry(i, i)]);
      }
      if constexpr (Solve)
        reach(A[lower].X, B[lower].X, A[lower].over_mass, B[lower].over_mass, z, b, pa, pb);
    }
    if (is_first) {
      CATENA_UNROLL
      for (int k = 0; k < Z::whole; ++k) node[k] = P[k], next[k] = Q[k];
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        node[Z::entry(i, i)] = node[Z::entry(i, i)] + D[i];
        node_scale[i] = scale_before[i] + D[i];
        next_scale[i] = scale_after[i];
      }
      CATENA_UNROLL
      for (int k = 0; k < sides; ++k) {
        CATENA_UNROLL
        for (int e = 0; e < Z::square; ++e) coupling[k][e] = R[k][e];
      }
      if constexpr (Solve) begin(pa, pb, s);
      return;
    }
    V S[Z::whole], scale[m], T[m], M[sides][strict];
    CATENA_UNROLL
    for (int k = 0; k < Z::whole; ++k) S[k] = next[k] + P[k];
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      S[Z::entry(i, i)] = S[Z::entry(i, i)] + D[i];
      scale[i] = next_scale[i] + (scale_before[i] + D[i]);
      next_scale[i] = scale_after[i];
    }
    factorise_block<V, m, symmetric>(S, M, T);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      watch.see(T[i]);
      watch.see_row(scale[i] * T[i], place);
      if constexpr (!symmetric) watch.see_growth(scale[i] * T[i]);
    }
    put_all<V, m>(f + stride * Z::joint_d, T);
    // The rows behind and the node: what couples them with the rows here, by the factor of these.
    V K[sides][Z::square], to_next[sides][Z::square], to_node[sides][Z::square];
    CATENA_UNROLL
    for (int k = 0; k < sides; ++k) {
      put_all<V, Z::strict>(f + stride * Z::at(k, Z::joint_L), M[k]);
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < m; ++j) K[k][i * m + j] = coupling[upper - k][j * m + i];
      }
      solve_rows<V, m, m>(M[upper - k], K[k]);
      solve_rows<V, m, m>(M[upper - k], R[k]);
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < m; ++j) {
          to_node[k][i * m + j] = K[k][i * m + j] * T[j];
          to_next[k][i * m + j] = R[k][i * m + j] * T[j];
        }
      }
      put_all<V, Z::square>(f + stride * Z::at(k, Z::to_next), to_next[k]);
      put_all<V, Z::square>(f + stride * Z::at(k, Z::to_node), to_node[k]);
    }
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < (symmetric ? i + 1 : m); ++j) {
        V left = Q[Z::entry(i, j)], node_left = node[Z::entry(i, j)];
        CATENA_UNROLL
        for (int k = 0; k < m; ++k) {
          left = nmadd(R[lower][i * m + k], to_next[upper][j * m + k], left);
          node_left = nmadd(K[lower][i * m + k], to_node[upper][j * m + k], node_left);
        }
        next[Z::entry(i, j)] = left;
        node[Z::entry(i, j)] = node_left;
      }
      CATENA_UNROLL
      for (int k = 0; k < sides; ++k) {
        CATENA_UNROLL
        for (int j = 0; j < m; ++j) {
          V sum = V(0.0);
          CATENA_UNROLL
          for (int e = 0; e < m; ++e) sum = nmadd(R[k][i * m + e], to_node[upper - k][j * m + e], sum);
          coupling[k][i * m + j] = sum;
        }
      }
    }
    if constexpr (Solve) pass(M[lower], T, to_next[lower], to_node[lower], pa, pb, s, f);
  }

  // What the right-hand side of a body does to the rows before it and behind it; z: L^-1 b.
  static CATENA_INLINE void reach(const V* XA, const V* XB, const V& over_before, const V& over_after,
                                  const V* z, const V* b, V* pa, V* pb) {
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      V sa = XA[i * n] * z[0], sb = XB[i * n] * z[0];
      CATENA_UNROLL
      for (int j = 1; j < n; ++j) {
        sa = madd(XA[i * n + j], z[j], sa);
        sb = madd(XB[i * n + j], z[j], sb);
      }
      if constexpr (split) {
        if (i < 3) {
          sa = madd(over_before, b[i], sa);
          sb = madd(over_after, b[i], sb);
        }
      }
      pa[i] = sa;
      pb[i] = sb;
    }
  }
  // The right-hand side at the first place of a segment.
  CATENA_INLINE void begin(const V* pa, const V* pb, const V* s) {
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      node_value[i] = pa[i] - s[i];
      next_value[i] = pb[i];
    }
  }
  // The right-hand side past the rows of a place.
  CATENA_INLINE void pass(const V* M, const V* T, const V* to_next, const V* to_node, const V* pa,
                          const V* pb, const V* s, double* f) {
    V z[m];
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) z[i] = next_value[i] + (pa[i] - s[i]);
    forward_solve<V, m>(M, z);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      V left = pb[i], node_left = node_value[i];
      CATENA_UNROLL
      for (int k = 0; k < m; ++k) {
        left = nmadd(to_next[i * m + k], z[k], left);
        node_left = nmadd(to_node[i * m + k], z[k], node_left);
      }
      next_value[i] = left;
      node_value[i] = node_left;
      put(f + stride * (Z::value + i), z[i] * T[i]);
    }
  }

  // One place of the forward sweep alone, by the numbers of one side.
  void forward(bool is_first, int side, const V* s, const V* b, double* f) {
    const double* const from = f + stride * Z::at(side, 0);
    V L[body_strict], XA[m * n], XB[m * n], z[n], pa[m], pb[m];
    V over_before(0.0), over_after(0.0);
    get_all<V, body_strict>(from + stride * Z::body_L, L);
    get_all<V, m * n>(from + stride * Z::before, XA);
    get_all<V, m * n>(from + stride * Z::after, XB);
    if constexpr (split) {
      over_before = get<V>(from + stride * Z::over);
      over_after = get<V>(from + stride * (Z::over + 1));
    }
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
    forward_solve<V, n>(L, z);
    reach(XA, XB, over_before, over_after, z, b, pa, pb);
    if (is_first) {
      begin(pa, pb, s);
      return;
    }
    V M[strict], T[m], to_next[Z::square], to_node[Z::square];
    get_all<V, Z::strict>(from + stride * Z::joint_L, M);
    get_all<V, m>(f + stride * Z::joint_d, T);
    get_all<V, Z::square>(from + stride * Z::to_next, to_next);
    get_all<V, Z::square>(from + stride * Z::to_node, to_node);
    pass(M, T, to_next, to_node, pa, pb, s, f);
  }

  // One place of the backward sweep, by the numbers of one side. behind: multipliers of the rows behind the body in, of those
  // before it out; of the first place they are the node's. b: the right-hand side of the body in, its solution out.
  static void backward(bool is_first, int side, const V* node, V* behind, V* b, const double* f) {
    const double* const from = f + stride * Z::at(side, 0);
    V before[m];
    if (is_first) {
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) before[i] = node[i];
    } else {
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        V sum = get<V>(f + stride * (Z::value + i));
        CATENA_UNROLL
        for (int k = 0; k < m; ++k) {
          sum = nmadd(get<V>(from + stride * (Z::to_next + k * m + i)), behind[k], sum);
          sum = nmadd(get<V>(from + stride * (Z::to_node + k * m + i)), node[k], sum);
        }
        before[i] = sum;
      }
      V M[strict];
      get_all<V, Z::strict>(from + stride * Z::joint_L, M);
      backward_solve<V, m>(M, before);
    }
    V L[body_strict], z[n];
    get_all<V, body_strict>(f + stride * Z::at(upper - side, Z::body_L), L);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
    forward_solve<V, n>(L, z);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) {
      V sum = z[j] * get<V>(f + stride * (Z::body_d + j));
      CATENA_UNROLL
      for (int k = 0; k < m; ++k) {
        sum = nmadd(get<V>(from + stride * (Z::before + k * n + j)), before[k], sum);
        sum = nmadd(get<V>(from + stride * (Z::after + k * n + j)), behind[k], sum);
      }
      z[j] = sum;
    }
    if constexpr (!symmetric) get_all<V, body_strict>(from + stride * Z::body_L, L);
    backward_solve<V, n>(L, z);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) b[Z::first + j] = z[j];
    if constexpr (split) {
      const V inverse_mass = get<V>(f + stride * Z::mass), over_before = get<V>(from + stride * Z::over),
              over_after = get<V>(from + stride * (Z::over + 1));
      CATENA_UNROLL
      for (int i = 0; i < 3; ++i)
        b[i] = nmadd(over_after, behind[i], nmadd(over_before, before[i], inverse_mass * b[i]));
    }
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) behind[i] = before[i];
  }
};

}  // namespace chain
CATENA_END_DETAIL_ISA
