// How near a small matrix is to a singular one, and along which unknowns.
#pragma once
#include <vector>

namespace catena::detail {

struct NearNullVector {
  double singular_value = 0.0;  // relative to the largest
  std::vector<double> share;    // of every unknown: its square over the sum of squares, in scaled unknowns
};

struct MatrixDiagnosis {
  double condition = 0.0;             // of the scaled matrix; infinity: singular
  std::vector<double> smallest = {};  // singular values relative to the largest, smallest first; five at most
  std::vector<NearNullVector> null{};  // those below `null`, smallest first; five at most
};

// Unknowns up to which a matrix is diagnosed, of twenty bodies or so: the cost grows with their third power.
inline constexpr int most_diagnosed = 240;
// Singular values below it, relative to the largest, count as vanished. Proximal terms hold redundant rows at 1e-12 of
// their scale.
inline constexpr double null_ratio = 1e-10;

// Of a square matrix in compressed columns with finite numbers. Rows and columns are scaled first so that the largest entry
// of each is about 1 (Ruiz, RAL-TR-2001-034), since unknowns and equations have different units.
MatrixDiagnosis diagnose(const std::vector<int>& column, const std::vector<int>& row,
                         const std::vector<double>& value, double null = null_ratio);

}  // namespace catena::detail
