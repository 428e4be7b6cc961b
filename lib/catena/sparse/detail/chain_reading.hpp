// The numbers of one place of a chain, where the plan says that they are. Included by *.isa.cpp files only.
#pragma once
#include <catena/sparse/detail/chain_kernels.hpp>
#include <catena/sparse/detail/chain_lanes.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {

using namespace catena::detail::ldl;

// Where C and its like are read: in the matrix, or in a copy where rows are missing.
struct Source {
  const double* pool;
  const std::int32_t* at;
};

// The findings about pivots of all lanes.
template <class V>
struct Watch {
  V least = V(1e300), sum = V(0.0);       // of the reciprocal pivots
  V weak = V(0.0), weak_place = V(-1.0);  // of rows
  V shrink = V(1.0);                      // see ChainReport
  CATENA_INLINE void see(const V& reciprocal) {
    least = select_less(reciprocal, least, reciprocal, least);
    sum = sum + reciprocal;
  }
  CATENA_INLINE void see_growth(const V& ratio) { shrink = select_less(ratio, shrink, ratio, shrink); }
  CATENA_INLINE void see_row(const V& ratio, double place) {
    weak_place = select_less(weak, ratio, V(place), weak_place);
    weak = select_less(weak, ratio, ratio, weak);
  }
};

// The scale of a row of a node over its pivot, for the report. left: of its diagonal, by the segments at both of its sides.
//
// The scale counts the two bodies of a row alone. Where the segments between nodes are long and stiff, they leave less of it by
// the third power of their length, 1e-6 for 62 hinges in a line, though no row depends on others. Whoever looks for such rows
// has thresholds that know no lengths. So the logarithm of the ratio counts from what the segments leave, which is 1, to 1e-10,
// which is left as it is: a row counts as dependent there (stepper/guards/detail/dependent_rows.hpp).
inline double node_ratio(double scale, double left, double reciprocal) {
  constexpr double decades = 10.0;
  const double whole = scale * reciprocal;
  if (!(left * reciprocal > 1.0)) return whole;
  const double above = decades - __builtin_log10(whole), most = decades - __builtin_log10(scale / left);
  if (!(above > 0.0 && most > above)) return whole;
  return __builtin_pow(10.0, decades * (1.0 - above / most));
}

// Adds them to the report of a group or, by one lane, of the tail.
template <class V>
void report(const ChainPlan& plan, const Watch<V>& watch, int group, int half, ChainReport* report) {
  constexpr int width = Width<V>::lanes;
  alignas(64) double least[8], sum[8], weak[8], place[8], shrink[8];
  put(least, watch.least);
  put(sum, watch.sum);
  put(weak, watch.weak);
  put(place, watch.weak_place);
  put(shrink, watch.shrink);
  for (int l = 0; l < width; ++l) {
    report->shrink = shrink[l] < report->shrink ? shrink[l] : report->shrink;
    report->usual = report->usual && least[l] > 0.0 && sum[l] < 1e300;
    if (!(weak[l] > report->weak)) continue;
    report->weak = weak[l];
    const int t = static_cast<int>(place[l]);
    report->weak_at = 8 * group * plan.places + (width == 1 ? t : 8 * t + half + l);
  }
}

// Zeros in the place of rows that are not there, and one a lane.
constexpr std::int32_t own_lane[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// The numbers of one place in the lanes of V. half: the first of them.
template <class V, int rows>
struct Reading {
  static constexpr int width = Width<V>::lanes, slot = width == 1 ? 1 : 8;
  const ChainPlan& plan;
  const ChainNumbers& numbers;
  const std::int32_t* at;  // of the place, at the first lane

  Reading(const ChainPlan& p, const ChainNumbers& n, int group, int t, int half)
      : plan(p), numbers(n), at(width == 1 ? p.tail_place(t) : p.place(group, t) + half) {}

  // Of one body, by the start of its numbers in the plan.
  Reading(const ChainPlan& p, const ChainNumbers& n, const std::int32_t* one)
      : plan(p), numbers(n), at(one) {}

  const std::int32_t* of(ChainSlot s) const { return at + slot * static_cast<int>(s); }

  // C or B^T of one side, by their pool; through `copy` where the rows of a lane are missing. copy: 8 * rows * 6 doubles.
  Source side(const double* pool, ChainSlot s, bool may_miss, double* copy) const {
    const std::int32_t* index = of(s);
    bool missing = false;
    for (int l = 0; l < width && may_miss; ++l) missing = missing || index[l] < 0;
    if (!missing) return {pool, index};
    for (int e = 0; e < rows * 6; ++e)
      for (int l = 0; l < width; ++l) copy[8 * e + l] = index[l] < 0 ? 0.0 : pool[index[l] + 8 * e];
    return {copy, own_lane};
  }

  // D of the rows before the body; rows that are not there: 1.
  void compliance(bool may_miss, V* out) const {
    const std::int32_t* index = of(ChainSlot::rows);
    bool missing = false;
    for (int l = 0; l < width && may_miss; ++l) missing = missing || index[l] < 0;
    for (int i = 0; i < rows; ++i) {
      if (!missing) {
        out[i] = take<V>(numbers.D + i, index) + take<V>(numbers.proximal + i, index);
        continue;
      }
      alignas(64) double value[8];
      for (int l = 0; l < width; ++l)
        value[l] = index[l] < 0 ? 1.0 : numbers.D[index[l] + i] + numbers.proximal[index[l] + i];
      out[i] = get<V>(value);
    }
  }
  void values(bool may_miss, V* s, V* b) const {
    const std::int32_t* index = of(ChainSlot::rows);
    const double* x = numbers.x + plan.primal_dimension;
    bool missing = false;
    for (int l = 0; l < width && may_miss; ++l) missing = missing || index[l] < 0;
    for (int i = 0; i < rows; ++i) {
      if (!missing) {
        s[i] = take<V>(x + i, index);
        continue;
      }
      alignas(64) double value[8];
      for (int l = 0; l < width; ++l) value[l] = index[l] < 0 ? 0.0 : x[index[l] + i];
      s[i] = get<V>(value);
    }
    body_values(b);
  }
  // Rotations of the body behind it (rows) and of it (columns) in H, the symmetric part of the matrix. K: 3 x 3.
  void coupling(V* K) const {
    const std::int32_t* index = of(ChainSlot::coupling);
    bool direct = true;
    for (int l = 0; l < width; ++l) direct = direct && index[l] >= 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int here = 8 * (6 * (3 + i) + 3 + j), there = 8 * (6 * (3 + j) + 3 + i);
        if (direct) {
          K[3 * i + j] =
              V(0.5) * (take<V>(numbers.lower + here, index) + take<V>(numbers.upper + there, index));
          continue;
        }
        alignas(64) double value[8];
        for (int l = 0; l < width; ++l) {
          const bool swapped = index[l] < 0;
          const std::int32_t from = swapped ? -2 - index[l] : index[l];
          const double *rows_behind = swapped ? numbers.upper : numbers.lower,
                       *columns_behind = swapped ? numbers.lower : numbers.upper;
          value[l] = index[l] == -1 ? 0.0 : 0.5 * (rows_behind[from + here] + columns_behind[from + there]);
        }
        K[3 * i + j] = get<V>(value);
      }
  }
  void body_values(V* b) const {
    for (int i = 0; i < 6; ++i) b[i] = take<V>(numbers.x + i, of(ChainSlot::body));
  }
};

}  // namespace chain
CATENA_END_DETAIL_ISA
