// Loops over long arrays, by every instruction set that this machine has, against loops over one number at a time.
#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/isa_copies.hpp>
#include <catena/math/detail/largest.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace catena::detail {
CATENA_ISA_COPIES(array_kernel_table, extern const ArrayKernels array_kernel_table)
}  // namespace catena::detail

namespace array_kernels_tests {
namespace {

using namespace catena;
using namespace catena::detail;

constexpr double none = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

std::vector<double> numbers(int count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& value : x) value = normal(engine) * std::pow(10.0, 3.0 * normal(engine));
  return x;
}

template <class Look>
void by_every_set(const Look& look) {
  for (int level = 0; level <= instruction_set(); ++level)
    for (const int count : {0, 1, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 48, 100, 1001}) {
      CAPTURE(level);
      CAPTURE(count);
      look(*array_kernel_table_at(level), count);
    }
}

double largest_one_by_one(const std::vector<double>& x) {
  double most = 0.0;
  for (const double value : x)
    if (std::abs(value) > most) most = std::abs(value);
  return most;
}

}  // namespace
}  // namespace array_kernels_tests

using namespace array_kernels_tests;

TEST_CASE("sums of up to eight columns have the bits of a loop, also in the place of a column") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    constexpr int first = 3;
    for (int columns = 0; columns <= WeightedColumns::most; ++columns) {
      std::vector<std::vector<double>> x;
      WeightedColumns of;
      for (int j = 0; j < columns; ++j) x.push_back(numbers(first + count, 10U + static_cast<unsigned>(j)));
      for (const auto& column : x) {
        of.weight[of.count] = 0.1 - 0.7 * of.count;
        of.column[of.count++] = column.data();
      }
      std::vector<double> expected(static_cast<std::size_t>(count)), out(expected.size() + 1, 42.0);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j) sum += of.weight[j] * of.column[j][first + k];
        expected[k] = sum;
      }
      kernels.combine(of, first, count, out.data());
      CHECK(std::equal(expected.begin(), expected.end(), out.begin()));
      CHECK(out.back() == 42.0);
      if (columns == 0) continue;
      double* const in_place = x.back().data() + first;
      kernels.combine(of, first, count, in_place);
      CHECK(std::equal(expected.begin(), expected.end(), in_place));
    }
  });
}

TEST_CASE("a multiple is added with the bits of a loop") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    const std::vector<double> from = numbers(count, 7);
    std::vector<double> to = numbers(count, 8), expected = to;
    for (std::size_t k = 0; k < from.size(); ++k) expected[k] += 0.3 * from[k];
    to.push_back(42.0);
    expected.push_back(42.0);
    kernels.add_multiple(0.3, from.data(), count, to.data());
    CHECK(to == expected);
  });
}

TEST_CASE("multiples of one array are added to four, with the bits of a loop") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    const double factor[4] = {0.3, -1.7, 0.0, 2.9};
    const std::vector<double> from = numbers(count, 7);
    std::vector<double> to[4], expected[4];
    double* at[4];
    for (int j = 0; j < 4; ++j) {
      to[j] = expected[j] = numbers(count, 8 + static_cast<unsigned>(j));
      for (std::size_t k = 0; k < from.size(); ++k) expected[j][k] += factor[j] * from[k];
      to[j].push_back(42.0);
      expected[j].push_back(42.0);
      at[j] = to[j].data();
    }
    kernels.add_multiples(factor, from.data(), count, at);
    for (int j = 0; j < 4; ++j) CHECK(to[j] == expected[j]);
  });
}

