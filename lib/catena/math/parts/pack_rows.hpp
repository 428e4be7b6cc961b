// Packs of numbers that lie side by side in memory, n <= 8 for each lane: the velocity of each of eight bodies, say. Eight
// loads of a row and a transposition in registers take half of the time of n gathers, and less than 8 n stores of one number.
#pragma once
#include <catena/math/parts/pack.hpp>

CATENA_BEGIN_ISA

#if CATENA_ISA_LEVEL == 2

namespace pack_detail {

// out[k] = element k of every row. What is not used of it, and rows that are never set, cost nothing.
[[gnu::always_inline]] inline void transpose(const __m512d* row, __m512d* out) {
  constexpr int even = 0x88, odd = 0xDD;  // blocks 0 and 2 of both, 1 and 3
  for (int part = 0; part < 2; ++part) {  // elements 0, 2, 4, 6, then 1, 3, 5, 7
    __m512d pair[4];
    for (int i = 0; i < 4; ++i)
      pair[i] = part == 0 ? _mm512_maskz_unpacklo_pd(0xFF, row[2 * i], row[2 * i + 1])
                          : _mm512_maskz_unpackhi_pd(0xFF, row[2 * i], row[2 * i + 1]);
    __m512d four[4];
    for (int i = 0; i < 2; ++i) {
      four[2 * i] = _mm512_maskz_shuffle_f64x2(0xFF, pair[2 * i], pair[2 * i + 1], even);
      four[2 * i + 1] = _mm512_maskz_shuffle_f64x2(0xFF, pair[2 * i], pair[2 * i + 1], odd);
    }
    out[part] = _mm512_maskz_shuffle_f64x2(0xFF, four[0], four[2], even);
    out[part + 4] = _mm512_maskz_shuffle_f64x2(0xFF, four[0], four[2], odd);
    out[part + 2] = _mm512_maskz_shuffle_f64x2(0xFF, four[1], four[3], even);
    out[part + 6] = _mm512_maskz_shuffle_f64x2(0xFF, four[1], four[3], odd);
  }
}

// n numbers, or their sums with what is there, in stores of whole registers: a load of the same register, by the next lane
// that adds there, need not wait for them.
template <int n, bool add>
[[gnu::always_inline]] inline void store_row(double* p, __m512d row) {
  __m256d four = _mm512_castpd512_pd256(row);
  if constexpr (n >= 4) {
    _mm256_storeu_pd(p, add ? _mm256_add_pd(_mm256_loadu_pd(p), four) : four);
    if constexpr (n > 4) four = _mm512_maskz_extractf64x4_pd(0xFF, row, 1);
  }
  constexpr int left = n % 4;
  double* const rest = p + n / 4 * 4;
  const __m128d two = _mm256_castpd256_pd128(four);
  if constexpr (n == 8)
    _mm256_storeu_pd(rest - 4, add ? _mm256_add_pd(_mm256_loadu_pd(rest - 4), four) : four);
  if constexpr (left >= 2) _mm_storeu_pd(rest, add ? _mm_add_pd(_mm_loadu_pd(rest), two) : two);
  if constexpr (left % 2 == 1) {
    const __m128d one = left == 3 ? _mm256_extractf128_pd(four, 1) : two;
    double* const last = rest + (left - 1);
    _mm_store_sd(last, add ? _mm_add_sd(_mm_load_sd(last), one) : one);
  }
}

template <int n>
[[gnu::always_inline]] inline __m512d load_row(const double* p) {
  return _mm512_maskz_loadu_pd((1U << n) - 1U, p);
}

// Rows of four numbers at most, two in each half of a register: in the order that makes the columns come out in theirs.
template <int n>
[[gnu::always_inline]] inline __m512d load_two(const double* one, const double* other) {
  const __m256d a = _mm256_maskz_loadu_pd((1U << n) - 1U, one),
                b = _mm256_maskz_loadu_pd((1U << n) - 1U, other);
  return _mm512_maskz_insertf64x4(0xFF, _mm512_castpd256_pd512(a), b, 1);
}
template <int n>
[[gnu::always_inline]] inline void load_short_rows(const double* base, const int* at, Pack8* out) {
  constexpr int even = 0x88, odd = 0xDD;
  const __m512d a = load_two<n>(base + at[0], base + at[2]), b = load_two<n>(base + at[1], base + at[3]),
                c = load_two<n>(base + at[4], base + at[6]), d = load_two<n>(base + at[5], base + at[7]);
  const __m512d low[2] = {_mm512_maskz_unpacklo_pd(0xFF, a, b), _mm512_maskz_unpacklo_pd(0xFF, c, d)},
                high[2] = {_mm512_maskz_unpackhi_pd(0xFF, a, b), _mm512_maskz_unpackhi_pd(0xFF, c, d)};
  out[0] = Pack8(_mm512_maskz_shuffle_f64x2(0xFF, low[0], low[1], even));
  out[1] = Pack8(_mm512_maskz_shuffle_f64x2(0xFF, high[0], high[1], even));
  out[2] = Pack8(_mm512_maskz_shuffle_f64x2(0xFF, low[0], low[1], odd));
  if constexpr (n == 4) out[3] = Pack8(_mm512_maskz_shuffle_f64x2(0xFF, high[0], high[1], odd));
}

// Rows of three numbers, by pairs of rows: the first two numbers of each, then the third.
template <bool add>
[[gnu::always_inline]] inline void store_three(double* p, __m128d two, __m128d one) {
  _mm_storeu_pd(p, add ? _mm_add_pd(_mm_loadu_pd(p), two) : two);
  _mm_store_sd(p + 2, add ? _mm_add_sd(_mm_load_sd(p + 2), one) : one);
}
template <bool add, int pair>
[[gnu::always_inline]] inline void store_pair_of_three(double* base, const int* at, int count, __m512d even,
                                                       __m512d odd, __m512d third) {
  const __m128d last = _mm512_maskz_extractf64x2_pd(0xFF, third, pair);
  if (2 * pair < count)
    store_three<add>(base + at[2 * pair], _mm512_maskz_extractf64x2_pd(0xFF, even, pair), last);
  if (2 * pair + 1 < count)
    store_three<add>(base + at[2 * pair + 1], _mm512_maskz_extractf64x2_pd(0xFF, odd, pair),
                     _mm_unpackhi_pd(last, last));
}
template <bool add>
[[gnu::always_inline]] inline void store_rows_of_three(double* base, const int* at, int count,
                                                       const Pack8* in) {
  const __m512d even = _mm512_maskz_unpacklo_pd(0xFF, in[0].r, in[1].r),
                odd = _mm512_maskz_unpackhi_pd(0xFF, in[0].r, in[1].r), third = in[2].r;
  store_pair_of_three<add, 0>(base, at, count, even, odd, third);
  store_pair_of_three<add, 1>(base, at, count, even, odd, third);
  store_pair_of_three<add, 2>(base, at, count, even, odd, third);
  store_pair_of_three<add, 3>(base, at, count, even, odd, third);
}

}  // namespace pack_detail

