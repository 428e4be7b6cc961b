// Fixed-size vectors and matrices over any scalar: double, Pack<8> (eight lanes), Dual (derivatives). Plain aggregates,
// row-major, with the alignment of the scalar: their layout does not depend on compiler flags. Indices count from 0 and are
// not checked. Values are written in braces, row by row: Vec3{{1.0, 0.0, 0.0}}.
//
// Operators: a + b, a - b, -a, 2.0 * a, a * 2.0, A * B (matrix product), A * x. A product sums from the first term to the
// last with fused multiply-add where the instruction set has it (madd), so that results may differ from those without
// it by roundoff; they never differ from run to run. Nothing here throws or allocates.
#pragma once
#include <catena/math/parts/scalar.hpp>

#include <type_traits>

CATENA_BEGIN_ISA

// R rows, C columns.
template <class S, int R, int C>
struct Mat {
  S e[R * C];  // row by row

  static constexpr int rows = R, cols = C;
  using Scalar = S;

  // m(i, j): row i, column j. m[i], m(i): number i of e, so component i of a vector.
  S& operator()(int i, int j) { return e[i * C + j]; }
  const S& operator()(int i, int j) const { return e[i * C + j]; }
  S& operator[](int i) { return e[i]; }
  const S& operator[](int i) const { return e[i]; }
  S& operator()(int i) { return e[i]; }
  const S& operator()(int i) const { return e[i]; }

  static Mat Constant(const S& s) {
    Mat m;
    for (int k = 0; k < R * C; ++k) m.e[k] = s;
    return m;
  }
  static Mat Zero() { return Constant(S(0.0)); }
  static Mat Identity() {
    Mat m = Zero();
    for (int k = 0; k < R; ++k)
      if (k < C) m(k, k) = S(1.0);
    return m;
  }
  // Vectors: the unit vector along component k.
  static Mat Unit(int k) {
    Mat m = Zero();
    m.e[k] = S(1.0);
    return m;
  }

  Mat& operator+=(const Mat& b) {
    for (int k = 0; k < R * C; ++k) e[k] = e[k] + b.e[k];
    return *this;
  }
  Mat& operator-=(const Mat& b) {
    for (int k = 0; k < R * C; ++k) e[k] = e[k] - b.e[k];
    return *this;
  }
  Mat& operator*=(const S& s) {
    for (int k = 0; k < R * C; ++k) e[k] = e[k] * s;
    return *this;
  }
  Mat<S, C, R> transpose() const {
    Mat<S, C, R> t;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) t(j, i) = (*this)(i, j);
    return t;
  }
};

// A column.
template <class S, int N>
using Vec = Mat<S, N, 1>;

