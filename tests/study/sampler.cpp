// Points of samplers: as even as their kind promises.
#include <catena/study/parts/sampler.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

using namespace catena;

namespace {

int cell(double x, std::size_t cells) { return static_cast<int>(x * static_cast<double>(cells)); }

}  // namespace

TEST_CASE("every interval of a Latin hypercube has one point of each variable, for any count") {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 64U, 100U, 1000U}) {
    CAPTURE(count);
    const Sampler points(Sampling::latin_hypercube, count, 3, 5);
    std::vector<std::set<int>> met(3);
    bool same_order = true;
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double> x = points(i);
      for (std::size_t k = 0; k < 3; ++k) met[k].insert(cell(x[k], count));
      same_order = same_order && cell(x[0], count) == cell(x[1], count);
    }
    for (const std::set<int>& cells : met) {
      CHECK(cells.size() == count);
      CHECK(*cells.begin() == 0);
      CHECK(*cells.rbegin() == static_cast<int>(count) - 1);
    }
    if (count > 10) CHECK(!same_order);
  }
}

TEST_CASE("Sobol's points: 2^k of them have one in each of 2^k intervals, and in each box of that volume") {
  for (const std::uint64_t seed : {0U, 1U, 99U}) {
    const Sampler points(Sampling::sobol, 64, 5, seed);
    std::vector<std::set<int>> lines(5);
    for (int a = 0; a <= 6; ++a) {  // variables 0 and 1: 2^a by 2^(6-a) boxes (a net of quality 0)
      std::set<std::pair<int, int>> boxes;
      for (std::size_t i = 0; i < 64; ++i) {
        const std::vector<double> x = points(i);
        boxes.emplace(cell(x[0], std::size_t{1} << a), cell(x[1], std::size_t{64} >> a));
        for (std::size_t k = 0; k < 5; ++k) lines[k].insert(cell(x[k], 64));
      }
      CHECK(boxes.size() == 64);
    }
    for (const std::set<int>& line : lines) CHECK(line.size() == 64);
  }
  CHECK(Sampler(Sampling::sobol, 64, 2, 0)(3) != Sampler(Sampling::sobol, 64, 2, 1)(3));
}

TEST_CASE("random points: mean and variance of a uniform number, in the interval") {
  const Sampler points(Sampling::random, 20000, 2, 3);
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < 20000; ++i) {
    const std::vector<double> x = points(i);
    CHECK_UNARY(x[0] >= 0.0 && x[0] < 1.0);
    sum += x[0];
    squares += x[0] * x[0];
  }
  const double mean = sum / 20000.0;
  // five standard errors: 5 sqrt(1/12/20000) = 0.0102, and 5 sqrt(1/180/20000) = 0.0026
  CHECK(std::abs(mean - 0.5) < 0.0102);
  CHECK(std::abs(squares / 20000.0 - mean * mean - 1.0 / 12.0) < 0.0026);
}

TEST_CASE("Saltelli's points: A, B, and A with one variable of B") {
  const Sampler points(Sampling::saltelli, 4, 3, 8);
  CHECK(points.points() == 20);
  const Sampler both(Sampling::sobol, 4, 6, 8);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<double> ab = both(i);
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(points(5 * i)[k] == ab[k]);
      CHECK(points(5 * i + 1)[k] == ab[3 + k]);
      for (std::size_t j = 0; j < 3; ++j) CHECK(points(5 * i + 2 + j)[k] == ab[j == k ? 3 + k : k]);
    }
  }
}
