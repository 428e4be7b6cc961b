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

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
