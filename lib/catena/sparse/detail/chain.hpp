// Chains among block patterns: like bodies, each tied to the next one by like rows, perhaps with rows of its own at each end.
// They are eliminated by segments, eight of them in lockstep, one a lane.
#pragma once
#include <catena/sparse/detail/chain_plan.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace catena::detail::ldl {

struct Chain {
  ChainPlan shape;  // without its index
  std::vector<std::int32_t> index;
  // The dual block before each body, [group][place][lane], then the tail; -1: none. The one behind the last body.
  std::vector<int> dual_before;
  int dual_behind = -1;
  double flops = 0.0;

  // As Schedule::chunk_cycles(): of the parts that threads share, then of the nodes.
  std::vector<std::vector<double>> chunk_cycles() const;
  std::size_t bytes() const { return index.size() * sizeof(std::int32_t) + dual_before.size() * sizeof(int); }

  ChainPlan plan() const {
    ChainPlan p = shape;
    p.index = index.data();
    return p;
  }
};

// symmetric: for L D L^T, else for L D U, which there are no kernels for where bodies are coupled. parts: groups to cut the chain
// into, 0: by its length alone. None: the pattern is no chain, or too short a one.
std::optional<Chain> find_chain(const BlockPattern& pattern, const MatrixLayout& layout, bool symmetric,
                                int parts);

}  // namespace catena::detail::ldl
