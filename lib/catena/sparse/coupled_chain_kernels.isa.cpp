// The segments of a chain of coupled bodies place by place, the nodes between them, and the table of kernels.
#include <catena/sparse/detail/chain_table.hpp>
#include <catena/sparse/detail/coupled_place.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {
namespace {

// Where one body finds its numbers: the k-th of segment s.
struct At {
  const std::int32_t* slots;
  int step;
  std::int32_t operator()(ChainSlot s) const { return slots[step * static_cast<int>(s)]; }
};
At body_at(const ChainPlan& plan, int segment, int k) {
  if (segment / 8 < plan.groups) return {plan.place(segment / 8, k) + segment % 8, 8};
  return {plan.tail_place(k), 1};
}

// The coupling between segments k - 1 and k, k > 0; zeros where there is none. r is such that both bodies give what they have of K
// by the same measure, the entries of K against the diagonals of H: r_i^2 = H_ii sum_j |K_ij| / sqrt(H_ii H_jj).
Edge<double> edge_of(const ChainPlan& plan, const ChainNumbers& numbers, int k) {
  Edge<double> edge{};
  const At last = body_at(plan, k - 1, plan.places - 1), first = body_at(plan, k, 0);
  const std::int32_t coupling = last(ChainSlot::coupling);
  if (coupling == -1) return edge;
  const bool swapped = coupling < 0;
  const double *behind = swapped ? numbers.upper : numbers.lower,
               *ahead = swapped ? numbers.lower : numbers.upper;
  const std::int32_t at = swapped ? -2 - coupling : coupling;
  const double *H_last = numbers.H + last(ChainSlot::H), *H_first = numbers.H + first(ChainSlot::H);
  double unit[3];
  for (int j = 0; j < 3; ++j) unit[j] = 1.0 / sqrt(H_first[8 * 7 * (3 + j)]);
  for (int i = 0; i < 3; ++i) {
    double K[3], sum = 0.0;
    for (int j = 0; j < 3; ++j) {
      K[j] = 0.5 * (behind[at + 8 * (6 * (3 + j) + 3 + i)] + ahead[at + 8 * (6 * (3 + i) + 3 + j)]);
      sum = madd(abs(K[j]), unit[j], sum);
    }
    if (sum == 0.0) continue;
    const double square = sqrt(H_last[8 * 7 * (3 + i)]) * sum;
    edge.root[i] = sqrt(square);
    edge.less_last[sym(i, i)] = edge.root[i] * edge.root[i];
    for (int j = 0; j < 3; ++j) edge.share[3 * i + j] = K[j] / edge.root[i];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l <= j; ++l)
        edge.less_first[sym(j, l)] =
            madd(edge.share[3 * i + j], edge.share[3 * i + l], edge.less_first[sym(j, l)]);
  return edge;
}

// Whether enough is left of a body's rotations in H without what a coupling between two segments takes of them.
bool leaves_enough(const double* H, const double* less) {
  double whole[6], rest[6], l[3], d[3], rest_d[3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      const int k = sym(i, j);
      whole[k] = 0.5 * (H[8 * (6 * (3 + i) + 3 + j)] + H[8 * (6 * (3 + j) + 3 + i)]);
      rest[k] = whole[k] - less[k];
    }
  factorise<double, 3>(whole, l, d);
  factorise<double, 3>(rest, l, rest_d);
  for (int i = 0; i < 3; ++i)
    if (!(rest_d[i] > 0.0 && rest_d[i] <= most_taken * d[i])) return false;
  return true;
}

// Before the elimination, which would be in vain where it returns false: the edges of all nodes.
template <int rows>
bool can_cut(const ChainPlan& plan, const ChainNumbers& numbers) {
  using Z = CoupledSizes<rows>;
  for (int k = 1; k < plan.segments(); ++k) {
    const Edge<double> edge = edge_of(plan, numbers, k);
    const At last = body_at(plan, k - 1, plan.places - 1), first = body_at(plan, k, 0);
    if (!leaves_enough(numbers.H + last(ChainSlot::H), edge.less_last) ||
        !leaves_enough(numbers.H + first(ChainSlot::H), edge.less_first))
      return false;
    double* const out = numbers.nodes + k * Z::node_size + Z::node_edge;
    for (int i = 0; i < 3; ++i) out[i] = edge.root[i];
    for (int i = 0; i < 9; ++i) out[3 + i] = edge.share[i];
    for (int i = 0; i < 6; ++i) out[12 + i] = edge.less_last[i];
    for (int i = 0; i < 6; ++i) out[18 + i] = edge.less_first[i];
  }
  return true;
}

template <class V, int rows>
struct CoupledRun : SegmentRecords<V, CoupledSizes<rows>> {
  using Z = CoupledSizes<rows>;
  using S = CoupledSegment<V, rows>;
  using Records = SegmentRecords<V, Z>;
  using Records::places, Records::factor_at, Records::ends_at;
  static constexpr int m = Z::m, p = Z::pivots, q = Z::rest, width = Width<V>::lanes,
                       stride = Width<V>::stride;

