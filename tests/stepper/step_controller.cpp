// The step controller on errors phi_n h^k, as a method of order k - 1 makes them.
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/parts/step_controller.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;

namespace {

constexpr int k = 5;

// The steps after `count` accepted ones, the error being phi(n) h^k; rejected attempts are cut.
template <class Phi>
double last_step(const StepController& controller, const Phi& phi, int count, double h,
                 double* roughness = nullptr) {
  double error_before = StepController::least_error, before = 0.0;
  for (int n = 0; n < count; ++n) {
    bool rejected = false;
    double error = phi(n) * std::pow(h, k);
    for (; error > 1.0; error = phi(n) * std::pow(h, k)) {
      h *= controller.cut(error);
      rejected = true;
    }
    const double next = controller.next({.h = h,
                                         .error = error,
                                         .error_before = error_before,
                                         .ratio = before > 0.0 ? h / before : 1.0,
                                         .asked = 1e9,
                                         .advised = 1e9,
                                         .rejected = rejected});
    if (roughness != nullptr && n > count / 2) *roughness += std::abs(std::log(next / h));
    error_before = std::max(error, StepController::least_error);
    before = h;
    h = next;
  }
  return h;
}

}  // namespace

TEST_CASE("all controllers settle where the factor is 1, from steps too long and too short") {
  const auto steady = [](int) { return 32.0; };
  for (const StepController& controller :
       {StepController{.of_error = 1.0 / k}, StepController::proportional_integral(k),
        StepController::filter(k)}) {
    // safety e^-sum = 1 with the sum of the exponents, so that e = safety^(1/sum); of h its k-th root.
    const double sum = controller.of_error + controller.of_error_before;
    const double settled = std::pow(std::pow(controller.safety, 1.0 / sum) / 32.0, 1.0 / k);
    for (const double h : {1e-6, 0.1, 3.0})
      CHECK(last_step(controller, steady, 200, h) == doctest::Approx(settled).epsilon(1e-6));
  }
}

TEST_CASE("of an error that alternates, PI control and the filter make less of a change of steps") {
  const auto alternating = [](int n) { return n % 2 == 0 ? 32.0 : 64.0; };
  double elementary = 0.0, pi = 0.0, filtered = 0.0;
  last_step({.of_error = 1.0 / k}, alternating, 200, 0.1, &elementary);
  last_step(StepController::proportional_integral(k), alternating, 200, 0.1, &pi);
  last_step(StepController::filter(k), alternating, 200, 0.1, &filtered);
  CHECK(filtered < 0.5 * elementary);
  CHECK(filtered < pi);
}

TEST_CASE(
    "steps do not grow after a rejection, nor shrink below the advice where the driver shortened them") {
  const StepController c;
  CHECK(c.next({.h = 1.0, .error = 1e-3, .asked = 2.0, .advised = 2.0, .rejected = true}) == 1.0);
  CHECK(c.next({.h = 0.01, .error = 0.9, .asked = 0.01, .advised = 2.0}) == 2.0);
  CHECK(c.next({.h = 1.0, .error = 0.0, .asked = 1.0, .advised = 1.0}) == c.largest_factor);
  CHECK(c.next({.h = 1.0, .error = 1.0, .error_before = 1.0, .asked = 1.0, .advised = 1.0}) == c.safety);
}

TEST_CASE("an attempt that failed for another reason than its error is cut by the smallest factor") {
  const StepController c;
  CHECK(c.cut(0.0) == c.smallest_factor);
  CHECK(c.cut(1e9) == c.smallest_factor);
  CHECK(c.cut(1.5) == doctest::Approx(c.safety * std::pow(1.5, -c.of_error)));
}

TEST_CASE("the error of a step is a root mean square, and its worst component is named") {
  LocalError e;
  e.add(3.0, 1.0, 4);
  e.add(-8.0, 2.0, 7);
  e.add(0.0, 0.0, 8);
  CHECK(e.root_mean_square(3) == std::sqrt((9.0 + 16.0) / 3.0));
  CHECK(e.worst == 7);
  CHECK(e.largest == 4.0);
  CHECK_FALSE(e.of_projection);
  e.add(1.0, 0.0, 9, true);  // no tolerance at all
  CHECK(std::isinf(e.root_mean_square(4)));
  CHECK(e.worst == 9);
  CHECK(e.of_projection);
}
