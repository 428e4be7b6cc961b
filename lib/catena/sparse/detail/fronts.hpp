// Symbolic factorisation: the fronts of a multifrontal elimination and what they cost.
#pragma once
#include <catena/sparse/detail/block_graph.hpp>

#include <vector>

namespace catena::detail {

// A front eliminates its pivot blocks and updates its rest blocks, which its ancestors eliminate.
// Fronts are in postorder: children before parents, every subtree contiguous.
struct Fronts {
  struct Front {
    int pivot_begin, pivot_end;  // into pivot, ascending position
    int rest_begin, rest_end;    // into rest, ascending position
    int pivots, rest;            // in unknowns
    int parent;                  // -1: a root
  };
  std::vector<Front> front;
  std::vector<int> pivot, rest;  // nodes
  std::vector<int> position;     // of each node in the elimination order
  double flops = 0.0;            // multiply-adds counted twice, symmetric factorisation and one solve
  double cost = 0.0;             // modelled cycles, see front_cost
};

// Multiply-adds counted twice, of a front in a symmetric factorisation and one solve.
double front_flops(double pivots, double rest);
// The same of a body whose blocks have the structure of BlockPattern::primal_split, with so many blocks of rows.
double split_front_flops(int rest, int blocks);

// Cycles of one front alone, and of eight like fronts in lanes. The coefficients in fronts.cpp are fits to measured times
// on a processor with AVX-512. Only their ratios matter, for the choice of ordering, merges and batches.
double front_cost(int pivots, int rest);
double lane_cost(int pivots, int rest);
// Wider fronts are not processed in lanes: eight triangles of 36 unknowns are 43 kB, and first-level caches have 32 to
// 48 kB.
inline constexpr int widest_lane_front = 36;

// Eliminates in the given order. Fronts with nested structure are merged, others where it pays by front_cost.
// Returns false, with `fronts` unfinished, when the work exceeds `limit` flops.
bool build_fronts(const BlockGraph& graph, const std::vector<int>& order, double limit, Fronts& fronts);

}  // namespace catena::detail
