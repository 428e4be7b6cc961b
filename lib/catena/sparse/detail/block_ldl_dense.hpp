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
};

// Of the eight lanes, in the same order with every instruction set.
inline double sum_of_lanes(const Pack8& x) {
  alignas(64) double s[8];
  store(s, x);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
