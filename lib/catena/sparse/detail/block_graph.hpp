// The graph of the blocks of a matrix: two are neighbours where they share an entry.
#pragma once
#include <catena/sparse/parts/block_pattern.hpp>

#include <vector>

namespace catena::detail {

// Nodes are blocks: primal block p is node p, dual block d is node primal_count + d. Symmetric, without
// loops; the neighbours of a node ascend.
struct BlockGraph {
  std::vector<int> begin = {0};  // node v has neighbour[begin[v]] ... neighbour[begin[v + 1] - 1]
  std::vector<int> neighbour;
  std::vector<int> size;  // unknowns of each block

  int count() const { return static_cast<int>(size.size()); }
  int degree(int v) const {
    return begin[static_cast<std::size_t>(v) + 1] - begin[static_cast<std::size_t>(v)];
  }
};

BlockGraph block_graph(const BlockPattern& pattern);

// The graph that remains when the nodes marked in `gone`, no two of them adjacent, have been eliminated:
// the neighbours of each become a clique. node[k]: which node of the whole graph the remaining node k is.
struct ReducedGraph {
  BlockGraph graph;
  std::vector<int> node;
};
ReducedGraph eliminate_independent(const BlockGraph& graph, const std::vector<char>& gone);

}  // namespace catena::detail
