// The order of a method, fitted to its errors at several steps.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

struct OrderPoint {
  double step = 0.0;  // [s], or a tolerance
  double error = 0.0;
};

struct FittedOrder {
  double order = 0.0;
  double uncertainty = 0.0;             // half the width of an interval of 95 %
  double coarsest = 0.0, finest = 0.0;  // the steps of the points that it comes from
  int points = 0;                       // their number; 0: there is no order
  std::string why_none = {};            // then

  bool known() const { return points > 0; }
};

// error = C step^order, by least squares of the logarithms. floor: how far the solution is known that the errors are
// measured against.
//
// Points whose error is not above 10 times the floor, or not finite, are dropped. Of the rest the longest run of
// neighbours counts whose local orders, from point to point, differ by at most 0.2: steps that are too long for the method
// and those whose errors are roundoff have other ones. At least three points.
//
// With four and more points the next term of the error is fitted with the order, as a factor 1 + c step^r of the error,
// with r = 1 or 2, whichever leaves less; the difference between the two is a part of the uncertainty. The other parts are
// the standard error with Student's factor, and what the floor can change.
FittedOrder fitted_order(std::vector<OrderPoint> points, double floor);

}  // namespace catena::detail