template <class S, int R, int C>
inline Mat<S, R, C> operator+(Mat<S, R, C> a, const Mat<S, R, C>& b) {
  return a += b;
}
template <class S, int R, int C>
inline Mat<S, R, C> operator-(Mat<S, R, C> a, const Mat<S, R, C>& b) {
  return a -= b;
}
template <class S, int R, int C>
inline Mat<S, R, C> operator-(Mat<S, R, C> a) {
  for (int k = 0; k < R * C; ++k) a.e[k] = -a.e[k];
  return a;
}
// The scalar is not deduced, so that 0.5 * a works for any S.
template <class S, int R, int C>
inline Mat<S, R, C> operator*(const std::type_identity_t<S>& s, Mat<S, R, C> a) {
  return a *= s;
}
template <class S, int R, int C>
inline Mat<S, R, C> operator*(Mat<S, R, C> a, const std::type_identity_t<S>& s) {
  return a *= s;
}
template <class S, int R, int K, int C>
inline Mat<S, R, C> operator*(const Mat<S, R, K>& a, const Mat<S, K, C>& b) {
  Mat<S, R, C> c;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      S sum = a(i, 0) * b(0, j);
      for (int k = 1; k < K; ++k) sum = madd(a(i, k), b(k, j), sum);
      c(i, j) = sum;
    }
  return c;
}
// a^T b without forming a^T
template <class S, int R, int K, int C>
inline Mat<S, R, C> transpose_times(const Mat<S, K, R>& a, const Mat<S, K, C>& b) {
  Mat<S, R, C> c;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      S sum = a(0, i) * b(0, j);
      for (int k = 1; k < K; ++k) sum = madd(a(k, i), b(k, j), sum);
      c(i, j) = sum;
    }
  return c;
}
// a^T b
template <class S, int N>
inline S dot(const Vec<S, N>& a, const Vec<S, N>& b) {
  S sum = a[0] * b[0];
  for (int k = 1; k < N; ++k) sum = madd(a[k], b[k], sum);
  return sum;
}
// sqrt(a^T a), without protection against overflow: components up to 1e154.
template <class S, int N>
inline S norm(const Vec<S, N>& a) {
  return sqrt(dot(a, a));
}
// a x b
template <class S>
inline Vec<S, 3> cross(const Vec<S, 3>& a, const Vec<S, 3>& b) {
  return {{nmadd(a[2], b[1], a[1] * b[2]), nmadd(a[0], b[2], a[2] * b[0]), nmadd(a[1], b[0], a[0] * b[1])}};
}
// a~ with a~ b = a x b
template <class S>
inline Mat<S, 3, 3> skew(const Vec<S, 3>& a) {
  const S o(0.0);
  return {{o, -a[2], a[1], a[2], o, -a[0], -a[1], a[0], o}};
}
// a b^T
template <class S, int R, int C>
inline Mat<S, R, C> outer(const Vec<S, R>& a, const Vec<S, C>& b) {
  Mat<S, R, C> m;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) m(i, j) = a[i] * b[j];
  return m;
}
// A a~, to the bits of A * skew(a), without the products with zeros.
template <class S, int R>
inline Mat<S, R, 3> times_skew(const Mat<S, R, 3>& A, const Vec<S, 3>& a) {
  Mat<S, R, 3> m;
  for (int i = 0; i < R; ++i) {
    m(i, 0) = nmadd(A(i, 2), a[1], A(i, 1) * a[2]);
    m(i, 1) = madd(A(i, 2), a[0], -(A(i, 0) * a[2]));
    m(i, 2) = nmadd(A(i, 1), a[0], A(i, 0) * a[1]);
  }
  return m;
}
// a~ B, as well.
template <class S, int C>
inline Mat<S, 3, C> skew_times(const Vec<S, 3>& a, const Mat<S, 3, C>& B) {
  Mat<S, 3, C> m;
  for (int j = 0; j < C; ++j) {
    m(0, j) = madd(a[1], B(2, j), -(a[2] * B(1, j)));
    m(1, j) = nmadd(a[0], B(2, j), a[2] * B(0, j));
    m(2, j) = madd(a[0], B(1, j), -(a[1] * B(0, j)));
  }
  return m;
}
// a~ b~ = b a^T - (a . b) I, as well.
template <class S>
inline Mat<S, 3, 3> skew_times_skew(const Vec<S, 3>& a, const Vec<S, 3>& b) {
  return {{nmadd(a[1], b[1], -(a[2] * b[2])), a[1] * b[0], a[2] * b[0],  //
           a[0] * b[1], nmadd(a[0], b[0], -(a[2] * b[2])), a[2] * b[1],  //
           a[0] * b[2], a[1] * b[2], nmadd(a[0], b[0], -(a[1] * b[1]))}};
}
// The matrix with d on its diagonal: an inertia from its principal moments, say.
template <class S>
inline Mat<S, 3, 3> diagonal(const Vec<S, 3>& d) {
  const S o(0.0);
  return {{d[0], o, o, o, d[1], o, o, o, d[2]}};
}
// Writes the block b at (row, col) of m.
template <class S, int R, int C, int r, int c>
inline void set_block(Mat<S, R, C>& m, int row, int col, const Mat<S, r, c>& b) {
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < c; ++j) m(row + i, col + j) = b(i, j);
}

// Numbers as constants of another scalar (lanes, dual).
template <class S, int R, int C>
inline Mat<S, R, C> cast(const Mat<double, R, C>& a) {
  Mat<S, R, C> b;
  for (int k = 0; k < R * C; ++k) b.e[k] = S(a.e[k]);
  return b;
}

using Vec3 = Vec<double, 3>;
using Vec4 = Vec<double, 4>;
using Mat3 = Mat<double, 3, 3>;

CATENA_END_ISA
