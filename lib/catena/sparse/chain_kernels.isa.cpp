// The segments of a chain place by place, the nodes between them, and the table of kernels.
#include <catena/sparse/detail/chain_place.hpp>
#include <catena/sparse/detail/chain_table.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {
namespace {

template <class V, int rows, bool split, bool symmetric>
struct Run : SegmentRecords<V, Sizes<rows, split, symmetric>> {
  using Z = Sizes<rows, split, symmetric>;
  using S = Segment<V, rows, split, symmetric>;
  using Records = SegmentRecords<V, Z>;
  using Records::places, Records::factor_at, Records::ends_at;
  static constexpr int m = Z::m, width = Width<V>::lanes, stride = Width<V>::stride;

  // Whether the rows before a body are those of a node.
  static bool is_node(const ChainPlan& plan, int t) { return t == 0 && !plan.rooted; }

  static void leave_values(const S& s, double* out) {
    put_all<V, m>(out + stride * Z::node_value, s.node_value);
    put_all<V, m>(out + stride * Z::next_value, s.next_value);
  }
  static void leave(const S& s, double* out) {
    put_all<V, Z::whole>(out + stride * Z::node, s.node);
    put_all<V, m>(out + stride * Z::node_scale, s.node_scale);
    put_all<V, Z::whole>(out + stride * Z::next, s.next);
    put_all<V, m>(out + stride * Z::next_scale, s.next_scale);
    for (int k = 0; k < Z::sides; ++k)
      put_all<V, Z::square>(out + stride * (Z::coupling + k * Z::square), s.coupling[k]);
  }

  template <bool Solve>
  static void factor(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half,
                     ChainReport* found) {
    alignas(64) double before_copy[Z::sides][8 * rows * 6], after_copy[Z::sides][8 * rows * 6];
    S segment;
    RecordBuffer<V, Z> buffer(plan);
    const int count = places(plan);
    if (plan.rooted) segment.begin_without_node();
    for (int t = 0; t < count; ++t) {
      Records::template fetch_matrix<rows, split, symmetric>(plan, numbers, group, t, half);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      Source before[Z::sides], after[Z::sides];
      for (int k = 0; k < Z::sides; ++k) {
        const double* const pool = k == Z::lower ? numbers.C : numbers.Bt;
        before[k] = read.side(pool, ChainSlot::before, t == 0, before_copy[k]);
        after[k] = read.side(pool, ChainSlot::after, t == count - 1, after_copy[k]);
      }
      V D[m], s[m] = {}, b[6] = {};
      read.compliance(t == 0, D);
      if constexpr (Solve) read.values(t == 0, s, b);
      double* const record = factor_at(plan, numbers, group, t, half);
      segment.template eliminate<Solve>(is_node(plan, t), t, numbers.H, read.of(ChainSlot::H), before, after,
                                        D, s, b, buffer.begin(record));
      buffer.end(record);
    }
    buffer.finish();
    double* out = ends_at(numbers, group, half);
    leave(segment, out);
    if constexpr (Solve) leave_values(segment, out);
    report(plan, segment.watch, group, half, found);
  }

  static void forward(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half) {
    const int side = numbers.transposed ? Z::upper : Z::lower;
    S segment;
    const int count = places(plan);
    if (plan.rooted) segment.begin_without_node();
    for (int t = 0; t < count; ++t) {
      Records::fetch_record(plan, numbers, group, t, 1);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      V s[m], b[6];
      read.values(t == 0, s, b);
      segment.forward(is_node(plan, t), side, s, b, factor_at(plan, numbers, group, t, half));
    }
    leave_values(segment, ends_at(numbers, group, half));
  }

