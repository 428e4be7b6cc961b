// Functions of one number: values, derivatives, what is refused.
#include <catena/model/parts/function.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace functions_tests_here {

namespace functions_tests {
using namespace catena;

constexpr double pi = std::numbers::pi;

// Differences of fourth order with d = 1e-3: d^4 f^(5) / 30 + eps / d.
void check_derivatives(const Function& f, const std::vector<double>& places, double tolerance = 1e-8) {
  constexpr double d = 1e-3;
  for (const double x : places) {
    CAPTURE(x);
    const auto slope_of = [&](auto&& value) {
      return (8.0 * (value(x + d) - value(x - d)) - (value(x + 2 * d) - value(x - 2 * d))) / (12.0 * d);
    };
    const FunctionValue u = f.at(x);
    CHECK(u.slope == doctest::Approx(slope_of([&](double y) { return f.at(y).value; })).epsilon(tolerance));
    CHECK(u.curvature ==
          doctest::Approx(slope_of([&](double y) { return f.at(y).slope; })).epsilon(tolerance));
  }
}

std::vector<double> samples(const std::vector<double>& x, double (*f)(double)) {
  std::vector<double> y;
  for (const double each : x) y.push_back(f(each));
  return y;
}

double cubic(double x) { return 2.0 - x + 0.5 * x * x - 0.25 * x * x * x; }

}  // namespace functions_tests
using namespace functions_tests;

TEST_CASE("named functions: slope and curvature are derivatives of the value") {
  check_derivatives(functions::SmoothStep{1.0, 4.0, 0.5, 2.5}, {0.2, 0.7, 1.3, 2.2, 2.9});
  check_derivatives(functions::Ramp{1.0, 4.0, 0.5, 2.5}, {0.2, 0.7, 2.2, 2.9});
  check_derivatives(functions::Sine{0.7, 1.5, 0.3, 2.0}, {-1.0, 0.0, 0.4, 7.0});
  check_derivatives(functions::Chirp{0.7, 0.5, 2.5, 3.0, 0.3, 1.0}, {-0.5, 0.7, 2.2, 3.5});
  check_derivatives(functions::Polynomial{{1.0, -2.0, 0.5, 0.25}}, {-1.5, 0.0, 0.8});
  check_derivatives(Function(3.5), {-1.0, 2.0});
  check_derivatives(Function::of([](auto x) { return exp(-0.5 * x) * sin(3.0 * x); }), {-0.3, 0.0, 1.2});
}

TEST_CASE("functions have integrals, across the points of tables and the ends of ramps") {
  const auto check = [](const Function& f, const std::vector<double>& places) {
    constexpr double d = 1e-3;
    CHECK(f.has_integral());
    for (const double x : places) {
      CAPTURE(x);
      const auto v = [&](double y) { return f.integral(y); };
      const double slope = (8.0 * (v(x + d) - v(x - d)) - (v(x + 2 * d) - v(x - 2 * d))) / (12.0 * d);
      CHECK(slope == doctest::Approx(f.at(x).value).epsilon(1e-9));
    }
  };
  check(functions::SmoothStep{1.0, 4.0, 0.5, 2.5}, {0.2, 0.7, 1.3, 2.2, 2.9});
  check(functions::Ramp{1.0, 4.0, 0.5, 2.5}, {0.2, 0.7, 2.2, 2.9});
  check(functions::Sine{0.7, 1.5, 0.3, 2.0}, {-1.0, 0.0, 0.4});
  check(functions::Sine{0.7, 0.0, 0.3, 2.0}, {-1.0, 0.4});
  check(functions::Polynomial{{1.0, -2.0, 0.5, 0.25}}, {-1.5, 0.1, 0.8});
  check(Function(3.5), {-1.0, 2.0});
  for (const functions::Spline spline :
       {functions::Spline::cubic, functions::Spline::monotone, functions::Spline::linear}) {
    const functions::Table table{
        {-1.0, -0.5, 0.0, 2.0, 3.0}, {-4.0, -1.0, 0.0, 1.0, -2.0}, spline, functions::Beyond::hold};
    check(table, {-1.5, -0.8, -0.3, 0.4, 1.9, 2.5, 3.5});
    const Function f = table;
    const double eps = 1e-9;
    for (const double x : table.x)  // no jump at the points
      CHECK(f.integral(x + eps) - f.integral(x - eps) ==
            doctest::Approx(2.0 * eps * f.at(x).value).epsilon(1e-5));
    CHECK(std::min({f.integral(-1.0), f.integral(0.0), f.integral(3.0)}) == 0.0);
  }
  CHECK(std::isnan(Function(functions::Table{{0.0, 1.0}, {0.0, 1.0}}).integral(2.0)));
  CHECK_FALSE(Function(functions::Chirp{}).has_integral());
  CHECK_FALSE(Function::of([](auto x) { return 2.0 * x; }).has_integral());
}

