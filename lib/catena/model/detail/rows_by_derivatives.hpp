// Rows from the numbers of a function with second derivatives, for laws that are evaluated elsewhere: functions of Python.
#pragma once
#include <catena/math/parts/second_dual.hpp>
#include <catena/model/detail/constraint_evaluation.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/plan.hpp>

#include <vector>

namespace catena::detail {

// A gap between one body or two: (dx, dtheta) of each, then the time.
using GapDual = SecondDual<double, 13>;
// A rate: twelve numbers a body, positions before velocities, then the time.
using RateDual = SecondDual<double, 25>;

// How many doubles the numbers of a row are: the value, first derivatives, second ones of the pairs (i, j), j <= i.
constexpr int numbers_of_row(Level level) {
  return static_cast<int>((level == Level::position ? sizeof(GapDual) : sizeof(RateDual)) / sizeof(double));
}

// The rows of one element.
class RowNumbers {
 public:
  virtual ~RowNumbers() = default;
  virtual void values(const BodyFrame<double>* f, double t, double* out) const = 0;
  // [row] a GapDual or a RateDual; second derivatives are read where these are wanted. Valid as long as this is.
  virtual const void* derivatives(const BodyFrame<double>* f, double t) const = 0;
};

inline constexpr int most_rows_by_derivatives = 6;

rows::Shape shape_by_derivatives(const std::vector<BodyId>& bodies, int rows, Level level, int function = -1);

// One element: one body or two, 1 ... 6 rows.
void evaluate_by_derivatives(const RowNumbers& numbers, int bodies, int rows, Level level,
                             const LaneIo<double>& io, const KernelArgs& args, const ElementGroup& group);

}  // namespace catena::detail
