// Reading one value per lane out of strided blocks. Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/block_ldl_front.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

// Readers: reader(o) is the pack of the values o doubles behind the lanes' first ones.
struct AlignedReader {
  const double* first;
  Pack8 operator()(int o) const { return load(first + o); }
};

#if CATENA_ISA_LEVEL == 2
struct PairedReader {  // all lanes lie in two groups of eight
  const double *one, *two;
  __m512i lane;
  PairedReader(const double* pool, const int* index) {
    const __m256i i = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
    const int group = index[0] & ~7;
    const __m256i groups = _mm256_and_si256(i, _mm256_set1_epi32(~7));
    const __mmask8 second = _mm256_cmpneq_epi32_mask(groups, _mm256_set1_epi32(group));
    int other = group;
    if (second != 0) other = index[__builtin_ctz(second)] & ~7;
    const __m256i inside = _mm256_and_si256(i, _mm256_set1_epi32(7));
    lane = _mm512_maskz_cvtepi32_epi64(0xFF,
                                       _mm256_mask_add_epi32(inside, second, inside, _mm256_set1_epi32(8)));
    one = pool + group;
    two = pool + other;
  }
  Pack8 operator()(int o) const {
    return Pack8(_mm512_permutex2var_pd(_mm512_loadu_pd(one + o), lane, _mm512_loadu_pd(two + o)));
  }
};
inline void scatter(double* p, const int* index, Pack8 a) {
  _mm512_i32scatter_pd(p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index)), a.r, 8);
}
#else
inline void scatter(double* p, const int* index, const Pack8& a) {
  alignas(64) double value[8];
  store(value, a);
  for (int i = 0; i < 8; ++i) p[index[i]] = value[i];
}
#endif

struct GatherReader {
  const double* pool;
  const int* index;
  Pack8 operator()(int o) const { return gather(pool + o, index); }
};

// Calls f with the reader that suits the slot.
template <class F>
inline void read(Access access, const double* pool, const int* index, F&& f) {
  switch (access) {
    case Access::aligned:
      f(AlignedReader{pool + index[0]});
      return;
#if CATENA_ISA_LEVEL == 2
    case Access::paired:
      f(PairedReader(pool, index));
      return;
#else
    case Access::paired:
#endif
    case Access::gathered:
      f(GatherReader{pool, index});
      return;
  }
}

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
