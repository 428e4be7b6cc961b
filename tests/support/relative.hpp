// Comparisons whose tolerance is what it says.
//
// doctest::Approx(x).epsilon(e) accepts |x - y| < e (1 + max(|x|, |y|)): for values below one that is an absolute
// tolerance, so that an error of 5e-6 "to four digits" passes whatever it is, and an order of 2 to 0.025 passes
// with 0.075. Here the scale of 1 is gone, or is there as a number.
#pragma once
#include <doctest/doctest.h>

namespace catena_test {

// |value - y| < epsilon max(|value|, |y|). Nothing but zero is near zero by this measure: compare with zero by a bound.
inline doctest::Approx relative(double value, double epsilon) {
  return doctest::Approx(value).scale(1e-290).epsilon(epsilon);  // not 0: zero equals zero
}

// |value - y| < epsilon (size + max(|value|, |y|)): a component, which may vanish, of a quantity of that size, whose
// error is one of the whole quantity.
inline doctest::Approx component(double value, double epsilon, double size = 1.0) {
  return doctest::Approx(value).scale(size).epsilon(epsilon);
}

}  // namespace catena_test
