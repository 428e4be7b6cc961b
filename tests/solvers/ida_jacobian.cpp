// The sparse Jacobian that ida hands to KLU is the derivative of its equations.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/solvers/detail/ida_equations.hpp>

#include "support/fixture_joints.hpp"
#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace ida_jacobian_tests {

using namespace catena;
using namespace catena::detail;
using ida_detail::Equations;
using ida_detail::Form;

namespace {

// Largest difference from dF/dy + cj dF/dy' by central differences, relative to the largest entry.
double distance_from_differences(const System& system, Form form, test::Random& random) {
  Equations equations(system, form);
  const State initial = system.initial_state();
  if (form == Form::dummy_derivatives) REQUIRE(equations.choose(0.3, initial.q.data()));
  const int size = equations.size();
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> y = random.values(size), yp = random.values(size), plus(n), minus(n);
  for (std::size_t k = 0; k < initial.q.size(); ++k) {  // off the constraints, quaternions off unit length
    y[k] = initial.q[k] + 0.1 * y[k];
    y[initial.q.size() + k] += initial.v[k];
  }
  const double t = 0.3, cj = 7.0;
  std::vector<double> values(equations.row().size());
  REQUIRE(equations.jacobian(t, y.data(), yp.data(), cj, values.data()));

  std::vector<double> exact(n * n, 0.0), differences(n * n, 0.0);
  for (int c = 0; c < size; ++c)
    for (int k = equations.column()[static_cast<std::size_t>(c)];
         k < equations.column()[static_cast<std::size_t>(c) + 1]; ++k)
      exact[static_cast<std::size_t>(equations.row()[static_cast<std::size_t>(k)]) * n +
            static_cast<std::size_t>(c)] = values[static_cast<std::size_t>(k)];
  const double step = 1e-5;
  for (std::size_t c = 0; c < n; ++c) {
    const auto at = [&](double s, std::vector<double>& F) {
      y[c] += s;
      yp[c] += cj * s;
      REQUIRE(equations.residual(t, y.data(), yp.data(), F.data()));
      y[c] -= s;
      yp[c] -= cj * s;
    };
    at(step, plus);
    at(-step, minus);
    for (std::size_t r = 0; r < n; ++r) differences[r * n + c] = (plus[r] - minus[r]) / (2.0 * step);
  }
  double size_of_all = 1.0, worst = 0.0;
  for (const double x : differences) size_of_all = std::max(size_of_all, std::abs(x));
  for (std::size_t k = 0; k < exact.size(); ++k) worst = std::max(worst, std::abs(exact[k] - differences[k]));
  return worst / size_of_all;
}

// Both differences, the one of this test and the one of the rates of rows in the Jacobian, have errors of
// h^2 + eps/h ~ 1e-10 of third derivatives and of numbers that are some ten times the entries; measured 3.4e-10.
constexpr double tolerance = 3e-9;

}  // namespace

TEST_CASE("bodies in seven coordinates with every kind of joint: all forms") {
  test::Random random(7);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const QuaternionSystem system(test::random_mechanism(5, seed));
    for (const Form form : {Form::index1, Form::gear_gupta_leimkuhler, Form::dummy_derivatives}) {
      CAPTURE(seed);
      CAPTURE(static_cast<int>(form));
      CHECK(distance_from_differences(system, form, random) < tolerance);
    }
  }
}

TEST_CASE("velocity rows and drives: all forms") {
  test::Random random(8);
  Model model = test::random_mechanism(3, 4);
  model.add(fixture::KnifeEdge{.bodies = {BodyId{0}}, .point = {{0.1, 0.2, -0.3}}});
  model.add(fixture::PointOnRisingFloor{.bodies = {BodyId{2}}});
  model.add(fixture::DrivenDistance{.bodies = {BodyId{0}, BodyId{2}}});
  model.add(fixture::RopeOverPulley{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}});
  const QuaternionSystem system(std::move(model));
  for (const Form form : {Form::index1, Form::gear_gupta_leimkuhler, Form::dummy_derivatives}) {
    CAPTURE(static_cast<int>(form));
    CHECK(distance_from_differences(system, form, random) < tolerance);
  }
}

TEST_CASE("the snakeboard in its own coordinates: all forms") {
  test::Random random(9);
  const auto system = Snakeboard().own_system();
  for (const Form form : {Form::index1, Form::gear_gupta_leimkuhler, Form::dummy_derivatives}) {
    CAPTURE(static_cast<int>(form));
    CHECK(distance_from_differences(*system, form, random) < tolerance);
  }
}

}  // namespace ida_jacobian_tests
