// How large position rows and the numbers in them are.
#pragma once
#include <catena/math/detail/largest.hpp>
#include <catena/system/system.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace catena::detail {

// Size of the numbers whose roundoff the position rows that are lengths see at q [m]; not of SystemLayout::place_rows.
inline double roundoff_length_at(const SystemLayout& layout, const double* q) {
  if (layout.roundoff_length > 0.0) return layout.roundoff_length;
  return largest_of(q, layout.q_size, 1.0);
}

// The same of rows that see places: the largest coordinate of their bodies.
inline double roundoff_length_at(const PlaceRows& rows, const double* q) {
  double length = rows.fixed;
  for (const int at : rows.q_at)
    for (int k = 0; k < 3 && at >= 0; ++k) length = std::max(length, std::abs(q[at + k]));
  return length;
}

// The rows of the constraint for which that counts, the first ones: its lengths, or all where it has none.
inline int open_count(const SystemLayout& layout, const OpenRows& rows) {
  const int lengths = layout.lengths(rows.dual);
  return lengths > 0 ? lengths : layout.pattern->dual_size[static_cast<std::size_t>(rows.dual)];
}

// The same of rows that hold open differences; not less than other rows see. discrete: State::discrete, null: angles count no
// turns.
inline double roundoff_length_at(const OpenRows& rows, const double* q, const double* discrete) {
  double sum = rows.least;
  for (const OpenRows::Part& part : rows.parts) {
    if (part.angle_at >= 0) {
      if (discrete != nullptr) sum += part.factor * std::abs(discrete[part.angle_at]);
      continue;
    }
    Vec3 way = part.still;
    const auto [from, to] = part.q_at;
    for (int k = 0; k < 3 && to >= 0; ++k) way[k] += q[to + k];
    for (int k = 0; k < 3 && from >= 0; ++k) way[k] -= q[from + k];
    sum += part.factor * norm(way);
  }
  return sum;
}
inline double roundoff_length_at(const SystemLayout& layout, const OpenRows& rows, const double* q,
                                 const double* discrete) {
  const double least =
      layout.lengths(rows.dual) > 0 ? roundoff_length_at(layout, q) : SystemLayout::roundoff_of_cosines;
  return std::max(least, roundoff_length_at(rows, q, discrete));
}

// The largest of open differences; 0: there are none.
inline double largest_open_length(const SystemLayout& layout, const Point& at) {
  double largest = 0.0;
  for (const OpenRows& rows : layout.open_rows)
    largest = std::max(largest, roundoff_length_at(rows, at.q, at.discrete));
  return largest;
}

// Size of the numbers whose roundoff each position row sees, of dual blocks that are asked for in their order.
class RowLengths {
 public:
  RowLengths(const SystemLayout& layout, const Point& at)
      : layout_(layout), at_(at), length_(roundoff_length_at(layout, at.q)) {}

  // Moves on to dual block d.
  void at(int d) {
    own_ = length_;
    rows_ = layout_.lengths(d);
    if (const PlaceRows* places = find(layout_.place_rows, next_place_, d))
      own_ = roundoff_length_at(*places, at_.q);
    if (const OpenRows* open = find(layout_.open_rows, next_open_, d)) {
      own_ = roundoff_length_at(layout_, *open, at_.q, at_.discrete);
      rows_ = open_count(layout_, *open);
    }
  }
  // Of row k of the block.
  double operator[](int k) const { return k < rows_ ? own_ : SystemLayout::roundoff_of_cosines; }

 private:
  template <class Rows>
  static const Rows* find(const std::vector<Rows>& of, std::size_t& next, int d) {
    while (next < of.size() && of[next].dual < d) ++next;
    return next < of.size() && of[next].dual == d ? &of[next] : nullptr;
  }

  const SystemLayout& layout_;
  Point at_;
  double length_, own_ = 0.0;
  int rows_ = 0;
  std::size_t next_place_ = 0, next_open_ = 0;
};

// What gaps are large or small beside: SystemLayout::reach, or of coordinates of their own the largest scale.
inline double size_of_gaps(const SystemLayout& layout) {
  return layout.reach > 0.0 ? layout.reach : *std::max_element(layout.scale.begin(), layout.scale.end());
}
// Of the rows of dual block d.
inline double size_of_gaps(const SystemLayout& layout, int d) {
  return layout.reach_of.empty() ? size_of_gaps(layout) : layout.reach_of[static_cast<std::size_t>(d)];
}

// The row whose gap is largest beside the size of its joint, of a cosine beside 1 at least; a row that is not finite is the
// largest. There are rows.
struct LargestGap {
  int row = 0;      // of all dual rows
  double of = 0.0;  // that size
};
inline LargestGap largest_gap(const SystemLayout& layout, const double* rows) {
  const BlockPattern& p = *layout.pattern;
  LargestGap largest;
  double most = -1.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const double size = size_of_gaps(layout, d);
    const int lengths = layout.lengths(d);
    const int first = p.dual_offset[static_cast<std::size_t>(d)] - p.primal_dimension;
    for (int r = first; r < first + p.dual_size[static_cast<std::size_t>(d)]; ++r) {
      const double of = r - first < lengths ? size : std::max(size, 1.0);
      const double relative = std::abs(rows[r]) / of;
      if (relative <= most) continue;
      largest = {r, of};
      most = relative;
      if (!std::isfinite(rows[r])) return largest;
    }
  }
  return largest;
}

}  // namespace catena::detail
