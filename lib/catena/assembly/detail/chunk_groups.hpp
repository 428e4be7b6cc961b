// One pool in one chunk of an evaluation, and in all of them.
#pragma once
#include <catena/assembly/detail/element_groups.hpp>
#include <catena/math/detail/fetch.hpp>
#include <catena/model/detail/at_once.hpp>

namespace catena::detail {

// The group four behind, and the parameters of the one three behind. group: of pool.groups.
inline void fetch_later(const PoolGroups& pool, const ElementGroup* group) {
  const auto k = static_cast<std::size_t>(group - pool.groups.data());
  const std::size_t count = pool.groups.size(), doubles = sizeof(ElementGroup) / sizeof(double),
                    parameters = pool.parameters.size() / count;
  if (k + 4 < count) fetch(reinterpret_cast<const double*>(group + 4), static_cast<int>(doubles));
  if (k + 3 < count) fetch(pool.parameters.data() + (k + 3) * parameters, static_cast<int>(parameters));
}

// function: of the stage, as of PoolGroups::evaluate.
inline void evaluate_groups(const PoolGroups& pool, const ElementGroup* begin, const ElementGroup* end,
                            GroupFunction function, const KernelArgs& args) {
  if (begin != end && is_at_once(pool.stage))
    dynamic_cast<const AtOnce&>(*pool.pool).evaluate_all(args, begin, static_cast<std::size_t>(end - begin));
  else
    for (const ElementGroup* g = begin; g != end; ++g) {
      if (pool.far) fetch_later(pool, g);
      pool.evaluate(function, args, *g);
    }
}

// chunk: of 0 ... chunks, the last is the border.
inline void evaluate_groups(const PoolGroups& pool, int chunk, GroupFunction function,
                            const KernelArgs& args) {
  const auto c = static_cast<std::size_t>(chunk);
  const ElementGroup* const first = pool.groups.data();
  evaluate_groups(pool, first + pool.chunk_begin[c], first + pool.chunk_begin[c + 1], function, args);
}

inline void evaluate_groups(const PoolGroups& pool, GroupFunction function, const KernelArgs& args) {
  const ElementGroup* const first = pool.groups.data();
  evaluate_groups(pool, first, first + pool.groups.size(), function, args);
}

}  // namespace catena::detail
