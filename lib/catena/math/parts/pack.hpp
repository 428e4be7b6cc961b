// Pack<8>: eight doubles, the logical lane width everywhere (design: one zmm,
// two ymm, or eight scalars). Every operation acts lane by lane and rounds as the scalar operation
// does, so a lane carries the same bits as the scalar kernel of the same instruction set.
#pragma once
#include <catena/math/parts/isa.hpp>

#if CATENA_ISA_LEVEL > 0
#include <immintrin.h>
#endif

// The unmasked forms of gather, sqrt and max start from an undefined register in GCC 12's headers, which
// draws warnings wherever they are inlined; the masked forms compile to the same instruction.

CATENA_BEGIN_ISA

inline constexpr int lanes = 8;

template <int W>
struct Pack;

#if CATENA_ISA_LEVEL == 2

template <>
struct alignas(64) Pack<8> {
  __m512d r;
  Pack() = default;
  Pack(double x) : r(_mm512_set1_pd(x)) {}
  explicit Pack(__m512d x) : r(x) {}
};
using Pack8 = Pack<8>;

inline Pack8 load(const double* p) { return Pack8(_mm512_loadu_pd(p)); }
inline void store(double* p, Pack8 a) { _mm512_storeu_pd(p, a.r); }
inline Pack8 gather(const double* p, const int* index) {
  return Pack8(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF,
                                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index)), p, 8));
}
inline Pack8 operator+(Pack8 a, Pack8 b) { return Pack8(_mm512_add_pd(a.r, b.r)); }
inline Pack8 operator-(Pack8 a, Pack8 b) { return Pack8(_mm512_sub_pd(a.r, b.r)); }
inline Pack8 operator*(Pack8 a, Pack8 b) { return Pack8(_mm512_mul_pd(a.r, b.r)); }
inline Pack8 operator/(Pack8 a, Pack8 b) { return Pack8(_mm512_div_pd(a.r, b.r)); }
inline Pack8 operator-(Pack8 a) {
  return Pack8(_mm512_castsi512_pd(
      _mm512_xor_si512(_mm512_castpd_si512(a.r), _mm512_set1_epi64(static_cast<long long>(1ULL << 63)))));
}
inline Pack8 madd(Pack8 a, Pack8 b, Pack8 c) { return Pack8(_mm512_fmadd_pd(a.r, b.r, c.r)); }
inline Pack8 nmadd(Pack8 a, Pack8 b, Pack8 c) { return Pack8(_mm512_fnmadd_pd(a.r, b.r, c.r)); }
inline Pack8 sqrt(Pack8 a) { return Pack8(_mm512_maskz_sqrt_pd(0xFF, a.r)); }
inline Pack8 abs(Pack8 a) { return Pack8(_mm512_abs_pd(a.r)); }
inline Pack8 max(Pack8 a, Pack8 b) { return Pack8(_mm512_maskz_max_pd(0xFF, a.r, b.r)); }
// x < y ? a : b, lane by lane
inline Pack8 select_less(Pack8 x, Pack8 y, Pack8 a, Pack8 b) {
  return Pack8(_mm512_mask_blend_pd(_mm512_cmp_pd_mask(x.r, y.r, _CMP_LT_OQ), b.r, a.r));
}
inline bool all_less(Pack8 x, Pack8 y) { return _mm512_cmp_pd_mask(x.r, y.r, _CMP_LT_OQ) == 0xFF; }

#elif CATENA_ISA_LEVEL == 1

template <>
struct alignas(64) Pack<8> {
  __m256d r[2];
  Pack() = default;
  Pack(double x) : r{_mm256_set1_pd(x), _mm256_set1_pd(x)} {}
  Pack(__m256d a, __m256d b) : r{a, b} {}
};
using Pack8 = Pack<8>;