  static void backward(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half) {
    // The multipliers of the nodes in front of the segments and behind them, and of the last joint.
    const int side = numbers.transposed ? Z::lower : Z::upper;
    const double* z = numbers.nodes + Z::node_z;
    V node[m], behind[m];
    for (int i = 0; i < m; ++i) {
      alignas(64) double in_front[8], after[8];
      for (int l = 0; l < width; ++l) {
        const int k = 8 * group + half + l;
        in_front[l] = z[k * Z::node_size + i];
        after[l] = k + 1 < plan.nodes() ? z[(k + 1) * Z::node_size + i] : 0.0;
      }
      node[i] = get<V>(in_front);
      behind[i] = get<V>(after);
    }
    double* rows_out = numbers.x + plan.primal_dimension;
    for (int t = places(plan) - 1; t >= 0; --t) {
      Records::fetch_record(plan, numbers, group, t, -1);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      V b[6];
      read.body_values(b);
      S::backward(is_node(plan, t), side, node, behind, b, factor_at(plan, numbers, group, t, half));
      for (int i = 0; i < 6; ++i) give(numbers.x + i, read.of(ChainSlot::body), b[i]);
      for (int i = 0; i < m && !is_node(plan, t); ++i)
        give(rows_out + i, read.of(ChainSlot::rows), behind[i]);
    }
  }
};

// The nodes: rows between segments, one after the other.
template <int rows, bool split, bool symmetric>
struct Nodes : NodeRecords<Sizes<rows, split, symmetric>> {
  using Z = Sizes<rows, split, symmetric>;
  using NodeRecords<Z>::end, NodeRecords<Z>::node;
  static constexpr int m = Z::m, lower = Z::lower, upper = Z::upper, sides = Z::sides;

  // Where a node's rows are in the solution, behind the primal ones; -1: it has no rows.
  static int rows_at(const ChainPlan& plan, int k) {
    if (k == plan.segments()) return plan.last_rows;
    if (plan.rooted) return -1;
    constexpr int slot = static_cast<int>(ChainSlot::rows);
    return k / 8 < plan.groups ? plan.place(k / 8, 0)[8 * slot + k % 8] : plan.tail_place(0)[slot];
  }

