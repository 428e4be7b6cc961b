// One pool in one chunk of an evaluation.
#pragma once
#include <catena/assembly/detail/element_groups.hpp>
#include <catena/model/detail/forces_at_once.hpp>

namespace catena::detail {

// chunk: of 0 ... chunks, the last is the border; function: of the stage, as of PoolGroups::evaluate.
inline void evaluate_groups(const PoolGroups& pool, int chunk, GroupFunction function,
                            const KernelArgs& args) {
  const auto c = static_cast<std::size_t>(chunk);
  const ElementGroup* const begin = pool.groups.data() + pool.chunk_begin[c];
  const ElementGroup* const end = pool.groups.data() + pool.chunk_begin[c + 1];
  if (begin != end && is_at_once(pool.stage))
    at_once(*pool.pool).evaluate_all(args, begin, static_cast<std::size_t>(end - begin));
  else
    for (const ElementGroup* g = begin; g != end; ++g) pool.evaluate(function, args, *g);
}

}  // namespace catena::detail
