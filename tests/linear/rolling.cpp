// Steady motions with rolling: the bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), the upright disc.
#include <catena/problems/rolling_disc.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace {

using namespace catena;
using namespace catena::test;

// The root of f between two speeds, by bisection to the last bit.
double root(double low, double high, const std::function<double(double)>& f) {
  const double sign = f(low);
  REQUIRE(sign * f(high) < 0.0);
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) * sign > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TEST_CASE("bicycle: all eigenvalues at rest and at 5 m/s to 1e-9") {
  const std::vector<std::complex<double>> rest = eigenvalues(bicycle(0.0));
  REQUIRE(rest.size() == 4);
  for (const double s : {3.131643247907, 5.530943717654})
    for (const double sign : {-1.0, 1.0}) CHECK(distance_to(rest, sign * s) < 1e-9);

  const std::vector<std::complex<double>> rolling = eigenvalues(bicycle(5.0));
  REQUIRE(rolling.size() == 3);
  CHECK(distance_to(rolling, -14.078389692798) < 1e-9);
  CHECK(distance_to(rolling, {-0.775341882196, 4.464867713788}) < 1e-9);
  CHECK(distance_to(rolling, -0.322866429004) < 1e-9);
}

TEST_CASE("bicycle: unstable, stable between the weave and the capsize speed, and those speeds to 1e-8") {
  const auto modes = [](double speed) {
    const MultibodySystem system(bicycle(speed));
    return find_modes(linearize(system, system.initial_state()), {.count = 100});
  };
  CHECK(modes(4.0).unstable == 2);
  CHECK(modes(5.0).unstable == 0);
  CHECK(modes(6.5).unstable == 1);
  const auto largest = [&](double speed, bool real) {
    double growth = -INFINITY;
    for (const Mode& m : modes(speed).modes)
      if ((m.eigenvalue.imag() == 0.0) == real) growth = std::max(growth, m.eigenvalue.real());
    return growth;
  };
  CHECK(std::abs(root(4.0, 4.6, [&](double v) { return largest(v, false); }) - 4.292382536341) < 1e-8);
  CHECK(std::abs(root(5.5, 6.5, [&](double v) { return largest(v, true); }) - 6.024262015388) < 1e-8);
}

TEST_CASE("upright disc: the formula of its eigenvalues, and the critical speed to 1e-10") {
  const double r = 0.4, g = 9.81;
  for (const bool hoop : {false, true}) {
    const double C = (hoop ? 1.0 : 0.5) * r * r, A = 0.5 * C;
    const auto square = [&](double spin) {
      return -(C * (C + r * r) * spin * spin / A - g * r) / (A + r * r);
    };
    // s^2 of the model: of the nonzero pair.
    const auto computed = [&](double spin) {
      const std::vector<std::complex<double>> s = eigenvalues(upright_disc(spin, r, C, A, g));
      REQUIRE(!s.empty());
      return (s.front() * s.front()).real();
    };
    for (const double spin : {0.5, 2.0, 5.0})
      CHECK(std::abs(computed(spin) - square(spin)) < 1e-11 * std::abs(square(spin)));
    // s^2 is linear in the squared spin: the line through two speeds meets zero at the critical one.
    const double a = 1.0, b = 9.0, sa = computed(1.0), sb = computed(3.0);
    const double critical = a - sa * (b - a) / (sb - sa);
    CHECK(std::abs(std::sqrt(critical) - std::sqrt(hoop ? g / (4.0 * r) : g / (3.0 * r))) < 1e-10);
  }
}

TEST_CASE("the iteration finds the weave of the bicycle that dense matrices find") {
  const MultibodySystem system(bicycle(5.0));
  const LinearMotion motion = linearize(system, system.initial_state());
  const Modes modes = find_modes(motion, {.count = 3, .shift = 1.0, .largest_dense = 0});
  CAPTURE(modes.culprit.quantity);
  REQUIRE(modes.status == Status::ok);
  CHECK(modes.method == "Arnoldi");
  std::vector<std::complex<double>> s;
  for (const Mode& m : modes.modes) s.push_back(m.eigenvalue);
  CHECK(distance_to(s, {-0.775341882196, 4.464867713788}) < 1e-6);  // a Jordan block at zero is as near
}

TEST_CASE(
    "the iteration agrees with dense matrices about a disc that rolls in a circle, in a frame that turns") {
  const MultibodySystem system(RollingDiscProblem({.motion = RollingDiscParameters::Motion::steady}).model());
  const LinearMotion motion = linearize(system, system.initial_state());
  REQUIRE(motion.status == Status::ok);
  CHECK(norm(motion.turning) > 1.0);
  const Modes dense = find_modes(motion, {.count = 100});
  // Zeros of Jordan blocks come out near zero and count as modes.
  const Modes modes = find_modes(motion, {.count = 4, .shift = 1.0, .largest_dense = 0});
  REQUIRE(modes.status == Status::ok);
  REQUIRE(dense.modes.size() == 2);
  std::vector<std::complex<double>> s;
  for (const Mode& m : modes.modes) s.push_back(m.eigenvalue);
  for (const Mode& m : dense.modes) CHECK(distance_to(s, m.eigenvalue) < 1e-6);
}

}  // namespace
