// One place of a chain: the elimination of a body, then of the rows before it, in as many segments as V has lanes.
// Included by *.isa.cpp files only.
//
// With H = L D L^T, C of the rows before the body and B of those behind it, and S what was left at the rows before it:
//     W = C L^-T,  V = W D^-1  (rows before),  likewise for B;     S + W V^T  is the matrix of the rows before,
// and these, factorised in turn, leave to the rows behind, and to the node in front of the segment, what carries on.
#pragma once
#include <catena/sparse/detail/chain_kernels.hpp>
#include <catena/sparse/detail/chain_matrices.hpp>
#include <catena/sparse/detail/chain_reading.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

// rows: of a joint; split: see ChainPlan.
template <int rows, bool split>
struct Sizes {
  static constexpr int m = rows, n = split ? 3 : 6,
                       first = 6 - n;  // columns first ... 5 are eliminated as a matrix
  static constexpr int square = m * m, triangle = m * (m + 1) / 2, strict = m * (m - 1) / 2;
  // Entries of a place.
  static constexpr int body_d = 0, body_L = body_d + n, before = body_L + n * (n - 1) / 2,
                       after = before + m * n, mass = after + m * n, joint_d = mass + (split ? 3 : 0),
                       joint_L = joint_d + m, to_next = joint_L + strict, to_node = to_next + square,
                       value = to_node + square, place = value + m;
  // Of what a segment leaves: to the node in front of it, to the one behind it, and what couples the two.
  static constexpr int node = 0, node_scale = node + triangle, node_value = node_scale + m,
                       next = node_value + m, next_scale = next + triangle, next_value = next_scale + m,
                       coupling = next_value + m, end = coupling + square;
  // Of a node.
  static constexpr int node_d = 0, node_L = node_d + m, node_next = node_L + strict,
                       node_z = node_next + square, node_size = node_z + m;
};

template <class V, int rows, bool split>
struct Segment {
  using Z = Sizes<rows, split>;
  static constexpr int m = Z::m, n = Z::n, stride = Width<V>::stride;

  V node[Z::triangle], node_scale[m], node_value[m];  // of the node in front, so far
  V next[Z::triangle], next_scale[m], next_value[m];  // left at the rows behind
  V coupling[Z::square];                              // of the rows behind (rows) and the node (columns)
  Watch<V> watch;

