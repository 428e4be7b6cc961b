// Where the records of segments and of nodes are, and the table of kernels: what chains with and without couplings share.
// Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/block_ldl_traffic.hpp>
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
  // In a chain that is larger than the caches: fetches the record of the place that a sweep comes to eight places later, in the
  // direction of `step`. Of two, four and eight places this is the best, by a few percent.
  static void fetch_record(const ChainPlan& plan, const ChainNumbers& numbers, int group, int t, int step) {
    const int later = t + 8 * step;
    if (!plan.far || later < 0 || later >= places(plan)) return;
    const double* record = factor_at(plan, numbers, group, later, 0);
    for (int k = 0; k < Z::place * Width<V>::stride; k += 8) __builtin_prefetch(record + k, 0, 2);
    __asm__ volatile("");  // see detail::fetch()
  }
  // The same for what a place reads of the matrix, sixteen places later, and of its lines an eighth: a line holds eight places of
  // a segment. split, symmetric: see ChainPlan.
  template <int rows, bool split, bool symmetric>
  static void fetch_matrix(const ChainPlan& plan, const ChainNumbers& numbers, int group, int t, int half) {
    constexpr int first = split ? 3 : 0, n = 6 - first;
    if (!plan.far || t + 16 >= places(plan)) return;
    const Reading<V, rows> later(plan, numbers, group, t + 16, half);
    const auto fetch_block = [&](const double* pool, ChainSlot slot, int row, int row_count) {
      const std::int32_t* at = later.of(slot);
      for (int k = t % 8; k < row_count * n + (split ? 1 : 0); k += 8) {
        const int entry = k == row_count * n ? 0 : 6 * (row + k / n) + first + k % n;
        for (int l = 0; l < width; ++l)
          if (at[l] >= 0) __builtin_prefetch(pool + at[l] + 8 * entry, 0, 2);
      }
      __asm__ volatile("");  // see detail::fetch()
    };
    fetch_block(numbers.H, ChainSlot::H, first, n);
    fetch_block(numbers.C, ChainSlot::before, 0, rows);
    fetch_block(numbers.C, ChainSlot::after, 0, rows);
    if constexpr (!symmetric) {
      fetch_block(numbers.Bt, ChainSlot::before, 0, rows);
      fetch_block(numbers.Bt, ChainSlot::after, 0, rows);
    }
  }
  static double* ends_at(const ChainNumbers& numbers, int group, int half) {
    return numbers.ends + static_cast<std::int64_t>(group) * 8 * Z::end + half;
  }
};

// Where the record of a place is made: where it belongs or, in a chain that is larger than the caches, in a buffer that is then
// stored without reading the lines first.
template <class V, class Z>
class RecordBuffer {
 public:
  // Half a line at a time gains nothing.
  explicit RecordBuffer(const ChainPlan& plan) : past_(may_pass && plan.far) {}
  double* begin(double* place) { return past_ ? buffer_ : place; }
  void end(double* place) const {
    if constexpr (may_pass)
      for (int k = 0; k < 8 * Z::place && past_; k += 8)
        ldl_front::store_past_caches(place + k, load(buffer_ + k));
  }
  void finish() const {
    if (past_) ldl_front::order_stores();
  }

 private:
  static constexpr bool may_pass = CATENA_ISA_LEVEL == 2 && Width<V>::lanes == 8;
  const bool past_;
  alignas(64) double buffer_[8 * Z::place];
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