// out[k] = base[at[l] + k] in lane l, k < n
template <int n>
[[gnu::always_inline]] inline void load_rows(const double* base, const int* at, Pack8* out) {
  static_assert(n >= 1 && n <= 8);
  if constexpr (n < 3) {
    for (int k = 0; k < n; ++k) out[k] = gather(base + k, at);
    return;
  }
  if constexpr (n == 3 || n == 4) return pack_detail::load_short_rows<n>(base, at, out);
  __m512d row[8], column[8];
  for (int l = 0; l < 8; ++l) row[l] = pack_detail::load_row<n>(base + at[l]);
  pack_detail::transpose(row, column);
  for (int k = 0; k < n; ++k) out[k] = Pack8(column[k]);
}

// base[at[l] + k] = in[k] of lane l, l < count; add: +=, lane after lane, so that two lanes may add to the same place.
template <int n, bool add = false>
[[gnu::always_inline]] inline void store_rows(double* base, const int* at, int count, const Pack8* in) {
  static_assert(n >= 1 && n <= 8);
  if constexpr (n == 3) return pack_detail::store_rows_of_three<add>(base, at, count, in);
  __m512d column[8], row[8];
  for (int k = 0; k < 8; ++k) column[k] = k < n ? in[k].r : _mm512_setzero_pd();
  pack_detail::transpose(column, row);
  for (int l = 0; l < 8; ++l)
    if (l < count) pack_detail::store_row<n, add>(base + at[l], row[l]);
}

#elif CATENA_ISA_LEVEL == 1

