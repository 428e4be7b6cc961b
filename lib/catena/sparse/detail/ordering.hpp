// In which order the blocks are eliminated. A function of the pattern alone.
#pragma once
#include <catena/sparse/detail/fronts.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Safe without pivoting when H is positive definite and the rows are independent: every dual block comes after
// all its primal blocks. Only hubs - primal blocks with many rows, which eliminated first would tie all those
// rows together - may come later than their dual blocks, where another primal block supports the rows.
struct Ordering {
  std::vector<int> order;  // nodes of block_graph(pattern)
  Fronts fronts;
  std::string name;  // how it was found, for reports
};

// Tries CAMD of all blocks, and bodies first with CAMD, nested dissection at several depths and the natural order of the
// remaining blocks, for several definitions of a hub. Keeps the cheapest by modelled time (front_cost, lane_cost). A
// dissection is preferred up to 10 % above the cheapest, because its subtrees suit threads.
Ordering choose_ordering(const BlockPattern& pattern);

// The primal block that supports each dual block, -1: none. A primal block with one row block that has no support yet supports
// that one, where it has as many unknowns (Karp and Sipser's rule). No row block that comes to its support later has entries in
// the columns of this one then, so that those with a support are triangular by blocks in the columns of their supports, and
// independent whatever is eliminated beside them, if each is so in the columns of its own: the rows of joints are, but for one
// along the normal of a planar body.
std::vector<int> supports(const BlockPattern& pattern, const BlockGraph& graph, const std::vector<char>& hub);

// `order` with every dual block moved back to the first place where it is safe; hub[p] marks primal hubs.
std::vector<int> make_safe(const BlockPattern& pattern, const BlockGraph& graph,
                           const std::vector<int>& order, const std::vector<char>& hub);

}  // namespace catena::detail
