// Where the records of segments and of nodes are, and the table of kernels: what chains with and without couplings share.
// Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/chain_reading.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

// V: the lanes that a segment is one of; one lane: the tail. Z: sizes of records.
template <class V, class Z>
struct SegmentRecords {
  static constexpr int width = Width<V>::lanes;

  static int places(const ChainPlan& plan) { return width == 1 ? plan.tail : plan.places; }
  static double* factor_at(const ChainPlan& plan, const ChainNumbers& numbers, int group, int t, int half) {
    const std::int64_t first = static_cast<std::int64_t>(group) * plan.places * 8 * Z::place;
    return numbers.factor + first + static_cast<std::int64_t>(t) * (width == 1 ? 1 : 8) * Z::place + half;
  }
  static double* ends_at(const ChainNumbers& numbers, int group, int half) {
    return numbers.ends + static_cast<std::int64_t>(group) * 8 * Z::end + half;
  }
};

template <class Z>
struct NodeRecords {
  // Entry e of what segment k leaves.
  static double end(const ChainPlan& plan, const ChainNumbers& numbers, int k, int e) {
    const int group = k / 8;
    const double* at = numbers.ends + static_cast<std::int64_t>(group) * 8 * Z::end;
    return group < plan.groups ? at[8 * e + k % 8] : at[e];
  }
  static double* node(const ChainNumbers& numbers, int k) { return numbers.nodes + k * Z::node_size; }
};

// The table of kernels: all lanes of a group as Wide by Wide, the tail as one. Z: sizes of records. Eight, One: a segment in the
// lanes of Wide and in one. can_cut: see ChainKernels.
template <class Z, class Eight, class One, class Nodes,
          bool (*can_cut)(const ChainPlan&, const ChainNumbers&)>
struct KernelTable {
  static constexpr int width = Width<Wide>::lanes;

  template <bool solve>
  static void factor_group(const ChainPlan& plan, const ChainNumbers& numbers, int group,
                           ChainReport* report) {
    if (group == plan.groups) return One::template factor<solve>(plan, numbers, group, 0, report);
    for (int half = 0; half < 8; half += width)
      Eight::template factor<solve>(plan, numbers, group, half, report);
  }
  static void factor(const ChainPlan& plan, const ChainNumbers& numbers, int group, ChainReport* report) {
    if (numbers.x != nullptr)
      factor_group<true>(plan, numbers, group, report);
    else
      factor_group<false>(plan, numbers, group, report);
  }
  static void forward(const ChainPlan& plan, const ChainNumbers& numbers, int group) {
    if (group == plan.groups) return One::forward(plan, numbers, group, 0);
    for (int half = 0; half < 8; half += width) Eight::forward(plan, numbers, group, half);
  }
  static void backward(const ChainPlan& plan, const ChainNumbers& numbers, int group) {
    if (group == plan.groups) return One::backward(plan, numbers, group, 0);
    for (int half = 0; half < 8; half += width) Eight::backward(plan, numbers, group, half);
  }
  static constexpr ChainKernels kernels = {Z::place, Z::end,        Z::node_size, factor, forward,
                                           backward, Nodes::factor, Nodes::solve, can_cut};
};

}  // namespace chain
CATENA_END_DETAIL_ISA