  // Of the segments of these lanes: the edges in front of them (behind: 0) or behind them (1), zeros at the ends of the chain.
  static Edge<V> edges(const ChainPlan& plan, const ChainNumbers& numbers, int first, int behind) {
    alignas(64) double value[24 * 8];
    for (int l = 0; l < width; ++l) {
      const int k = first + l + behind;
      const bool is_there = k > 0 && k < plan.segments();
      for (int e = 0; e < 24; ++e)
        value[8 * e + l] = is_there ? numbers.nodes[k * Z::node_size + Z::node_edge + e] : 0.0;
    }
    Edge<V> all;
    for (int i = 0; i < 3; ++i) all.root[i] = get<V>(value + 8 * i);
    for (int i = 0; i < 9; ++i) all.share[i] = get<V>(value + 8 * (3 + i));
    for (int i = 0; i < 6; ++i) all.less_last[i] = get<V>(value + 8 * (12 + i));
    for (int i = 0; i < 6; ++i) all.less_first[i] = get<V>(value + 8 * (18 + i));
    return all;
  }

  template <bool Solve>
  static void factor(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half,
                     ChainReport* found) {
    alignas(64) double before_copy[8 * rows * 6], after_copy[8 * rows * 6];
    const int count = places(plan);
    const Edge<V> in_front = edges(plan, numbers, 8 * group + half, 0),
                  behind = edges(plan, numbers, 8 * group + half, 1);
    S segment;
    segment.begin();
    RecordBuffer<V, Z> buffer(plan);
    for (int t = 0; t < count; ++t) {
      Records::template fetch_matrix<rows, true, true>(plan, numbers, group, t, half);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      const bool is_first = t == 0, is_last = t == count - 1;
      const Source before = read.side(numbers.C, ChainSlot::before, is_first, before_copy),
                   after = read.side(numbers.C, ChainSlot::after, is_last, after_copy);
      V K[9], less[6], D[m], s[m] = {}, b[6] = {};
      if (is_last)
        for (int k = 0; k < 9; ++k) K[k] = k % 4 == 0 ? behind.root[k / 4] : V(0.0);
      else
        read.coupling(K);
      for (int k = 0; k < 6 && (is_first || is_last); ++k)
        less[k] = (is_first ? in_front.less_first[k] : V(0.0)) + (is_last ? behind.less_last[k] : V(0.0));
      read.compliance(is_first, D);
      if constexpr (Solve) read.values(is_first, s, b);
      double* const record = factor_at(plan, numbers, group, t, half);
      segment.template eliminate<Solve>(is_first ? &in_front : nullptr, is_first || is_last ? less : nullptr,
                                        t, numbers.H, read.of(ChainSlot::H), before, after, K, D, s, b,
                                        buffer.begin(record));
      buffer.end(record);
    }
    buffer.finish();
    double* const out = ends_at(numbers, group, half);
    for (int k = 0; k < Z::triangle; ++k) put(out + stride * (Z::left + k), segment.left[k]);
    put_all<V, m>(out + stride * Z::next_scale, segment.next_scale);
    put_all<V, m>(out + stride * Z::node_scale, segment.node_scale);
    if constexpr (Solve) put_all<V, q>(out + stride * Z::left_value, segment.value);
    report(plan, segment.watch, group, half, found);
  }

