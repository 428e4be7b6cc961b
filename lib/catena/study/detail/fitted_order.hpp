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
  int given = 0;                        // errors that there were to fit
  std::string why_none = {};            // where there is no order

  bool known() const { return points > 0; }
};

// error = C step^order, by least squares of the logarithms. floor: how far the solution is known that the errors are
// measured against.
//
// Points whose error is not above 10 times the floor, or not finite, are dropped. Where the errors of the finest steps do not
// fall any more, with a local order below 0.5 from point to point, the least of them is the floor, which nobody has announced.
// Of the rest those neighbours count that end in the finest step and whose local orders differ by at most 0.2: steps that are
// too long for the method have other ones. At least three points; where the finest steps disagree there is no order, however
// many coarser ones agree.
//
// With four and more points the next term of the error is fitted with the order, as a factor 1 + c step^r of the error,
// with r = 1 or 2, whichever leaves less; the difference between the two is a part of the uncertainty. The other parts are
// the standard error with Student's factor, and what the floor can change.
FittedOrder fitted_order(std::vector<OrderPoint> points, double floor);

}  // namespace catena::detail
