// Nested dissection of a graph by level sets: separators last, halves independent of one another.
#pragma once
#include <catena/sparse/detail/block_graph.hpp>

#include <vector>

namespace catena::detail {

// An order of the nodes of `graph`: both halves of every cut before their separator. Pieces of at most
// `leaf` nodes are not cut but ordered by minimum degree. A long, narrow graph is cut so that its halves are
// complete binary trees of cuts where possible: their fronts then have the same shapes and are processed in lanes.
std::vector<int> nested_dissection(const BlockGraph& graph, int leaf);

// Approximate minimum degree (CAMD) of the graph; class[v] (optional): nodes of a lower class come first.
std::vector<int> minimum_degree(const BlockGraph& graph, const std::vector<int>& constraint_class = {});

}  // namespace catena::detail