  static void forward(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half) {
    S segment;
    segment.begin_values();
    for (int t = 0; t < places(plan); ++t) {
      Records::fetch_record(plan, numbers, group, t, 1);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      V s[m], b[6];
      read.values(t == 0, s, b);
      segment.forward(t == 0, s, b, factor_at(plan, numbers, group, t, half));
    }
    put_all<V, q>(ends_at(numbers, group, half) + stride * Z::left_value, segment.value);
  }

  static void backward(const ChainPlan& plan, const ChainNumbers& numbers, int group, int half) {
    // The solution of the nodes behind the segments and of those in front of them.
    V u[q];
    for (int i = 0; i < q; ++i) {
      alignas(64) double value[8];
      for (int l = 0; l < width; ++l) {
        const int k = 8 * group + half + l + (i < p ? 1 : 0);
        value[l] = k < plan.nodes() ? numbers.nodes[k * Z::node_size + Z::node_z + i % p] : 0.0;
      }
      u[i] = get<V>(value);
    }
    double* const rows_out = numbers.x + plan.primal_dimension;
    for (int t = places(plan) - 1; t >= 0; --t) {
      Records::fetch_record(plan, numbers, group, t, -1);
      const Reading<V, rows> read(plan, numbers, group, t, half);
      V b[6];
      read.body_values(b);
      S::backward(t == 0, u, b, factor_at(plan, numbers, group, t, half));
      for (int i = 0; i < 6; ++i) give(numbers.x + i, read.of(ChainSlot::body), b[i]);
      for (int i = 0; i < m && t > 0; ++i) give(rows_out + i, read.of(ChainSlot::rows), u[3 + i]);
    }
  }
};

// The nodes: edge rows and rows of a joint between two segments, one node after the other.
template <int rows>
struct CoupledNodes : NodeRecords<CoupledSizes<rows>> {
  using Z = CoupledSizes<rows>;
  using NodeRecords<Z>::end, NodeRecords<Z>::node;
  static constexpr int m = Z::m, p = Z::pivots;

  // Where a node's rows are among all rows; -1: it has none.
  static int rows_at(const ChainPlan& plan, int k) {
    return k == plan.segments() ? plan.last_rows : body_at(plan, k, 0)(ChainSlot::rows);
  }

