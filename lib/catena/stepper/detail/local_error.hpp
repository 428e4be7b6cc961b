// The error of a step in tolerances: for every stepper that estimates it.
#pragma once
#include <cmath>

namespace catena::detail {

// Root mean square of error_i / tolerance_i, and the component that counts the most. A step is accepted up to 1.
struct LocalError {
  double square = 0.0, largest = 0.0;  // sum of squares, largest magnitude
  int worst = -1;                      // component; -1: no error at all
  bool of_projection = false;  // the largest is what the projection has taken, not what the method leaves

  void add(double error, double tolerance, int component, bool is_of_projection = false) {
    const double relative = tolerance > 0.0 ? error / tolerance : (error == 0.0 ? 0.0 : INFINITY);
    square += relative * relative;
    if (std::abs(relative) <= largest) return;
    largest = std::abs(relative);
    worst = component;
    of_projection = is_of_projection;
  }
  double root_mean_square(std::size_t count) const { return std::sqrt(square / static_cast<double>(count)); }
};

}  // namespace catena::detail
