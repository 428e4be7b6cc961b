// A point on a circle, pushed by a discrete value.
#pragma once
#include <catena/system/coordinate_system.hpp>

namespace catena_test {

// x^2 + y^2 = 1; discrete[0] newtons push along x, `push` of them at the start.
struct Pushed {
  static constexpr int coordinates = 2, discrete = 1;
  static constexpr const char* name = "pushed";
  double push = 0.0;
  catena::Vec<double, 1> initial_discrete() const { return {{push}}; }
  template <class S>
  catena::Mat<S, 2, 2> mass(const catena::Vec<S, 2>&) const {
    return {{S(1.0), S(0.0), S(0.0), S(1.0)}};
  }
  template <class S>
  catena::Vec<S, 2> force(const catena::Vec<S, 2>&, const catena::Vec<S, 2>&, const S&,
                          const double* values) const {
    return {{S(values[0]), S(0.0)}};
  }
  template <class S>
  catena::Vec<S, 1> gap(const catena::Vec<S, 2>& q, const S&) const {
    return {{0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0)}};
  }
};

}  // namespace catena_test