  static void factor(const ChainPlan& plan, const ChainNumbers& numbers, ChainReport* found) {
    double carried[Z::half] = {};
    Watch<double> watch;
    for (int k = 0; k < plan.nodes(); ++k) {
      const bool segment = k < plan.segments();
      const int row = rows_at(plan, k);
      double a[Z::half], compliance[m], by_segments[m];
      for (int i = 0; i < m; ++i)
        compliance[i] = row < 0 ? 1.0 : numbers.D[row + i] + numbers.proximal[row + i];
      for (int i = 0; i < p; ++i) {
        for (int j = 0; j <= i; ++j) {
          double sum = carried[sym(i, j)];
          if (segment) sum += end(plan, numbers, k, sym(p + i, p + j));
          if (k > 0) sum += end(plan, numbers, k - 1, sym(i, j));
          a[sym(i, j)] = sum;
        }
        a[sym(i, i)] -= i < 3 ? 1.0 : compliance[i - 3];
        if (i >= 3) by_segments[i - 3] = carried[sym(i, i)] - a[sym(i, i)];
      }
      double* const f = node(numbers, k);
      double* const d = f + Z::node_d;
      factorise<double, p>(a, f + Z::node_L, d);
      for (int i = 0; i < p; ++i) watch.see(-d[i]);
      for (int i = 0; i < m && row >= 0; ++i) {
        double scale = compliance[i];
        if (segment) scale += end(plan, numbers, k, Z::node_scale + i);
        if (k > 0) scale += end(plan, numbers, k - 1, Z::next_scale + i);
        watch.see_row(node_ratio(scale, by_segments[i], -d[3 + i]), k);
      }
      if (!segment) break;
      double W[p * p];
      double* const to_next = f + Z::node_next;
      for (int i = 0; i < p; ++i) {
        double* const w = W + i * p;
        for (int j = 0; j < p; ++j) w[j] = end(plan, numbers, k, sym(p + j, i));
        solve_rows<double, 1, p>(f + Z::node_L, w);
        for (int j = 0; j < p; ++j) to_next[i * p + j] = w[j] * d[j];
        for (int j = 0; j <= i; ++j) {
          double sum = 0.0;
          for (int c = 0; c < p; ++c) sum = nmadd(w[c], to_next[j * p + c], sum);
          carried[sym(i, j)] = sum;
        }
      }
    }
    found->usual = found->usual && watch.least > 0.0 && watch.sum < 1e300;
    if (watch.weak > found->weak) {
      const int k = static_cast<int>(watch.weak_place);
      found->weak = watch.weak;
      found->weak_at = k == plan.segments() ? plan.bodies() : k / 8 * 8 * plan.places + k % 8;
    }
  }

  static void solve(const ChainPlan& plan, const ChainNumbers& numbers) {
    double* const x = numbers.x + plan.primal_dimension;
    double carried[p] = {};
    for (int k = 0; k < plan.nodes(); ++k) {
      const bool segment = k < plan.segments();
      const int row = rows_at(plan, k);
      double* const f = node(numbers, k);
      double* const z = f + Z::node_z;
      for (int i = 0; i < p; ++i) {
        double sum = carried[i] + (i >= 3 && row >= 0 ? x[row + i - 3] : 0.0);
        if (segment) sum += end(plan, numbers, k, Z::left_value + p + i);
        if (k > 0) sum += end(plan, numbers, k - 1, Z::left_value + i);
        z[i] = sum;
      }
      forward_solve<double, p>(f + Z::node_L, z);
      for (int i = 0; i < p && segment; ++i) {
        double sum = 0.0;
        for (int c = 0; c < p; ++c) sum = nmadd(f[Z::node_next + i * p + c], z[c], sum);
        carried[i] = sum;
      }
      for (int c = 0; c < p; ++c) z[c] *= f[Z::node_d + c];
    }
    for (int k = plan.nodes() - 1; k >= 0; --k) {
      const int row = rows_at(plan, k);
      double* const f = node(numbers, k);
      double* const z = f + Z::node_z;
      for (int i = 0; i < p && k + 1 < plan.nodes(); ++i)
        for (int c = 0; c < p; ++c)
          z[c] = nmadd(f[Z::node_next + i * p + c], node(numbers, k + 1)[Z::node_z + i], z[c]);
      backward_solve<double, p>(f + Z::node_L, z);
      for (int i = 0; i < m && row >= 0; ++i) x[row + i] = z[3 + i];
    }
  }
};

template <int rows>
using CoupledTable = KernelTable<CoupledSizes<rows>, CoupledRun<Wide, rows>, CoupledRun<double, rows>,
                                 CoupledNodes<rows>, can_cut<rows>>;

}  // namespace
}  // namespace chain

const ldl::ChainKernels& coupled_chain_kernels(int rows) {
  using namespace chain;
  return rows == 4   ? CoupledTable<4>::kernels
         : rows == 5 ? CoupledTable<5>::kernels
                     : CoupledTable<6>::kernels;
}

CATENA_END_DETAIL_ISA
