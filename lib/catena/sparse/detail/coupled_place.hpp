// One place of a chain whose neighbouring bodies are coupled in their rotations, as the geometric stiffness of hinges does it:
// the elimination of a body, then of the rows before it, in as many segments as V has lanes. Included by *.isa.cpp files only.
//
// The rows of a joint are eliminated behind both of its bodies. A node, which lies between two segments, consists of rows alone:
// a segment that hangs on rows leaves less and less of them, one that hangs on a body adds its inertia to it, which grows with
// the length of the segment. So the coupling K between the last body of a segment and the first body of the next one is written
// as three more rows. With their rotations x and y, and any diagonal r,
//     2 x.K y = |r x + r^-1 K y|^2 - |r x|^2 - |r^-1 K y|^2
// The first term is three rows of compliance 1, called edge rows here. The others are subtracted from H of the two bodies.
//
// The matrix of a place is one triangle: rotations of the body, rows before it; then what is left. That is rotations of the body
// behind (behind the last place: edge rows), rows behind it, and the node: edge rows and rows in front of the segment. Pivots of
// rows are negative.
#pragma once
#include <catena/sparse/detail/chain_matrices.hpp>
#include <catena/sparse/detail/chain_reading.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

// rows: of a joint.
template <int rows>
struct CoupledSizes {
  static constexpr int m = rows, pivots = 3 + m, rest = 2 * pivots;
  static constexpr int strict = pivots * (pivots - 1) / 2, half = pivots * (pivots + 1) / 2,
                       triangle = rest * (rest + 1) / 2;
  // Entries of a place.
  static constexpr int place_d = 0, place_L = place_d + pivots, to_rest = place_L + strict,
                       mass = to_rest + rest * pivots, value = mass + 3, place = value + pivots;
  // Of what a segment leaves; scales: of the rows behind and of those in front.
  static constexpr int left = 0, left_value = left + triangle, next_scale = left_value + rest,
                       node_scale = next_scale + m, end = node_scale + m;
  // Of a node; its edge: see Edge.
  static constexpr int node_d = 0, node_L = node_d + pivots, node_next = node_L + strict,
                       node_z = node_next + pivots * pivots, node_edge = node_z + pivots,
                       node_size = node_edge + 24;
};

// A coupling between two segments leaves a thirtieth of every pivot of its two bodies, or more: it costs no more than one and a
// half digits, where the sign of pivots would let it cost all of them.
constexpr double most_taken = 30.0;

// The edge rows between two segments, and what they take from H of both bodies, in the order of the entries of a node.
template <class V>
struct Edge {
  V root[3];                      // r, on the rotations of the last body
  V share[9];                     // r^-1 K, on those of the first body behind it
  V less_last[6], less_first[6];  // by triangles
};

template <class V, int rows>
struct CoupledSegment {
  using Z = CoupledSizes<rows>;
  static constexpr int m = Z::m, p = Z::pivots, q = Z::rest, stride = Width<V>::stride;
  static constexpr int node_rows = p + 3;  // among what is left

  V left[Z::triangle], value[q], next_scale[m], node_scale[m];
  Watch<V> watch;

  CATENA_INLINE void begin_values() {
    for (int i = 0; i < q; ++i) value[i] = V(0.0);
  }
  CATENA_INLINE void begin() {
    for (int k = 0; k < Z::triangle; ++k) left[k] = V(0.0);
    for (int i = 0; i < m; ++i) next_scale[i] = V(0.0);
    begin_values();
  }