  // W of one side and V of it, with what the mass contributes to a diagonal: returned in *translation and *over_mass.
  static CATENA_INLINE void read_side(const Source& c, const V* L, const V* d, const V& inverse_mass, V* W,
                                      V* solved, V& translation, V& over_mass) {
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) W[i * n + j] = take<V>(c.pool + 8 * (6 * i + Z::first + j), c.at);
    }
    if constexpr (split) {
      translation = take<V>(c.pool, c.at);
      over_mass = translation * inverse_mass;
    }
    solve_rows<V, m, n>(L, W);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) solved[i * n + j] = W[i * n + j] * d[j];
    }
  }

  static CATENA_INLINE V product(const V* a, const V* b, int i, int j) {
    V sum = a[i * n] * b[j * n];
    CATENA_UNROLL
    for (int k = 1; k < n; ++k) sum = madd(a[i * n + k], b[j * n + k], sum);
    return sum;
  }

  // first: the rows before the body are the node. place: for the report.
  // D: of the rows before; s: their right-hand side, b: that of the body (not read without Solve).
  template <bool Solve>
  void eliminate(bool is_first, double place, const double* H, const std::int32_t* H_at, const Source& before,
                 const Source& after, const V* D, const V* s, const V* b, double* f) {
    V a[n * (n + 1) / 2], L[n * (n - 1) / 2], d[n];
    CATENA_UNROLL
    for (int i = 0; i < n; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < i; ++j)
        a[sym(i, j)] = V(0.5) * (take<V>(H + 8 * (6 * (Z::first + i) + Z::first + j), H_at) +
                                 take<V>(H + 8 * (6 * (Z::first + j) + Z::first + i), H_at));
      a[sym(i, i)] = take<V>(H + 8 * 7 * (Z::first + i), H_at);
    }
    factorise<V, n>(a, L, d);
    CATENA_UNROLL
    for (int i = 0; i < n; ++i) watch.see(d[i]);
    put_all<V, n>(f + stride * Z::body_d, d);
    put_all<V, n*(n - 1) / 2>(f + stride * Z::body_L, L);
    V inverse_mass(0.0), over_before(0.0), over_after(0.0), sign_before(0.0), sign_after(0.0);
    if constexpr (split) {
      inverse_mass = V(1.0) / take<V>(H, H_at);
      watch.see(inverse_mass);
    }
    V P[Z::triangle], R[Z::square], Q[Z::triangle], pa[m], pb[m], z[n];
    if constexpr (Solve) {
      CATENA_UNROLL
      for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
      forward_solve<V, n>(L, z);
    }
    {
      V W[m * n], VA[m * n];
      read_side(before, L, d, inverse_mass, W, VA, sign_before, over_before);
      put_all<V, m * n>(f + stride * Z::before, VA);
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j <= i; ++j) P[sym(i, j)] = product(W, VA, i, j);
      }
      V U[m * n], VB[m * n];
      read_side(after, L, d, inverse_mass, U, VB, sign_after, over_after);
      put_all<V, m * n>(f + stride * Z::after, VB);
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        CATENA_UNROLL
        for (int j = 0; j < m; ++j) R[i * m + j] = product(U, VA, i, j);
        CATENA_UNROLL
        for (int j = 0; j <= i; ++j) Q[sym(i, j)] = product(U, VB, i, j);
      }
      if constexpr (split) {
        CATENA_UNROLL
        for (int i = 0; i < 3; ++i) {
          P[sym(i, i)] = madd(sign_before, over_before, P[sym(i, i)]);
          R[i * m + i] = madd(sign_after, over_before, R[i * m + i]);
          Q[sym(i, i)] = madd(sign_after, over_after, Q[sym(i, i)]);
        }
        put(f + stride * Z::mass, inverse_mass);
        put(f + stride * (Z::mass + 1), over_before);
        put(f + stride * (Z::mass + 2), over_after);
      }
      if constexpr (Solve) reach(VA, VB, over_before, over_after, z, b, pa, pb);
    }
    if (is_first) {
      CATENA_UNROLL
      for (int k = 0; k < Z::triangle; ++k) node[k] = P[k], next[k] = Q[k];
      CATENA_UNROLL
      for (int i = 0; i < m; ++i) {
        node[sym(i, i)] = node[sym(i, i)] + D[i];
        node_scale[i] = node[sym(i, i)];
        next_scale[i] = Q[sym(i, i)];
      }
      CATENA_UNROLL
      for (int k = 0; k < Z::square; ++k) coupling[k] = R[k];
      if constexpr (Solve) begin(pa, pb, s);
      return;
    }
    V S[Z::triangle], scale[m], T[m], M[Z::strict > 0 ? Z::strict : 1];
    CATENA_UNROLL
    for (int k = 0; k < Z::triangle; ++k) S[k] = next[k] + P[k];
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      S[sym(i, i)] = S[sym(i, i)] + D[i];
      scale[i] = next_scale[i] + (P[sym(i, i)] + D[i]);
      next_scale[i] = Q[sym(i, i)];
    }
    factorise<V, m>(S, M, T);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      watch.see(T[i]);
      watch.see_row(scale[i] * T[i], place);
    }
    put_all<V, m>(f + stride * Z::joint_d, T);
    put_all<V, Z::strict>(f + stride * Z::joint_L, M);
    // The node's columns: K = F^T L^-T.
    V K[Z::square], to_next[Z::square], to_node[Z::square];
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < m; ++j) K[i * m + j] = coupling[j * m + i];
    }
    solve_rows<V, m, m>(M, K);
    solve_rows<V, m, m>(M, R);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j < m; ++j) {
        to_node[i * m + j] = K[i * m + j] * T[j];
        to_next[i * m + j] = R[i * m + j] * T[j];
      }
    }
    put_all<V, Z::square>(f + stride * Z::to_next, to_next);
    put_all<V, Z::square>(f + stride * Z::to_node, to_node);
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      CATENA_UNROLL
      for (int j = 0; j <= i; ++j) {
        V left = Q[sym(i, j)], node_left = node[sym(i, j)];
        CATENA_UNROLL
        for (int k = 0; k < m; ++k) {
          left = nmadd(R[i * m + k], to_next[j * m + k], left);
          node_left = nmadd(K[i * m + k], to_node[j * m + k], node_left);
        }
        next[sym(i, j)] = left;
        node[sym(i, j)] = node_left;
      }
      CATENA_UNROLL
      for (int j = 0; j < m; ++j) {
        V sum = V(0.0);
        CATENA_UNROLL
        for (int k = 0; k < m; ++k) sum = nmadd(R[i * m + k], to_node[j * m + k], sum);
        coupling[i * m + j] = sum;
      }
    }
    if constexpr (Solve) pass(M, T, to_next, to_node, pa, pb, s, f);
  }

  // What the right-hand side of a body does to the rows before it and behind it; z: L^-1 b.
  static CATENA_INLINE void reach(const V* VA, const V* VB, const V& over_before, const V& over_after,
                                  const V* z, const V* b, V* pa, V* pb) {
    CATENA_UNROLL
    for (int i = 0; i < m; ++i) {
      V sa = VA[i * n] * z[0], sb = VB[i * n] * z[0];
      CATENA_UNROLL
      for (int j = 1; j < n; ++j) {
        sa = madd(VA[i * n + j], z[j], sa);
        sb = madd(VB[i * n + j], z[j], sb);
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

  // One place of the forward sweep alone.
  void forward(bool is_first, const V* s, const V* b, double* f) {
    V L[n * (n - 1) / 2], VA[m * n], VB[m * n], z[n], pa[m], pb[m];
    V over_before(0.0), over_after(0.0);
    get_all<V, n*(n - 1) / 2>(f + stride * Z::body_L, L);
    get_all<V, m * n>(f + stride * Z::before, VA);
    get_all<V, m * n>(f + stride * Z::after, VB);
    if constexpr (split) {
      over_before = get<V>(f + stride * (Z::mass + 1));
      over_after = get<V>(f + stride * (Z::mass + 2));
    }
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
    forward_solve<V, n>(L, z);
    reach(VA, VB, over_before, over_after, z, b, pa, pb);
    if (is_first) {
      begin(pa, pb, s);
      return;
    }
    V M[Z::strict > 0 ? Z::strict : 1], T[m], to_next[Z::square], to_node[Z::square];
    get_all<V, Z::strict>(f + stride * Z::joint_L, M);
    get_all<V, m>(f + stride * Z::joint_d, T);
    get_all<V, Z::square>(f + stride * Z::to_next, to_next);
    get_all<V, Z::square>(f + stride * Z::to_node, to_node);
    pass(M, T, to_next, to_node, pa, pb, s, f);
  }

  // One place of the backward sweep. behind: multipliers of the rows behind the body in, of those before it out; of the
  // first place they are the node's. b: the right-hand side of the body in, its solution out.
  static void backward(bool is_first, const V* node, V* behind, V* b, const double* f) {
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
          sum = nmadd(get<V>(f + stride * (Z::to_next + k * m + i)), behind[k], sum);
          sum = nmadd(get<V>(f + stride * (Z::to_node + k * m + i)), node[k], sum);
        }
        before[i] = sum;
      }
      V M[Z::strict > 0 ? Z::strict : 1];
      get_all<V, Z::strict>(f + stride * Z::joint_L, M);
      backward_solve<V, m>(M, before);
    }
    V L[n * (n - 1) / 2], z[n];
    get_all<V, n*(n - 1) / 2>(f + stride * Z::body_L, L);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) z[j] = b[Z::first + j];
    forward_solve<V, n>(L, z);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) {
      V sum = z[j] * get<V>(f + stride * (Z::body_d + j));
      CATENA_UNROLL
      for (int k = 0; k < m; ++k) {
        sum = nmadd(get<V>(f + stride * (Z::before + k * n + j)), before[k], sum);
        sum = nmadd(get<V>(f + stride * (Z::after + k * n + j)), behind[k], sum);
      }
      z[j] = sum;
    }
    backward_solve<V, n>(L, z);
    CATENA_UNROLL
    for (int j = 0; j < n; ++j) b[Z::first + j] = z[j];
    if constexpr (split) {
      const V inverse_mass = get<V>(f + stride * Z::mass), over_before = get<V>(f + stride * (Z::mass + 1)),
              over_after = get<V>(f + stride * (Z::mass + 2));
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
