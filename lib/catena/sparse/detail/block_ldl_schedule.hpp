// From fronts to a plan: which fronts go together in lanes, which subtrees are independent tasks.
#pragma once
#include <catena/sparse/detail/block_ldl_plan.hpp>
#include <catena/sparse/detail/ordering.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <vector>

namespace catena::detail::ldl {

struct Task {
  int batch_begin, batch_end;
};
// Consecutive tasks that share one scratch store; the chunks of a tier are independent of one another.
struct Chunk {
  int task_begin, task_end;
};
// Tiers follow one another; records that leave a task are persistent.
struct Tier {
  int chunk_begin, chunk_end;
};

struct Schedule {
  std::vector<Recipe> recipe;
  std::vector<Op> op;
  std::vector<Block> block;
  std::vector<std::int32_t> map;
  std::vector<Batch> batch;
  std::vector<std::int32_t> index;
  std::vector<Access> access;
  std::vector<std::int32_t> position;
  std::vector<Task> task;
  std::vector<Chunk> chunk;
  std::vector<Tier> tier;
  std::int64_t factor_size = 0, forward_size = 0, persistent_size = 0;
  // Of the k-th chunk of any tier: its store of records and its work space [doubles].
  std::vector<std::int64_t> scratch_size, work_size;
  double flops = 0.0;

  Plan plan() const {
    return {recipe.data(), op.data(),       block.data(),
            map.data(),    batch.data(),    index.data(),
            access.data(), position.data(), factor_size > 1024 * 1024};
  }
  std::size_t bytes() const;
  // Modelled (fronts.hpp), of each chunk of each tier.
  std::vector<std::vector<double>> chunk_cycles() const;
};

// parts: chunks a tier is cut into, 0: by default.
Schedule make_schedule(const BlockPattern& pattern, const MatrixLayout& layout, const Ordering& ordering,
                       bool symmetric, int parts);

}  // namespace catena::detail::ldl