namespace pack_detail {

[[gnu::always_inline]] inline void transpose(const __m256d* row, __m256d* out) {
  const __m256d a = _mm256_unpacklo_pd(row[0], row[1]), b = _mm256_unpackhi_pd(row[0], row[1]);
  const __m256d c = _mm256_unpacklo_pd(row[2], row[3]), d = _mm256_unpackhi_pd(row[2], row[3]);
  out[0] = _mm256_permute2f128_pd(a, c, 0x20);
  out[1] = _mm256_permute2f128_pd(b, d, 0x20);
  out[2] = _mm256_permute2f128_pd(a, c, 0x31);
  out[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

// n of four numbers; the others are 0.
template <int n>
[[gnu::always_inline]] inline __m256d load_row(const double* p) {
  if constexpr (n == 4)
    return _mm256_loadu_pd(p);
  else if constexpr (n == 3)
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1);
  else if constexpr (n == 2)
    return _mm256_insertf128_pd(_mm256_setzero_pd(), _mm_loadu_pd(p), 0);
  else
    return _mm256_insertf128_pd(_mm256_setzero_pd(), _mm_load_sd(p), 0);
}

// n numbers, or their sums with what is there.
template <int n, bool add>
[[gnu::always_inline]] inline void store_row(double* p, __m256d row) {
  if constexpr (n == 4) {
    _mm256_storeu_pd(p, add ? _mm256_add_pd(_mm256_loadu_pd(p), row) : row);
  } else {
    const __m128d two = _mm256_castpd256_pd128(row);
    if constexpr (n >= 2) _mm_storeu_pd(p, add ? _mm_add_pd(_mm_loadu_pd(p), two) : two);
    if constexpr (n % 2 == 1) {
      const __m128d one = n == 3 ? _mm256_extractf128_pd(row, 1) : two;
      _mm_store_sd(p + (n - 1), add ? _mm_add_sd(_mm_load_sd(p + (n - 1)), one) : one);
    }
  }
}

// Numbers first, first + 1, ... of each row, four at most.
template <int n, int first>
[[gnu::always_inline]] inline void load_four(const double* base, const int* at, Pack8* out) {
  constexpr int width = n - first < 4 ? n - first : 4;
  __m256d row[4], column[4];
  for (int half = 0; half < 2; ++half) {
    for (int l = 0; l < 4; ++l) row[l] = load_row<width>(base + at[4 * half + l] + first);
    transpose(row, column);
    for (int k = 0; k < width; ++k) out[first + k].r[half] = column[k];
  }
  if constexpr (first + width < n) load_four<n, first + width>(base, at, out);
}

template <int n, bool add, int first>
[[gnu::always_inline]] inline void store_four(double* base, const int* at, int count, const Pack8* in) {
  constexpr int width = n - first < 4 ? n - first : 4;
  __m256d row[4], column[4];
  for (int half = 0; half < 2; ++half) {
    for (int k = 0; k < 4; ++k) column[k] = k < width ? in[first + k].r[half] : _mm256_setzero_pd();
    transpose(column, row);
    for (int l = 0; l < 4; ++l)
      if (4 * half + l < count) store_row<width, add>(base + at[4 * half + l] + first, row[l]);
  }
  if constexpr (first + width < n) store_four<n, add, first + width>(base, at, count, in);
}

}  // namespace pack_detail

template <int n>
[[gnu::always_inline]] inline void load_rows(const double* base, const int* at, Pack8* out) {
  pack_detail::load_four<n, 0>(base, at, out);
}

template <int n, bool add = false>
[[gnu::always_inline]] inline void store_rows(double* base, const int* at, int count, const Pack8* in) {
  pack_detail::store_four<n, add, 0>(base, at, count, in);
}

#else

template <int n>
[[gnu::always_inline]] inline void load_rows(const double* base, const int* at, Pack8* out) {
  for (int k = 0; k < n; ++k) out[k] = gather(base + k, at);
}

template <int n, bool add = false>
[[gnu::always_inline]] inline void store_rows(double* base, const int* at, int count, const Pack8* in) {
  for (int k = 0; k < n; ++k) {
    alignas(64) double x[8];
    store(x, in[k]);
    for (int l = 0; l < count; ++l) base[at[l] + k] = add ? base[at[l] + k] + x[l] : x[l];
  }
}

#endif

CATENA_END_ISA