  static void factor(const ChainPlan& plan, const ChainNumbers& numbers, ChainReport* report) {
    double carried[Z::whole] = {};
    Watch<double> watch;
    for (int k = 0; k < plan.nodes(); ++k) {
      double S[Z::whole], scale[m], by_segments[m], L[sides][Z::strict];
      const bool segment = k < plan.segments();
      for (int e = 0; e < Z::whole; ++e)
        S[e] = (segment ? end(plan, numbers, k, Z::node + e) : 0.0) + carried[e];
      for (int i = 0; i < m; ++i) {
        const int diagonal = Z::entry(i, i);
        if (!segment) S[diagonal] += numbers.D[plan.last_rows + i] + numbers.proximal[plan.last_rows + i];
        by_segments[i] =
            S[diagonal] - carried[diagonal] + (k > 0 ? end(plan, numbers, k - 1, Z::next + diagonal) : 0.0);
        scale[i] = (segment ? end(plan, numbers, k, Z::node_scale + i)
                            : numbers.D[plan.last_rows + i] + numbers.proximal[plan.last_rows + i]) +
                   (k > 0 ? end(plan, numbers, k - 1, Z::next_scale + i) : 0.0);
      }
      double* f = node(numbers, k);
      factorise_block<double, m, symmetric>(S, L, f + Z::node_d);
      const double* T = f + Z::node_d;
      for (int i = 0; i < m; ++i) {
        watch.see(T[i]);
        if constexpr (!symmetric) watch.see_growth(scale[i] * T[i]);
        if (rows_at(plan, k) >= 0) watch.see_row(node_ratio(scale[i], by_segments[i], T[i]), k);
      }
      for (int s = 0; s < sides; ++s) put_all<double, Z::strict>(f + Z::node_at(s, Z::node_L), L[s]);
      if (!segment) break;
      double R[sides][Z::square];
      for (int s = 0; s < sides; ++s) {
        for (int e = 0; e < Z::square; ++e) R[s][e] = end(plan, numbers, k, Z::coupling + s * Z::square + e);
        solve_rows<double, m, m>(L[upper - s], R[s]);
        double* to_next = f + Z::node_at(s, Z::node_next);
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j) to_next[i * m + j] = R[s][i * m + j] * T[j];
      }
      const double* to_next = f + Z::node_at(upper, Z::node_next);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < (symmetric ? i + 1 : m); ++j) {
          double left = end(plan, numbers, k, Z::next + Z::entry(i, j));
          for (int c = 0; c < m; ++c) left = nmadd(R[lower][i * m + c], to_next[j * m + c], left);
          carried[Z::entry(i, j)] = left;
        }
    }
    report->usual = report->usual && watch.least > 0.0 && watch.sum < 1e300;
    report->shrink = watch.shrink < report->shrink ? watch.shrink : report->shrink;
    if (watch.weak > report->weak) {
      report->weak = watch.weak;
      report->weak_at = place_of(plan, static_cast<int>(watch.weak_place));
    }
  }
  // In Chain::dual_before.
  static int place_of(const ChainPlan& plan, int node) {
    if (node == plan.segments()) return plan.bodies();
    return node / 8 * 8 * plan.places + node % 8;
  }

  static void solve(const ChainPlan& plan, const ChainNumbers& numbers) {
    const int there = numbers.transposed ? upper : lower, back = upper - there;
    double* const x = numbers.x + plan.primal_dimension;
    double carried[m] = {};
    for (int k = 0; k < plan.nodes(); ++k) {
      double* f = node(numbers, k);
      double* z = f + Z::node_z;
      const double* to_next = f + Z::node_at(there, Z::node_next);
      const bool segment = k < plan.segments();
      for (int i = 0; i < m; ++i)
        z[i] = (segment ? end(plan, numbers, k, Z::node_value + i) : -x[plan.last_rows + i]) + carried[i];
      forward_solve<double, m>(f + Z::node_at(there, Z::node_L), z);
      for (int i = 0; i < m && segment; ++i) {
        double left = end(plan, numbers, k, Z::next_value + i);
        for (int c = 0; c < m; ++c) left = nmadd(to_next[i * m + c], z[c], left);
        carried[i] = left;
      }
    }
    for (int k = plan.nodes() - 1; k >= 0; --k) {
      double* f = node(numbers, k);
      double* z = f + Z::node_z;
      const double* to_next = f + Z::node_at(back, Z::node_next);
      for (int i = 0; i < m; ++i) {
        double sum = z[i] * f[Z::node_d + i];
        if (k + 1 < plan.nodes())
          for (int c = 0; c < m; ++c)
            sum = nmadd(to_next[c * m + i], node(numbers, k + 1)[Z::node_z + c], sum);
        z[i] = sum;
      }
      backward_solve<double, m>(f + Z::node_at(back, Z::node_L), z);
      const int at = rows_at(plan, k);
      for (int i = 0; i < m && at >= 0; ++i) x[at + i] = z[i];
    }
  }
};

template <int rows, bool split, bool symmetric>
using Table = KernelTable<Sizes<rows, split, symmetric>, Run<Wide, rows, split, symmetric>,
                          Run<double, rows, split, symmetric>, Nodes<rows, split, symmetric>, nullptr>;

template <bool symmetric>
const ldl::ChainKernels& table(int rows, bool split) {
  if (rows == 5) return Table<5, true, symmetric>::kernels;
  return split ? Table<3, true, symmetric>::kernels : Table<3, false, symmetric>::kernels;
}

}  // namespace
}  // namespace chain

const ldl::ChainKernels& chain_kernels(int rows, bool split, bool symmetric) {
  return symmetric ? chain::table<true>(rows, split) : chain::table<false>(rows, split);
}

CATENA_END_DETAIL_ISA