inline Pack8 load(const double* p) { return {_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
inline void store(double* p, Pack8 a) {
  _mm256_storeu_pd(p, a.r[0]);
  _mm256_storeu_pd(p + 4, a.r[1]);
}
inline Pack8 gather(const double* p, const int* index) {
  const __m128i* i = reinterpret_cast<const __m128i*>(index);
  const __m256d none = _mm256_setzero_pd(), all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
  return {_mm256_mask_i32gather_pd(none, p, _mm_loadu_si128(i), all, 8),
          _mm256_mask_i32gather_pd(none, p, _mm_loadu_si128(i + 1), all, 8)};
}
inline Pack8 operator+(Pack8 a, Pack8 b) {
  return {_mm256_add_pd(a.r[0], b.r[0]), _mm256_add_pd(a.r[1], b.r[1])};
}
inline Pack8 operator-(Pack8 a, Pack8 b) {
  return {_mm256_sub_pd(a.r[0], b.r[0]), _mm256_sub_pd(a.r[1], b.r[1])};
}
inline Pack8 operator*(Pack8 a, Pack8 b) {
  return {_mm256_mul_pd(a.r[0], b.r[0]), _mm256_mul_pd(a.r[1], b.r[1])};
}
inline Pack8 operator/(Pack8 a, Pack8 b) {
  return {_mm256_div_pd(a.r[0], b.r[0]), _mm256_div_pd(a.r[1], b.r[1])};
}
inline Pack8 operator-(Pack8 a) {
  const __m256d s = _mm256_set1_pd(-0.0);
  return {_mm256_xor_pd(a.r[0], s), _mm256_xor_pd(a.r[1], s)};
}
inline Pack8 madd(Pack8 a, Pack8 b, Pack8 c) {
  return {_mm256_fmadd_pd(a.r[0], b.r[0], c.r[0]), _mm256_fmadd_pd(a.r[1], b.r[1], c.r[1])};
}
inline Pack8 nmadd(Pack8 a, Pack8 b, Pack8 c) {
  return {_mm256_fnmadd_pd(a.r[0], b.r[0], c.r[0]), _mm256_fnmadd_pd(a.r[1], b.r[1], c.r[1])};
}
inline Pack8 sqrt(Pack8 a) { return {_mm256_sqrt_pd(a.r[0]), _mm256_sqrt_pd(a.r[1])}; }
inline Pack8 abs(Pack8 a) {
  const __m256d s = _mm256_set1_pd(-0.0);
  return {_mm256_andnot_pd(s, a.r[0]), _mm256_andnot_pd(s, a.r[1])};
}
inline Pack8 max(Pack8 a, Pack8 b) { return {_mm256_max_pd(a.r[0], b.r[0]), _mm256_max_pd(a.r[1], b.r[1])}; }
inline Pack8 select_less(Pack8 x, Pack8 y, Pack8 a, Pack8 b) {
  return {_mm256_blendv_pd(b.r[0], a.r[0], _mm256_cmp_pd(x.r[0], y.r[0], _CMP_LT_OQ)),
          _mm256_blendv_pd(b.r[1], a.r[1], _mm256_cmp_pd(x.r[1], y.r[1], _CMP_LT_OQ))};
}
inline bool all_less(Pack8 x, Pack8 y) {
  return _mm256_movemask_pd(_mm256_cmp_pd(x.r[0], y.r[0], _CMP_LT_OQ)) == 0xF &&
         _mm256_movemask_pd(_mm256_cmp_pd(x.r[1], y.r[1], _CMP_LT_OQ)) == 0xF;
}

#else

// Vectors of the compiler, which it splits into the registers of the processor.
template <>
struct alignas(64) Pack<8> {
  using Vector = double __attribute__((vector_size(64)));
  Vector r;
  Pack() = default;
  Pack(double x) : r(x - Vector{}) {}
  explicit Pack(Vector x) : r(x) {}
};
using Pack8 = Pack<8>;

namespace pack_detail {
template <class F>
inline Pack8 each(F&& f) {
  Pack8 c;
  for (int i = 0; i < 8; ++i) c.r[i] = f(i);
  return c;
}
}  // namespace pack_detail

inline Pack8 load(const double* p) {
  return pack_detail::each([&](int i) { return p[i]; });
}
inline void store(double* p, const Pack8& a) {
  for (int i = 0; i < 8; ++i) p[i] = a.r[i];
}
inline Pack8 gather(const double* p, const int* index) {
  return pack_detail::each([&](int i) { return p[index[i]]; });
}
inline Pack8 operator+(const Pack8& a, const Pack8& b) { return Pack8(a.r + b.r); }
inline Pack8 operator-(const Pack8& a, const Pack8& b) { return Pack8(a.r - b.r); }
inline Pack8 operator*(const Pack8& a, const Pack8& b) { return Pack8(a.r * b.r); }
inline Pack8 operator/(const Pack8& a, const Pack8& b) { return Pack8(a.r / b.r); }
inline Pack8 operator-(const Pack8& a) { return Pack8(-a.r); }
inline Pack8 madd(const Pack8& a, const Pack8& b, const Pack8& c) { return Pack8(a.r * b.r + c.r); }
inline Pack8 nmadd(const Pack8& a, const Pack8& b, const Pack8& c) { return Pack8(c.r - a.r * b.r); }
inline Pack8 sqrt(const Pack8& a) {
  return pack_detail::each([&](int i) { return __builtin_sqrt(a.r[i]); });
}
inline Pack8 abs(const Pack8& a) {
  return pack_detail::each([&](int i) { return __builtin_fabs(a.r[i]); });
}
inline Pack8 max(const Pack8& a, const Pack8& b) { return Pack8(a.r > b.r ? a.r : b.r); }
inline Pack8 select_less(const Pack8& x, const Pack8& y, const Pack8& a, const Pack8& b) {
  return Pack8(x.r < y.r ? a.r : b.r);
}
inline bool all_less(const Pack8& x, const Pack8& y) {
  bool all = true;
  for (int i = 0; i < 8; ++i) all = all && x.r[i] < y.r[i];
  return all;
}

#endif

inline Pack8& operator+=(Pack8& a, const Pack8& b) { return a = a + b; }
inline Pack8& operator-=(Pack8& a, const Pack8& b) { return a = a - b; }
inline Pack8& operator*=(Pack8& a, const Pack8& b) { return a = a * b; }
inline Pack8& operator/=(Pack8& a, const Pack8& b) { return a = a / b; }
// One lane of a pack, for tests and for the hand-over to scalar code.
inline double lane(const Pack8& a, int i) {
  alignas(64) double x[8];
  store(x, a);
  return x[i];
}

CATENA_END_ISA