TEST_CASE("named functions: values") {
  const Function ramp = functions::Ramp{1.0, 4.0, 0.5, 2.5}, step = functions::SmoothStep{1.0, 4.0, 0.5, 2.5};
  for (const Function* f : {&ramp, &step}) {
    CHECK(f->at(-1.0).value == 1.0);
    CHECK(f->at(1.5).value == doctest::Approx(2.5).epsilon(1e-15));
    CHECK(f->at(9.0).value == 4.0);
    CHECK(f->at(9.0).slope == 0.0);
  }
  // Twice continuously differentiable: at the ends, from inside, all derivatives go to zero.
  for (const double x : {0.5 + 1e-9, 2.5 - 1e-9}) {
    CHECK(std::abs(step.at(x).slope) < 1e-7);
    CHECK(std::abs(step.at(x).curvature) < 1e-7);
  }
  const Function sine =
      functions::Sine{.amplitude = 2.0, .frequency = 0.25, .phase = 0.5 * pi, .offset = 1.0};
  CHECK(sine.at(0.0).value == doctest::Approx(3.0).epsilon(1e-15));
  CHECK(sine.at(2.0).value == doctest::Approx(-1.0).epsilon(1e-15));
  CHECK(Function(functions::Polynomial{{1.0, -2.0, 0.5}}).at(2.0).value == -1.0);
  CHECK(Function(7.0).at(1e9).value == 7.0);
  CHECK(Function(7.0).is_constant());
  CHECK(!Function(7.0).is_zero());
  CHECK(Function().is_zero());
}

TEST_CASE("chirp: periods are as long as its frequency says, without a jump where the frequency stays") {
  const functions::Chirp c{.amplitude = 1.0, .frequency = 1.0, .end_frequency = 5.0, .duration = 2.0};
  const Function f = c;
  // Phase of a sine of rising frequency: 2 pi (f0 t + (f1 - f0) t^2 / (2 T)); a turn of the frequency 5 afterwards.
  for (const double t : {0.3, 1.1, 1.9})
    CHECK(f.at(t).value == doctest::Approx(std::sin(2.0 * pi * (t + t * t))).epsilon(1e-13));
  CHECK(f.at(2.0 - 1e-12).value == doctest::Approx(f.at(2.0 + 1e-12).value).epsilon(1e-9));
  CHECK(f.at(2.0 - 1e-12).slope == doctest::Approx(f.at(2.0 + 1e-12).slope).epsilon(1e-9));
  CHECK(f.at(2.37).value == doctest::Approx(f.at(2.57).value).epsilon(1e-12));
}

TEST_CASE("the highest frequency between two instants is that of sines and chirps alone") {
  CHECK(Function(functions::Sine{.amplitude = 2.0, .frequency = -3.0}).highest_frequency(0.0, 1.0) == 3.0);
  CHECK(Function(functions::Sine{.amplitude = 0.0, .frequency = 3.0}).highest_frequency(0.0, 1.0) == 0.0);
  const Function chirp =
      functions::Chirp{.amplitude = 1.0, .frequency = 1.0, .end_frequency = 5.0, .duration = 2.0};
  CHECK(chirp.highest_frequency(0.0, 1.0) == doctest::Approx(3.0));
  CHECK(chirp.highest_frequency(1.0, 9.0) == doctest::Approx(5.0));
  CHECK(chirp.highest_frequency(-2.0, -1.0) == doctest::Approx(1.0));
  CHECK(Function(functions::Ramp{}).highest_frequency(0.0, 1.0) == 0.0);
  CHECK(Function(7.0).highest_frequency(0.0, 1.0) == 0.0);
}

TEST_CASE("table: the cubic spline is a cubic where the points are, of two, three and more points") {
  const std::vector<double> x{-1.0, -0.2, 0.5, 0.9, 2.0};
  const Function f = functions::Table{x, samples(x, cubic)};
  for (const double at : {-1.0, -0.7, 0.0, 0.5, 0.7, 1.4, 2.0}) {
    CAPTURE(at);
    CHECK(f.at(at).value == doctest::Approx(cubic(at)).epsilon(1e-14));
    CHECK(f.at(at).slope == doctest::Approx(-1.0 + at - 0.75 * at * at).epsilon(1e-13));
    CHECK(f.at(at).curvature == doctest::Approx(1.0 - 1.5 * at).epsilon(1e-12));
  }
  const Function parabola = functions::Table{{0.0, 1.0, 3.0}, {1.0, 2.0, 10.0}};  // 1 + x^2
  CHECK(parabola.at(2.0).value == doctest::Approx(5.0).epsilon(1e-14));
  CHECK(parabola.at(2.0).slope == doctest::Approx(4.0).epsilon(1e-14));
  const Function line = functions::Table{{0.0, 2.0}, {1.0, 5.0}};
  CHECK(line.at(0.5).value == 2.0);
  // Order four: half the distance of the points, a sixteenth of the error.
  double error[2];
  for (const int k : {0, 1}) {
    std::vector<double> points;
    const int n = 20 << k;
    for (int i = 0; i <= n; ++i) points.push_back(3.0 * i / n);
    const Function s = functions::Table{points, samples(points, [](double t) { return std::sin(t); })};
    error[k] = 0.0;
    for (int i = 0; i < 219; ++i) {
      const double t = 0.0137 * i;
      error[k] = std::fmax(error[k], std::abs(s.at(t).value - std::sin(t)));
    }
  }
  CHECK(std::log2(error[0] / error[1]) == doctest::Approx(4.0).epsilon(0.1));
}

