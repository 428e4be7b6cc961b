// The weights of BDF on uneven steps, against polynomials, and on even ones against the tables.
#include <catena/solvers/detail/bdf_weights.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bdf_weights_tests {

using namespace catena::detail;

namespace {

constexpr BdfSteps uneven{0.3, 0.2, 0.45, 0.1, 0.25};

// Means of the derivative of t^p over the steps before t = 0.7.
std::vector<double> means(int p, const BdfSteps& h) {
  std::vector<double> d;
  double end = 0.7;
  for (const double size : h) {
    d.push_back((std::pow(end, p) - std::pow(end - size, p)) / size);
    end -= size;
  }
  return d;
}

}  // namespace

TEST_CASE(
    "BDF: derivatives, predictions and errors are exact for polynomials of the order, on uneven steps") {
  for (int order = 1; order <= bdf_largest_order; ++order) {
    const BdfWeights w = bdf_weights(order, uneven);
    const auto error = bdf_error(order, uneven);
    for (int p = 0; p <= order; ++p) {
      CAPTURE(order);
      CAPTURE(p);
      const std::vector<double> d = means(p, uneven);
      double derivative = 0.0, predicted = 0.0, of_error = 0.0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(order); ++i) {
        derivative += w.derivative[i] * d[i];
        predicted += w.predicted[i] * d[i + 1];
      }
      for (std::size_t i = 0; i <= static_cast<std::size_t>(order); ++i) of_error += error[i] * d[i];
      CHECK(std::abs(derivative - p * std::pow(0.7, p - 1)) <= 1e-13);
      CHECK(std::abs(predicted - d[0]) <= 1e-12);
      CHECK(std::abs(of_error) <= 1e-13);
    }
    // Of the next power: h times the product of the distances to the points before.
    const std::vector<double> d = means(order + 1, uneven);
    double of_error = 0.0, expected = uneven[0], back = 0.0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(order); ++i) of_error += error[i] * d[i];
    for (std::size_t i = 0; i < static_cast<std::size_t>(order); ++i) expected *= back += uneven[i];
    CHECK(std::abs(of_error - expected) <= 1e-13);
  }
}

// Weights of y_n in h y'_n: 1, 3/2, 11/6, 25/12; those of the means, P_n first.
TEST_CASE("BDF: on even steps the weights are those of the tables") {
  const BdfSteps even{1.0, 1.0, 1.0, 1.0, 1.0};
  const std::vector<std::vector<double>> table{{1.0},
                                               {1.5, -0.5},
                                               {11.0 / 6.0, -7.0 / 6.0, 1.0 / 3.0},
                                               {25.0 / 12.0, -23.0 / 12.0, 13.0 / 12.0, -0.25}};
  for (int order = 1; order <= bdf_largest_order; ++order) {
    const auto& expected = table[static_cast<std::size_t>(order - 1)];
    const BdfWeights w = bdf_weights(order, even);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(w.derivative[i] - expected[i]) <= 1e-15);
    for (std::size_t i = expected.size(); i < w.derivative.size(); ++i) CHECK(w.derivative[i] == 0.0);
  }
}

}  // namespace bdf_weights_tests
