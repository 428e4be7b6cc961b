// Orders of methods from errors whose order is known.
#include <catena/study/detail/fitted_order.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using namespace catena::detail;

namespace {

std::vector<OrderPoint> halved_steps(int count, const std::function<double(double)>& error) {
  std::vector<OrderPoint> points;
  for (int k = 0; k < count; ++k) points.push_back({std::ldexp(0.1, -k), error(std::ldexp(0.1, -k))});
  return points;
}

// The interval holds the order, and is no wider than it must be.
void check_order_of(const std::vector<OrderPoint>& points, double order, double widest, double floor = 0.0) {
  const FittedOrder found = fitted_order(points, floor);
  REQUIRE(found.known());
  CAPTURE(found.order);
  CAPTURE(found.uncertainty);
  CHECK(std::abs(found.order - order) <= found.uncertainty + 1e-12);
  CHECK(found.uncertainty <= widest);
}

}  // namespace

TEST_CASE("the order of a pure power is found exactly") {
  for (const double order : {1.0, 2.0, 5.0})
    for (const int count : {3, 4, 7})
      check_order_of(halved_steps(count, [&](double h) { return 3.0 * std::pow(h, order); }), order, 1e-9);
  const FittedOrder found = fitted_order(halved_steps(5, [](double h) { return h * h; }), 0.0);
  CHECK(found.points == 5);
  CHECK(found.coarsest == 0.1);
  CHECK(found.finest == std::ldexp(0.1, -4));
}

TEST_CASE("the next term of the error is not taken for the order") {
  // local orders from 2.26 to 2.04: their mean is off by 0.1
  check_order_of(halved_steps(5, [](double h) { return h * h * (1.0 + 4.0 * h); }), 2.0, 0.06);
  check_order_of(halved_steps(5, [](double h) { return h * h * (1.0 + 20.0 * h * h); }), 2.0, 0.05);
}

TEST_CASE("points at the floor, roundoff and unstable steps are dropped") {
  const double floor = 1e-9;
  // halved steps of order 4 reach the floor at the sixth point
  const auto to_floor = halved_steps(9, [&](double h) { return std::pow(h, 4) + floor; });
  check_order_of(to_floor, 4.0, 0.4, floor);
  CHECK(fitted_order(to_floor, floor).finest > 5e-3);
  // roundoff over h^2, which nobody has announced
  const auto rough = halved_steps(10, [](double h) { return h * h + 1e-13 / (h * h); });
  check_order_of(rough, 2.0, 0.05);
  CHECK(fitted_order(rough, 0.0).points >= 4);
  auto unstable = halved_steps(6, [](double h) { return h * h; });
  unstable[0].error = 1e6;
  unstable[1].error = std::numeric_limits<double>::infinity();
  check_order_of(unstable, 2.0, 1e-9);
  CHECK(fitted_order(unstable, 0.0).points == 4);
}

TEST_CASE("the interval holds the order of errors with noise in 93 of 100 cases at least") {
  // 95 in 100 are expected; of 400 trials 93 in 100 is two standard deviations less
  std::mt19937 generator(1);
  std::normal_distribution<double> noise(0.0, 0.02);
  int held = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const FittedOrder found =
        fitted_order(halved_steps(6, [&](double h) { return h * h * std::exp(noise(generator)); }), 0.0);
    held += found.known() && std::abs(found.order - 2.0) <= found.uncertainty ? 1 : 0;
  }
  CHECK(held >= 372);
}

TEST_CASE("too few points have no order, and the reason is said") {
  const FittedOrder few = fitted_order(halved_steps(2, [](double h) { return h; }), 0.0);
  CHECK_FALSE(few.known());
  CHECK(few.why_none == "2 of 2 errors are above the floor, 3 are needed");
  CHECK(fitted_order(halved_steps(5, [](double) { return 1e-12; }), 1e-12).why_none ==
        "0 of 5 errors are above the floor, 3 are needed");
  const std::vector<OrderPoint> scattered{{0.1, 1.0}, {0.05, 0.1}, {0.025, 0.09}, {0.0125, 1e-4}};
  CHECK(fitted_order(scattered, 0.0).why_none ==
        "the local orders of the finest steps, 0.15 and 9.81, are not alike");
  const FittedOrder nothing =
      fitted_order(halved_steps(4, [](double) { return std::numeric_limits<double>::quiet_NaN(); }), 0.0);
  CHECK_FALSE(nothing.known());
  CHECK(nothing.given == 0);
  CHECK(few.given == 2);
}

TEST_CASE("coarse steps that agree make no order where finer ones disagree") {
  // as where another component is the largest from h = 0.01 on: local orders 5, 5, 5, 4.32, 4, 4, ...
  const auto error = [](double h) { return std::fmax(std::pow(h, 5), 0.01 * std::pow(h, 4)); };
  check_order_of(halved_steps(4, error), 5.0, 1e-9);
  CHECK(fitted_order(halved_steps(5, error), 0.0).why_none ==
        "the local orders of the finest steps, 5.00 and 4.32, are not alike");
  CHECK_FALSE(fitted_order(halved_steps(6, error), 0.0).known());
  check_order_of(halved_steps(7, error), 4.0, 1e-9);
}

TEST_CASE("errors that do not fall show no order, and are the floor of the others") {
  const auto to = [](double floor) {
    return halved_steps(6, [floor](double h) { return std::fmax(std::pow(h, 8), floor); });
  };
  check_order_of(to(1e-15), 8.0, 0.05);  // of 1e-8, 4e-11 and 1.5e-13
  const FittedOrder few = fitted_order(to(1e-13), 0.0);
  CHECK(few.why_none == "2 of 6 errors are above the floor, 3 are needed");  // 1.5e-13 is not
  CHECK_FALSE(fitted_order(to(1.0), 0.0).known());
  CHECK_FALSE(fitted_order(halved_steps(6, [](double h) { return 1e-16 / std::sqrt(h); }), 0.0).known());
}