TEST_CASE("table: the monotone curve does not leave the range of its neighbours, the cubic one does") {
  const std::vector<double> x{0.0, 1.0, 2.0, 3.0, 4.5}, y{0.0, 0.0, 1.0, 1.0, 3.0};
  const Function curve = functions::Table{x, y, functions::Spline::monotone};
  const Function spline = functions::Table{x, y};
  bool leaves = false;
  double before = 0.0;
  for (int i = 0; i <= 450; ++i) {
    const double t = 0.01 * i;
    CHECK(curve.at(t).value >= before);
    before = curve.at(t).value;
    leaves = leaves || spline.at(t).value < 0.0;
  }
  CHECK(leaves);
  for (std::size_t k = 1; k + 1 < x.size(); ++k)
    CHECK(curve.at(x[k] - 1e-9).slope == doctest::Approx(curve.at(x[k] + 1e-9).slope).epsilon(1e-6));
  check_derivatives(curve, {0.5, 1.5, 3.7});
  const Function lines = functions::Table{x, y, functions::Spline::linear};
  CHECK(lines.at(1.25).value == 0.25);
  CHECK(lines.at(1.25).slope == 1.0);
}

TEST_CASE("table: outside it has no value and says why, or holds the last one") {
  const functions::Table table{{1.0, 2.0, 3.0}, {5.0, 6.0, 5.5}};
  const Function f = table;
  CHECK(std::isnan(f.at(0.999).value));
  CHECK(std::isnan(f.at(3.001).slope));
  CHECK(f.defect_at(0.5) == "the table begins at 1: add points, or write beyond: hold for the nearest value");
  CHECK(f.defect_at(4.0) == "the table ends at 3: add points, or write beyond: hold for the nearest value");
  CHECK(f.defect_at(2.0).empty());
  CHECK(f.at(3.0).value == 5.5);
  functions::Table held = table;
  held.beyond = functions::Beyond::hold;
  CHECK(Function(held).at(-7.0).value == 5.0);
  CHECK(Function(held).at(9.0).value == 5.5);
  CHECK(Function(held).at(9.0).slope == 0.0);
  CHECK(Function(held).defect_at(9.0).empty());
}

TEST_CASE("functions with wrong members say what is wrong") {
  CHECK(Function(functions::Table{{1.0, 2.0, 2.0}, {0.0, 0.0, 0.0}}).defect() ==
        "x must rise: 2 of point 3 is not above 2");
  CHECK(Function(functions::Table{{1.0, 2.0}, {0.0}}).defect() ==
        "x and y must have as many numbers, have 2 and 1");
  CHECK(Function(functions::Table{{1.0}, {0.0}}).defect() == "a table has at least two points, has 1");
  CHECK(Function(functions::Table{{1.0, std::nan("")}, {0.0, 1.0}}).defect() == "point 2 is not finite");
  CHECK(std::isnan(Function(functions::Table{{1.0}, {0.0}}).at(1.0).value));
  CHECK(Function(functions::Ramp{0.0, 1.0, 2.0, 2.0}).defect() == "end must be after start");
  CHECK(Function(functions::SmoothStep{0.0, 1.0, 2.0, 1.0}).defect() == "end must be after start");
  CHECK(Function(functions::Chirp{.duration = 0.0}).defect() == "duration must be positive");
  CHECK(Function(functions::Polynomial{}).defect() == "coefficients: a list of numbers is missing");
  CHECK(Function::of([](auto x) { return 1.0 / x; }).defect_at(0.0) == "it is not finite at 0");
}

TEST_CASE("a function over dual numbers carries their derivatives on") {
  const Function f = functions::Sine{.amplitude = 2.0, .frequency = 1.0};
  Dual<double, 2> x = Dual<double, 2>::variable(0.3, 1);
  x.d[0] = 5.0;
  const Dual<double, 2> y = f(x);
  const FunctionValue u = f.at(0.3);
  CHECK(y.value == u.value);
  CHECK(y.d[0] == 5.0 * u.slope);
  CHECK(y.d[1] == u.slope);
  CHECK(f(0.3) == u.value);
}

}  // namespace functions_tests_here
