// What the kernels of one large front share. Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/block_ldl_front.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

// A batch of one front in column-major storage, and its sizes.
struct Dense {
  const Recipe& recipe;
  const int* index;
  int k, r, n;
  std::int64_t ld;
  Dense(const Plan& plan, const Batch& b)
      : recipe(plan.recipe[b.recipe]),
        index(plan.index + b.index),
        k(recipe.pivots),
        r(recipe.rest),
        n(k + r),
        ld(padded(n)) {}

  // Parts of a factor: reciprocal pivots; columns of L and without symmetry of U^T; of each eight pivots the strict triangle of
  // L, and of U^T, by rows: entry (m, l) is L[m, 8 (m / 8) + l].
  double* columns(double* factor, bool upper) const { return factor + padded(k) + (upper ? k * ld : 0); }
  double* triangles(double* factor, bool symmetric, bool upper) const {
    return factor + padded(k) + (symmetric ? 1 : 2) * k * ld + (upper ? 8 * padded(k) : 0);
  }
};

// Of the eight lanes, in the same order with every instruction set.
inline double sum_of_lanes(const Pack8& x) {
#if CATENA_ISA_LEVEL > 0
#if CATENA_ISA_LEVEL == 2
  const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(x.r), _mm512_maskz_extractf64x4_pd(0xF, x.r, 1));
#else
  const __m256d four = _mm256_add_pd(x.r[0], x.r[1]);
#endif
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
#else
  alignas(64) double s[8];
  store(s, x);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
#endif
}

// Lane l in all lanes.
inline Pack8 broadcast_lane(const Pack8& x, int l) {
#if CATENA_ISA_LEVEL == 2
  return Pack8(_mm512_permutexvar_pd(_mm512_set1_epi64(l), x.r));
#else
  return Pack8(lane(x, l));
#endif
}

// 0 to 7. select_less(Pack8(n), lane_numbers(), a, b): a behind lane n, b up to it.
inline Pack8 lane_numbers() {
  alignas(64) static constexpr double number[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  return load(number);
}

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
