// By how much rows are violated, in words that people measure in (rows/meaning.hpp).
#pragma once
#include <catena/math/parts/scalar.hpp>
#include <catena/model/rows/meaning.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <int m>
inline double norm_of_rows(const double* r) {
  double sum = 0.0;
  for (int k = 0; k < m; ++k) sum += r[k] * r[k];
  return __builtin_sqrt(sum);
}
// Of rows that are components of a distance, or of a velocity.
template <int m>
inline double by_length(const double* r, const double*) {
  return norm_of_rows<m>(r);
}
// Of rows that are components of one axis across the direction that it should have: the angle between the two lines.
template <int m>
inline double by_sine(const double* r, const double*) {
  const double sine = norm_of_rows<m>(r);
  return std::asin(sine < 1.0 ? sine : 1.0);
}
// Of rows 2 e, where e is the vector part of a unit quaternion: the angle of the whole turn.
inline double by_turn(const double* r, const double*) {
  const double half = 0.5 * norm_of_rows<3>(r);
  return 2.0 * std::asin(half < 1.0 ? half : 1.0);
}

// What rows mean that see orientations alone, and act with equal and opposite moments.
constexpr RowsMeaning of_orientations(RowUnit unit, double (*violation)(const double*, const double*)) {
  return {.unit = unit,
          .positions = PositionUse::none,
          .opposite = Opposite::at_own_point,
          .violation = violation,
          .violation_unit = "rad"};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
