// The kernels of chains, as a table of functions over the plan.
#pragma once
#include <catena/sparse/detail/chain_plan.hpp>

namespace catena::detail::ldl {

struct ChainNumbers {
  const double *H = nullptr, *C = nullptr;          // pools of the matrix
  const double* Bt = nullptr;                       // of B^T, for L D U
  const double *upper = nullptr, *lower = nullptr;  // of couplings
  const double *D = nullptr, *proximal = nullptr;   // of all rows
  double* factor = nullptr;  // [group][place][entry][lane], then [body of the tail][entry]
  double* ends = nullptr;    // what segments leave to their nodes: [group][entry][lane], tail
  double* nodes = nullptr;   // the factor of the nodes
  double* x = nullptr;       // null: factorise alone
  bool transposed = false;   // forward and backward sweeps are those of the transposed matrix
};

// Findings about one segment after the other, then about the nodes.
struct ChainReport {
  bool usual = true;  // every pivot has the sign of its kind and is neither zero nor beyond 1e300
  double weak = 0.0;  // largest scale / pivot of a row
  int weak_at = -1;   // its place in Chain::dual_before; the number of bodies: the rows behind the last one
  // Smallest scale / pivot, without symmetry; with it pivots are not larger than their scale.
  double shrink = 1.0;
};

struct ChainKernels {
  // Sizes [doubles] of a place in one lane, of what a segment leaves, of a node.
  int place_size, end_size, node_size;
  // Of a group, or of the tail where group is the number of groups. factor: also the forward sweep of x, if there is one.
  void (*factor)(const ChainPlan&, const ChainNumbers&, int group, ChainReport*);
  void (*forward)(const ChainPlan&, const ChainNumbers&, int group);
  void (*backward)(const ChainPlan&, const ChainNumbers&, int group);
  // Of the nodes: behind factor or forward of all groups, before backward.
  void (*factor_nodes)(const ChainPlan&, const ChainNumbers&, ChainReport*);
  void (*solve_nodes)(const ChainPlan&, const ChainNumbers&);
  // What couples the segments, before factor. False: the matrix cannot be cut between two of them. Null: nothing couples them.
  bool (*can_cut)(const ChainPlan&, const ChainNumbers&);
};

// For joints of so many rows, by the instruction set of this processor (math/parts/cpu.hpp).
const ChainKernels& chain_kernels(int rows, bool split, bool symmetric);
const ChainKernels& coupled_chain_kernels(int rows);

}  // namespace catena::detail::ldl