TEST_CASE("the largest of an array, of products and of differences, is that of a loop") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    const std::vector<double> x = numbers(count, 1), y = numbers(count, 2);
    std::vector<double> scaled, difference;
    for (std::size_t k = 0; k < x.size(); ++k) {
      scaled.push_back(std::abs(x[k]) * 0.3 * std::abs(y[k]));
      difference.push_back(x[k] - y[k]);
    }
    std::vector<double> per;
    for (const double value : y) per.push_back(std::abs(value));
    CHECK(kernels.largest(x.data(), count, 0.0) == largest_one_by_one(x));
    CHECK(kernels.largest(x.data(), count, 1e300) == 1e300);
    CHECK(kernels.largest_number(x.data(), count).value == largest_one_by_one(x));
    CHECK(kernels.largest_number(x.data(), count).not_finite == 0.0);
    CHECK(kernels.largest_scaled(x.data(), per.data(), 0.3, count).value == largest_one_by_one(scaled));
    CHECK(kernels.largest_scaled(x.data(), per.data(), 0.3, count).not_finite == 0.0);
    CHECK(kernels.largest_difference(x.data(), y.data(), count) == largest_one_by_one(difference));
  });
}

TEST_CASE("one number that is not finite is seen wherever it is, and nan is not the largest") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    for (int at = 0; at < count; ++at)
      for (const double wrong : {none, infinity, -infinity}) {
        std::vector<double> x = numbers(count, 3);
        std::vector<double> per(x.size(), 1.0);
        x[static_cast<std::size_t>(at)] = wrong;
        CHECK(kernels.largest(x.data(), count, 0.0) == largest_one_by_one(x));
        const LargestNumber all = kernels.largest_number(x.data(), count);
        CHECK(all.value == largest_one_by_one(x));
        CHECK(std::isnan(all.not_finite));
        CHECK(std::isnan(kernels.largest_scaled(x.data(), per.data(), 2.0, count).not_finite));
        CHECK(std::isnan(kernels.negate(x.data(), count)));
      }
    // A product that overflows is not finite.
    std::vector<double> x = numbers(count, 3);
    const std::vector<double> per(x.size(), 1.0);
    if (count == 0) return;
    x.back() = 1e200;
    CHECK(std::isnan(kernels.largest_scaled(x.data(), per.data(), 1e200, count).not_finite));
  });
}

TEST_CASE("all signs are turned, of zeros too") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int count) {
    std::vector<double> x = numbers(count, 4);
    if (count > 0) x[0] = 0.0;
    const std::vector<double> before = x;
    x.push_back(42.0);
    CHECK(kernels.negate(x.data(), count) == 0.0);
    for (std::size_t k = 0; k < before.size(); ++k) CHECK(x[k] == -before[k]);
    if (count > 0) CHECK(std::signbit(x[0]));
    CHECK(x.back() == 42.0);
  });
}

TEST_CASE("the largest of six, and the fastest turn, are those of each block") {
  by_every_set([](const catena::detail::ArrayKernels& kernels, int blocks) {
    std::vector<double> x = numbers(6 * blocks, 5);
    if (blocks > 3) x[20] = x[22] = none;
    if (blocks > 4) x[x.size() - 2] = none;
    std::vector<double> out(static_cast<std::size_t>(blocks) + 1, 42.0);
    kernels.largest_of_sixes(x.data(), blocks, out.data());
    double fastest = 0.0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) {
      const auto own = x.begin() + static_cast<std::ptrdiff_t>(6 * b);
      CHECK(out[b] == largest_one_by_one({own, own + 6}));
      const double turn = own[3] * own[3] + own[4] * own[4] + own[5] * own[5];
      if (turn > fastest) fastest = turn;
    }
    CHECK(out.back() == 42.0);
    CHECK(kernels.largest_turn(x.data(), blocks) == fastest);
  });
}

TEST_CASE("the number of the largest is that of the first of its size") {
  for (const int count : {1, 2, 9, 40, 100}) {
    std::vector<double> x = numbers(count, 6);
    const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto expected = [&] { return std::max_element(x.begin(), x.end(), size) - x.begin(); };
    CHECK(number_of_largest(x.data(), count) == expected());
    x.back() = -x[static_cast<std::size_t>(expected())];
    CHECK(number_of_largest(x.data(), count) == expected());
    if (count == 1) continue;
    x[1] = none;
    x.back() = 1e250;
    CHECK(number_of_largest(x.data(), count) == count - 1);
    x[0] = none;
    CHECK(number_of_largest(x.data(), count) == 0);
  }
  CHECK(number_of_largest(nullptr, 0) == 0);
}
