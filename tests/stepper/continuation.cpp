// Where Newton begins: how v' and the multipliers of the last steps continue.
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/stepper/implicit/detail/continuation.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace continuation_tests {

using namespace catena;
using detail::Continuation;

using Motion = std::function<double(double t)>;

constexpr double ones[2] = {1.0, 1.0};

// Two coordinates and one multiplier, whose v' and lambda are given functions of the time, over steps of these sizes.
struct Walk {
  Walk(const std::vector<double>& sizes, const Motion& a, const Motion& lambda) {
    continuation.attach(memory, system, ones);
    memory.begin(state);
    state.a = {a(0.0), 2.0 * a(0.0)};
    state.lambda = {lambda(0.0)};
    before_a = state.a;  // of before the start: the continuation must not use them
    before_lambda = state.lambda;
    double h_before = sizes.front();
    for (const double h : sizes) {
      const Continuation::Before before{h_before, before_a.data(), before_lambda.data()};
      continuation.look_ahead(state, h, before);
      // A table of v' alone, u = v' / of_unknown, which continues it by a line.
      const double ratio = h / h_before;
      const double* columns[table_columns] = {nullptr, state.a.data(), before_a.data()};
      const ShortRow line =
          (1.0 / of_unknown) * (last_acceleration + ratio * (last_acceleration - acceleration_before_last));
      u.resize(2);
      if (continuation.order_of_accelerations() > 1) {
        continuation.unknown(line, of_unknown, columns, 0, 2, u.data(), 0);
      } else {
        double* const to[1] = {u.data()};
        apply(&line, 1, columns, 0, 2, to);
      }
      continuation.multipliers(ratio, state.lambda.data(), before_lambda.data(), 0, 1, &predicted_lambda);

      continuation.keep_accelerations(state, before_a.data(), 0, 2);
      continuation.keep_multipliers(state, before_lambda.data(), 0, 1);
      continuation.keep_numbers(state, h_before, {});
      before_a = state.a;
      before_lambda = state.lambda;
      state.t += h;
      state.a = {a(state.t), 2.0 * a(state.t)};
      state.lambda = {lambda(state.t)};
      h_before = h;
    }
  }

  static constexpr double of_unknown = 1.25;
  catena_test::ToyPendulum system;
  StepMemory memory;
  Continuation continuation;
  State state = system.initial_state();
  std::vector<double> u, before_a, before_lambda;
  double predicted_lambda = 0.0;  // u, predicted_lambda: of the last step
};

TEST_CASE("the terms of the continuation are exact for polynomials of their order, over steps of any sizes") {
  for (const detail::StepsBack& h :
       {detail::StepsBack{1.0, 1.0, 1.0, 1.0}, detail::StepsBack{0.7, 0.2, 1.3, 0.4}})
    for (int order = 1; order <= 3; ++order) {
      CAPTURE(order);
      const double t[4] = {0.0, -h[1], -h[1] - h[2], -h[1] - h[2] - h[3]};
      for (int power = 0; power <= order; ++power) {
        CAPTURE(power);
        double sum = power == 0 ? 1.0 : 0.0;  // x_n
        for (int k = 1; k <= order; ++k) {
          const std::array<double, 4> term = detail::term_of_continuation(k, h);
          for (std::size_t i = 0; i < 4; ++i) sum += term[i] == 0.0 ? 0.0 : term[i] * std::pow(t[i], power);
        }
        CHECK(sum == doctest::Approx(std::pow(h[0], power)).epsilon(1e-13));
      }
    }
}

TEST_CASE("smooth accelerations and multipliers continue by a cubic, whatever the sizes of the steps") {
  const Motion a = [](double t) { return 1.0 + t * (2.0 + t * (0.5 - 0.125 * t)); };
  const Motion lambda = [](double t) { return 3.0 - t * (1.0 + t * (0.25 + 0.0625 * t)); };
  for (const std::vector<double>& sizes :
       {std::vector<double>(4, 0.25), std::vector<double>(5, 0.25), std::vector<double>{0.2, 0.3, 0.1, 0.25},
        std::vector<double>{0.2, 0.3, 0.1, 0.25, 0.15, 0.3}}) {
    CAPTURE(sizes.size());
    const Walk walk(sizes, a, lambda);
    CHECK(walk.of_unknown * walk.u[0] == doctest::Approx(walk.state.a[0]).epsilon(1e-13));
    CHECK(walk.of_unknown * walk.u[1] == doctest::Approx(walk.state.a[1]).epsilon(1e-13));
    CHECK(walk.predicted_lambda == doctest::Approx(walk.state.lambda[0]).epsilon(1e-13));
  }
}

TEST_CASE("the third step continues by a parabola, the first two by a line") {
  const Motion square = [](double t) { return 1.0 + 0.1 * t + 0.001 * t * t; };
  const auto off = [&](std::size_t steps) {
    const Walk walk(std::vector<double>(steps, 0.5), square, square);
    return std::abs(walk.predicted_lambda - walk.state.lambda[0]);
  };
  CHECK(off(3) < 1e-14);
  CHECK(off(2) == doctest::Approx(2.0 * 0.001 * 0.25).epsilon(1e-9));  // x[...] h 2h
}

TEST_CASE("what does not fall from order to order continues by a line") {
  const auto order = [](const Motion& a) {
    return Walk(std::vector<double>(24, 0.1), a, a).continuation.order_of_accelerations();
  };
  CHECK(order([](double t) { return std::sin(t + 1.6); }) == 3);  // zero at t = 1.54, of 16 steps
  // cos 10 pi t at steps of 0.1: from -1 to 1 and back.
  CHECK(order([](double t) { return std::cos(31.41592653589793 * t); }) == 1);
  // Noise of a millionth over a slow change.
  const Motion noisy = [](double t) { return 1.0 + 1e-3 * t + 1e-6 * std::cos(std::round(10.0 * t) * 2.5); };
  CHECK(order(noisy) == 1);
}

TEST_CASE("the highest order serves 16 steps of one size, and steps of another size find theirs") {
  // Smooth up to t = 2, and from there on an oscillation within the steps.
  const Motion rough = [](double t) {
    return std::sin(t) + (t > 2.05 ? std::cos(31.41592653589793 * t) : 0.0);
  };
  const auto order = [&](std::size_t steps, double last = 0.1) {
    std::vector<double> sizes(steps, 0.1);
    sizes.back() = last;
    return Walk(sizes, rough, rough).continuation.order_of_accelerations();
  };
  CHECK(order(20) == 3);
  CHECK(order(32) == 3);  // the step from t = 3.1
  CHECK(order(33) == 1);  // 32 steps are taken
  CHECK(order(30, 0.09) == 1);
}

TEST_CASE("a restart continues nothing from before it") {
  catena_test::ToyPendulum system;
  StepMemory memory;
  Continuation continuation;
  continuation.attach(memory, system, ones);
  State state = system.initial_state();
  memory.begin(state);
  std::vector<double> a = {1.0, 2.0}, lambda = {3.0};
  state.a = {5.0, 7.0};
  state.lambda = {9.0};
  continuation.look_ahead(state, 0.1, {0.1, a.data(), lambda.data()});
  CHECK(continuation.order_of_accelerations() == 1);
  double multiplier = 0.0;
  continuation.multipliers(0.5, state.lambda.data(), lambda.data(), 0, 1, &multiplier);
  CHECK(multiplier == 9.0 + 0.5 * (9.0 - 3.0));
}

}  // namespace continuation_tests
