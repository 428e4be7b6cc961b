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

// Size of the numbers whose roundoff each position row sees, of dual blocks that are asked for in their order.
class RowLengths {
 public:
  RowLengths(const SystemLayout& layout, const double* q)
      : layout_(layout), q_(q), length_(roundoff_length_at(layout, q)) {}

  // Moves on to dual block d.
  void at(int d) {
    const std::vector<PlaceRows>& places = layout_.place_rows;
    while (next_ < places.size() && places[next_].dual < d) ++next_;
    of_lengths_ =
        next_ < places.size() && places[next_].dual == d ? roundoff_length_at(places[next_], q_) : length_;
    lengths_ = layout_.lengths(d);
  }
  // Of row k of the block.
  double operator[](int k) const { return k < lengths_ ? of_lengths_ : SystemLayout::roundoff_of_cosines; }

 private:
  const SystemLayout& layout_;
  const double* q_;
  double length_, of_lengths_ = 0.0;
  int lengths_ = 0;
  std::size_t next_ = 0;
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
