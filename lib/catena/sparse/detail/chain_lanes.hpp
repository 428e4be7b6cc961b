// Numbers of a chain's segments: as many lanes as a register has, or one of the tail. Included by *.isa.cpp files only.
#pragma once
#include <catena/math/parts/pack.hpp>
#include <catena/math/parts/scalar.hpp>

#include <cstdint>

// The numbers of a place stay in registers where the functions that pass them on are no functions: g++ finds them too long.
#if CATENA_ISA_LEVEL > 0 && defined(__GNUC__)
#define CATENA_INLINE __attribute__((always_inline)) inline
#else
#define CATENA_INLINE inline
#endif

CATENA_BEGIN_DETAIL_ISA
namespace chain {

#if CATENA_ISA_LEVEL == 1
// Four lanes: the sixteen registers of AVX2 hold the numbers of a place of four segments, not of eight.
struct Pack4 {
  __m256d r;
  Pack4() = default;
  Pack4(double x) : r(_mm256_set1_pd(x)) {}
  explicit Pack4(__m256d x) : r(x) {}

  friend Pack4 operator+(Pack4 a, Pack4 b) { return Pack4(_mm256_add_pd(a.r, b.r)); }
  friend Pack4 operator-(Pack4 a, Pack4 b) { return Pack4(_mm256_sub_pd(a.r, b.r)); }
  friend Pack4 operator*(Pack4 a, Pack4 b) { return Pack4(_mm256_mul_pd(a.r, b.r)); }
  friend Pack4 operator/(Pack4 a, Pack4 b) { return Pack4(_mm256_div_pd(a.r, b.r)); }
  friend Pack4 madd(Pack4 a, Pack4 b, Pack4 c) { return Pack4(_mm256_fmadd_pd(a.r, b.r, c.r)); }
  friend Pack4 nmadd(Pack4 a, Pack4 b, Pack4 c) { return Pack4(_mm256_fnmadd_pd(a.r, b.r, c.r)); }
  friend Pack4 select_less(Pack4 x, Pack4 y, Pack4 a, Pack4 b) {
    return Pack4(_mm256_blendv_pd(b.r, a.r, _mm256_cmp_pd(x.r, y.r, _CMP_LT_OQ)));
  }
  friend void store(double* p, Pack4 a) { _mm256_storeu_pd(p, a.r); }
};
using Wide = Pack4;
#else
using Wide = Pack8;
#endif

template <class V>
struct Width;
template <>
struct Width<double> {
  static constexpr int lanes = 1, stride = 1;
};
#if CATENA_ISA_LEVEL == 1
template <>
struct Width<Pack4> {
  static constexpr int lanes = 4, stride = 8;
};
#else
template <>
struct Width<Pack8> {
  static constexpr int lanes = 8, stride = 8;
};
#endif

template <class V>
CATENA_INLINE V get(const double* p) {
  if constexpr (Width<V>::lanes == 1) return *p;
#if CATENA_ISA_LEVEL == 1
  else
    return V(_mm256_loadu_pd(p));
#else
  else
    return load(p);
#endif
}
template <class V>
CATENA_INLINE void put(double* p, const V& a) {
  if constexpr (Width<V>::lanes == 1)
    *p = a;
  else
    store(p, a);
}
// One number a lane; by single loads, which take half of the time of the instructions that gather.
template <class V>
CATENA_INLINE V take(const double* p, const std::int32_t* at) {
  if constexpr (Width<V>::lanes == 1) return p[at[0]];
#if CATENA_ISA_LEVEL == 1
  else
    return V(_mm256_set_pd(p[at[3]], p[at[2]], p[at[1]], p[at[0]]));
#elif CATENA_ISA_LEVEL == 2
  else
    return V(_mm512_set_pd(p[at[7]], p[at[6]], p[at[5]], p[at[4]], p[at[3]], p[at[2]], p[at[1]], p[at[0]]));
#else
  else
    return gather(p, at);
#endif
}
template <class V>
CATENA_INLINE void give(double* p, const std::int32_t* at, const V& a) {
  if constexpr (Width<V>::lanes == 1) {
    p[at[0]] = a;
  } else {
    alignas(64) double value[8];
    store(value, a);
    for (int l = 0; l < Width<V>::lanes; ++l) p[at[l]] = value[l];
  }
}

}  // namespace chain
CATENA_END_DETAIL_ISA
