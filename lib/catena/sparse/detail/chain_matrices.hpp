// Small matrices in lanes, their entries in arrays of vectors: what the elimination of a place of a chain is made of.
// Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/chain_lanes.hpp>
#include <catena/sparse/detail/chain_plan.hpp>
#include <catena/sparse/detail/unroll.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

using namespace catena::detail::ldl;

// Place of entry (i, j), j <= i, of a symmetric matrix; of (i, j), j < i, of a strict triangle.
constexpr int sym(int i, int j) { return i * (i + 1) / 2 + j; }
constexpr int low(int i, int j) { return i * (i - 1) / 2 + j; }

// A = L D L^T in place: L below the diagonal of `a`; reciprocal pivots. a: lower triangle by rows (sym).
template <class V, int n>
CATENA_INLINE void factorise(V* a, V* L, V* reciprocal) {
  CATENA_UNROLL
  for (int c = 0; c < n; ++c) {
    CATENA_UNROLL
    for (int m = 0; m < c; ++m) a[sym(c, c)] = nmadd(L[low(c, m)], a[sym(c, m)], a[sym(c, c)]);
    reciprocal[c] = V(1.0) / a[sym(c, c)];
    CATENA_UNROLL
    for (int i = c + 1; i < n; ++i) {
      CATENA_UNROLL
      for (int m = 0; m < c; ++m) a[sym(i, c)] = nmadd(L[low(i, m)], a[sym(c, m)], a[sym(i, c)]);
      L[low(i, c)] = a[sym(i, c)] * reciprocal[c];
    }
  }
}

// A = L D U: L and U^T as strict triangles (low), reciprocal pivots. a: by rows; overwritten.
template <class V, int n>
CATENA_INLINE void factorise(V* a, V* L, V* U, V* reciprocal) {
  CATENA_UNROLL
  for (int c = 0; c < n; ++c) {
    CATENA_UNROLL
    for (int m = 0; m < c; ++m) a[c * n + c] = nmadd(L[low(c, m)], a[m * n + c], a[c * n + c]);
    reciprocal[c] = V(1.0) / a[c * n + c];
    CATENA_UNROLL
    for (int i = c + 1; i < n; ++i) {
      CATENA_UNROLL
      for (int m = 0; m < c; ++m) {
        a[i * n + c] = nmadd(L[low(i, m)], a[m * n + c], a[i * n + c]);
        a[c * n + i] = nmadd(L[low(c, m)], a[m * n + i], a[c * n + i]);
      }
      L[low(i, c)] = a[i * n + c] * reciprocal[c];
      U[low(i, c)] = a[c * n + i] * reciprocal[c];
    }
  }
}

// A = L D U of a block on the diagonal, of n unknowns. L: of both sides.
template <class V, int n, bool symmetric, class Triangles>
CATENA_INLINE void factorise_block(V* a, Triangles& L, V* reciprocal) {
  if constexpr (symmetric)
    factorise<V, n>(a, L[0], reciprocal);
  else
    factorise<V, n>(a, L[0], L[1], reciprocal);
}

// Rows w of a matrix become w L^-T.
template <class V, int rows, int n>
CATENA_INLINE void solve_rows(const V* L, V* w) {
  CATENA_UNROLL
  for (int r = 0; r < rows; ++r) {
    CATENA_UNROLL
    for (int i = 1; i < n; ++i) {
      CATENA_UNROLL
      for (int m = 0; m < i; ++m) w[r * n + i] = nmadd(L[low(i, m)], w[r * n + m], w[r * n + i]);
    }
  }
}

template <class V, int n>
CATENA_INLINE void forward_solve(const V* L, V* z) {
  CATENA_UNROLL
  for (int i = 1; i < n; ++i) {
    CATENA_UNROLL
    for (int m = 0; m < i; ++m) z[i] = nmadd(L[low(i, m)], z[m], z[i]);
  }
}
template <class V, int n>
CATENA_INLINE void backward_solve(const V* L, V* z) {
  CATENA_UNROLL
  for (int i = n - 1; i > 0; --i) {
    CATENA_UNROLL
    for (int m = 0; m < i; ++m) z[m] = nmadd(L[low(i, m)], z[i], z[m]);
  }
}

// Loads and stores of consecutive entries.
template <class V, int n>
CATENA_INLINE void get_all(const double* p, V* a) {
  CATENA_UNROLL
  for (int k = 0; k < n; ++k) a[k] = get<V>(p + Width<V>::stride * k);
}
template <class V, int n>
CATENA_INLINE void put_all(double* p, const V* a) {
  CATENA_UNROLL
  for (int k = 0; k < n; ++k) put(p + Width<V>::stride * k, a[k]);
}

}  // namespace chain
CATENA_END_DETAIL_ISA
