// What one core of this machine can do at most: multiplications with additions, and traffic to memory.
#pragma once
#include <catena/math/parts/cpu.hpp>

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>

namespace catena::bench {

namespace limits_detail {

// Independent chains in registers, so that latency hides; each number moves towards 1 and stays one.
constexpr int chains = 12;

template <class Loop>
double best_rate(double work, const Loop& loop) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity(), kept = 0.0;
  for (int turn = 0; turn < 20; ++turn) {
    const Clock::time_point begin = Clock::now();
    kept += loop();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return kept > 0.0 ? work / best : 0.0;
}

__attribute__((target("avx512f"))) inline double loop_512(long turns) {
  __m512d x[chains];
  for (int k = 0; k < chains; ++k) x[k] = _mm512_set1_pd(0.5 + 0.01 * k);
  const __m512d a = _mm512_set1_pd(0.999), b = _mm512_set1_pd(0.001);
  for (long t = 0; t < turns; ++t)
#pragma GCC unroll 12
    for (__m512d& one : x) one = _mm512_fmadd_pd(one, a, b);
  double numbers[8 * chains];
  std::memcpy(numbers, x, sizeof(x));
  return std::accumulate(std::begin(numbers), std::end(numbers), 0.0);
}

__attribute__((target("avx2,fma"))) inline double loop_256(long turns) {
  __m256d x[chains];
  for (int k = 0; k < chains; ++k) x[k] = _mm256_set1_pd(0.5 + 0.01 * k);
  const __m256d a = _mm256_set1_pd(0.999), b = _mm256_set1_pd(0.001);
  for (long t = 0; t < turns; ++t)
#pragma GCC unroll 12
    for (__m256d& one : x) one = _mm256_fmadd_pd(one, a, b);
  double numbers[4 * chains];
  std::memcpy(numbers, x, sizeof(x));
  return std::accumulate(std::begin(numbers), std::end(numbers), 0.0);
}

inline double loop_128(long turns) {  // a product and a sum: no fused ones
  __m128d x[chains];
  for (int k = 0; k < chains; ++k) x[k] = _mm_set1_pd(0.5 + 0.01 * k);
  const __m128d a = _mm_set1_pd(0.999), b = _mm_set1_pd(0.001);
  for (long t = 0; t < turns; ++t)
#pragma GCC unroll 12
    for (__m128d& one : x) one = _mm_add_pd(_mm_mul_pd(one, a), b);
  double numbers[2 * chains];
  std::memcpy(numbers, x, sizeof(x));
  return std::accumulate(std::begin(numbers), std::end(numbers), 0.0);
}

}  // namespace limits_detail

// Of one core, with the instruction set in use: double-precision operations a second, a product with its sum as two. The best
// of 20 turns of 10 ms.
inline double peak_flops() {
  using namespace limits_detail;
  constexpr long turns = 2000000;
  const int level = instruction_set(), width = level == 2 ? 8 : level == 1 ? 4 : 2;
  return best_rate(2.0 * width * chains * static_cast<double>(turns), [&] {
    return level == 2 ? loop_512(turns) : level == 1 ? loop_256(turns) : loop_128(turns);
  });
}

}  // namespace catena::bench
