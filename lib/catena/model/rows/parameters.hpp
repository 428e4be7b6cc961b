// Parameters of kernels, read from lane-interleaved arrays, and the blocks that several kernels share.
#pragma once
#include <catena/model/parts/frame.hpp>

CATENA_BEGIN_ISA

template <class S, class Io>
inline Vec<S, 3> load_vector(const Io& io, const double* p, int first) {
  return {{io.entry(p, first), io.entry(p, first + 1), io.entry(p, first + 2)}};
}
inline void save_vector(double* out, const Vec<double, 3>& a) {
  for (int k = 0; k < 3; ++k) out[k] = a[k];
}

// m = [c I, A]: three rows with respect to (dx, dtheta). In place, because GCC copies a matrix of packs that is returned.
template <class S>
inline void set_point_rows(Mat<S, 3, 6>& m, double c, const Mat<S, 3, 3>& a) {
  const S zero(0.0), one(c);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      m(i, j) = i == j ? one : zero;
      m(i, 3 + j) = a(i, j);
    }
}

// A 6 x 6 block that is zero except for torque with respect to dtheta.
template <class S>
inline Mat<S, 6, 6> turning_block(const Mat<S, 3, 3>& a) {
  Mat<S, 6, 6> m = Mat<S, 6, 6>::Zero();
  set_block(m, 3, 3, a);
  return m;
}

// The whole blocks of a kernel that gives its stiffness by turning() alone (constraint_evaluation.hpp).
template <class K, class S, int m>
inline void of_turning(const K& kernel, const BodyFrame<S>* f, const S& t, const Vec<S, m>& lambda,
                       Mat<S, 6, 6>* out) {
  constexpr int n = K::bodies;
  Mat<S, 3, 3> k[n * n];
  kernel.turning(f, t, lambda, k);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out[n * i + j] = i == j || K::couples ? turning_block(k[n * i + j]) : Mat<S, 6, 6>::Zero();
}

// Row r of a Jacobian block: (x, theta) with respect to (dx, dtheta).
template <class S, int M>
inline void set_motion_row(Mat<S, M, 6>& m, int row, const Vec<S, 3>& x, const Vec<S, 3>& theta) {
  for (int c = 0; c < 3; ++c) {
    m(row, c) = x[c];
    m(row, 3 + c) = theta[c];
  }
}
template <class S, int M>
inline void set_turning_row(Mat<S, M, 6>& m, int row, const Vec<S, 3>& theta) {
  set_motion_row(m, row, Vec<S, 3>::Zero(), theta);
}

CATENA_END_ISA