  // in_front: at the first place of a segment, what couples it with the one before; else null. less: what is taken from H, or
  // null. K: of the body behind (rows) and of this one, or edge rows. place: for the report. D: of the rows
  // before; s: their right-hand side, b: that of the body (not read without Solve).
  template <bool Solve>
  void eliminate(const Edge<V>* in_front, const V* less, double place, const double* H,
                 const std::int32_t* H_at, const Source& before, const Source& after, const V* K, const V* D,
                 const V* s, const V* b, double* f) {
    V a[Z::half], L[Z::strict], d[p], z[p], W[q * p];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < i; ++j)
        a[sym(i, j)] =
            madd(V(0.5),
                 take<V>(H + 8 * (6 * (3 + i) + 3 + j), H_at) + take<V>(H + 8 * (6 * (3 + j) + 3 + i), H_at),
                 left[sym(i, j)]);
      a[sym(i, i)] = take<V>(H + 8 * 7 * (3 + i), H_at) + left[sym(i, i)];
    }
    V whole[6];
    for (int k = 0; k < 6 && less != nullptr; ++k) {
      whole[k] = a[k];
      a[k] = a[k] - less[k];
    }
    const V inverse_mass = V(1.0) / take<V>(H, H_at), sign_before = take<V>(before.pool, before.at),
            sign_after = take<V>(after.pool, after.at), over_before = sign_before * inverse_mass,
            over_after = sign_after * inverse_mass, mass_share = sign_before * over_before;
    watch.see(inverse_mass);
    put(f + stride * Z::mass, inverse_mass);
    put(f + stride * (Z::mass + 1), over_before);
    put(f + stride * (Z::mass + 2), over_after);
    // Rows of what is left.
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) W[i * p + j] = K[i * 3 + j];
      for (int j = 3; j < p; ++j) W[i * p + j] = V(0.0);
    }
    for (int i = 3; i < p; ++i) {
      for (int j = 0; j < 3; ++j) W[i * p + j] = take<V>(after.pool + 8 * (6 * (i - 3) + 3 + j), after.at);
      for (int j = 3; j < p; ++j) W[i * p + j] = V(0.0);
    }
    for (int i = p; i < q; ++i)
      for (int j = 0; j < p; ++j) W[i * p + j] = left[sym(i, j)];
    if (in_front != nullptr) {  // the rows before the body are the node's: ones in their place
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < 3 + i; ++j) a[sym(3 + i, j)] = V(0.0);
        a[sym(3 + i, 3 + i)] = V(-1.0);
      }
      for (int k = 0; k < 9; ++k) W[(p + k / 3) * p + k % 3] = in_front->share[k];
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < 3; ++j)
          W[(node_rows + i) * p + j] = take<V>(before.pool + 8 * (6 * i + 3 + j), before.at);
    } else {
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < 3; ++j)
          a[sym(3 + i, j)] = take<V>(before.pool + 8 * (6 * i + 3 + j), before.at) + left[sym(3 + i, j)];
        for (int j = 0; j < i; ++j) a[sym(3 + i, 3 + j)] = left[sym(3 + i, 3 + j)];
        a[sym(3 + i, 3 + i)] = left[sym(3 + i, 3 + i)] - D[i];
      }
      for (int i = 0; i < 3; ++i) {
        a[sym(3 + i, 3 + i)] = a[sym(3 + i, 3 + i)] - mass_share;
        W[(3 + i) * p + 3 + i] = V(0.0) - sign_after * over_before;
      }
    }
    factorise<V, p>(a, L, d);
    for (int i = 0; i < 3; ++i) watch.see(d[i]);
    if (less != nullptr) {
      V l[3], whole_d[3];
      factorise<V, 3>(whole, l, whole_d);
      for (int i = 0; i < 3; ++i)
        watch.least = select_less(V(most_taken) * whole_d[i], d[i], V(-1.0), watch.least);
    }
    for (int i = 0; i < m && in_front == nullptr; ++i) {
      V scale = next_scale[i] + D[i];
      if (i < 3) scale = scale + mass_share;
      for (int k = 0; k < 3; ++k) scale = madd(L[low(3 + i, k)], a[sym(3 + i, k)], scale);
      const V reciprocal = V(0.0) - d[3 + i];
      watch.see(reciprocal);
      watch.see_row(scale * reciprocal, place);
    }
    put_all<V, p>(f + stride * Z::place_d, d);
    put_all<V, Z::strict>(f + stride * Z::place_L, L);
    if constexpr (Solve) pass(in_front != nullptr, L, d, over_before, over_after, s, b, z, f);
    double* const to_rest = f + stride * Z::to_rest;
    for (int i = 0; i < q; i += 2) {  // two rows at a time: one waits for its own results
      solve_rows<V, 2, p>(L, W + i * p);
      CATENA_UNROLL
      for (int k = 0; k < 2 * p; ++k) put(to_rest + stride * (i * p + k), W[i * p + k] * d[k % p]);
    }
    scales(in_front != nullptr, sign_after * over_after, mass_share, W, to_rest);
    for (int i = 0; i < q; i += 2) {
      V w[2 * p];
      for (int k = 0; k < 2 * p; ++k) w[k] = W[i * p + k];
      for (int j = 0; j <= i; ++j) {
        V one = j < p ? V(0.0) : left[sym(i, j)], two = j < p ? V(0.0) : left[sym(i + 1, j)];
        CATENA_UNROLL
        for (int k = 0; k < p; ++k) {
          const V v = get<V>(to_rest + stride * (j * p + k));
          one = nmadd(w[k], v, one);
          two = nmadd(w[p + k], v, two);
        }
        left[sym(i, j)] = one;
        left[sym(i + 1, j)] = two;
      }
      V last = i + 1 < p ? V(0.0) : left[sym(i + 1, i + 1)];
      CATENA_UNROLL
      for (int k = 0; k < p; ++k) last = nmadd(w[p + k], get<V>(to_rest + stride * ((i + 1) * p + k)), last);
      left[sym(i + 1, i + 1)] = last;
      if constexpr (Solve) carry(i, to_rest, z);
    }
    for (int i = 0; i < 3; ++i) {
      const int row = 3 + i, node = node_rows + i;
      left[sym(row, row)] = nmadd(sign_after, over_after, left[sym(row, row)]);
      if (in_front == nullptr) continue;
      left[sym(node, row)] = nmadd(sign_after, over_before, left[sym(node, row)]);
      left[sym(node, node)] = left[sym(node, node)] - mass_share;
    }
  }

  // One place of the forward sweep alone.
  void forward(bool is_first, const V* s, const V* b, double* f) {
    V L[Z::strict], d[p], z[p];
    get_all<V, Z::strict>(f + stride * Z::place_L, L);
    get_all<V, p>(f + stride * Z::place_d, d);
    pass(is_first, L, d, get<V>(f + stride * (Z::mass + 1)), get<V>(f + stride * (Z::mass + 2)), s, b, z, f);
    for (int i = 0; i < q; i += 2) carry(i, f + stride * Z::to_rest, z);
  }

  // One place of the backward sweep. u: the solution of what is left in; in its first half that of the body and of the rows
  // before it out. b: the right-hand side of the body in, its solution out.
  static void backward(bool is_first, V* u, V* b, const double* f) {
    V L[Z::strict], y[p];
    get_all<V, Z::strict>(f + stride * Z::place_L, L);
    get_all<V, p>(f + stride * Z::value, y);
    for (int i = 0; i < q; ++i) {
      CATENA_UNROLL
      for (int k = 0; k < p; ++k) y[k] = nmadd(get<V>(f + stride * (Z::to_rest + i * p + k)), u[i], y[k]);
    }
    backward_solve<V, p>(L, y);
    const V inverse_mass = get<V>(f + stride * Z::mass), over_before = get<V>(f + stride * (Z::mass + 1)),
            over_after = get<V>(f + stride * (Z::mass + 2));
    for (int i = 0; i < 3; ++i) {
      const V row_before = is_first ? u[node_rows + i] : y[3 + i];
      b[i] = nmadd(over_after, u[3 + i], nmadd(over_before, row_before, inverse_mass * b[i]));
      b[3 + i] = y[i];
    }
    for (int k = 0; k < p; ++k) u[k] = y[k];
  }

 private:
  // The right-hand side past the pivots of a place, as far as it does not reach what is left by them; z: L^-1 of theirs.
  CATENA_INLINE void pass(bool is_first, const V* L, const V* d, const V& over_before, const V& over_after,
                          const V* s, const V* b, V* z, double* f) {
    for (int i = 0; i < 3; ++i) z[i] = value[i] + b[3 + i];
    for (int i = 0; i < m; ++i) {
      z[3 + i] = is_first ? V(0.0) : value[3 + i] + s[i];
      if (i < 3 && !is_first) z[3 + i] = nmadd(over_before, b[i], z[3 + i]);
    }
    forward_solve<V, p>(L, z);
    for (int k = 0; k < p; ++k) put(f + stride * (Z::value + k), z[k] * d[k]);
    for (int i = 0; i < p; ++i) value[i] = V(0.0);
    for (int i = 0; i < 3; ++i) {
      value[3 + i] = nmadd(over_after, b[i], value[3 + i]);
      if (is_first) value[node_rows + i] = nmadd(over_before, b[i], value[node_rows + i]);
    }
  }
  // What the pivots take from the right-hand side of rows i and i + 1 of what is left.
  CATENA_INLINE void carry(int i, const double* to_rest, const V* z) {
    V one = value[i], two = value[i + 1];
    CATENA_UNROLL
    for (int k = 0; k < p; ++k) {
      one = nmadd(get<V>(to_rest + stride * (i * p + k)), z[k], one);
      two = nmadd(get<V>(to_rest + stride * ((i + 1) * p + k)), z[k], two);
    }
    value[i] = one;
    value[i + 1] = two;
  }
  // What the body adds to the diagonal of the rows behind it and, at the first place, of those before it.
  CATENA_INLINE void scales(bool is_first, const V& behind, const V& before, const V* W,
                            const double* to_rest) {
    for (int i = 0; i < m; ++i) {
      const auto sum = [&](int row, const V& of_mass) {
        V scale = i < 3 ? of_mass : V(0.0);
        for (int k = 0; k < 3; ++k)
          scale = madd(W[row * p + k], get<V>(to_rest + stride * (row * p + k)), scale);
        return scale;
      };
      next_scale[i] = sum(3 + i, behind);
      if (is_first) node_scale[i] = sum(node_rows + i, before);
    }
  }
};

}  // namespace chain
CATENA_END_DETAIL_ISA
