// Sobol indices of a table: of a function with known ones, their intervals, and the points that they come from.
#include <catena/study/detail/row_store.hpp>
#include <catena/study/sweep.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace catena;

namespace sobol_indices_tests {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// Ishigami's function of Saltelli's points. The row that is left out misses; the one without a number is ok.
SobolIndices ishigami(std::size_t samples, std::uint64_t seed, std::size_t row_left_out,
                      std::size_t row_without = none) {
  const double pi = std::acos(-1.0);
  Sweep sweep{.base = {.problem = "helix_chain"}};
  for (const char* key : {"x", "y", "z"})
    sweep.axes.push_back(axis_from_text(fmt::format("{}=uniform:{}:{}", key, -pi, pi)));
  sweep.samples = samples;
  sweep.sampling = Sampling::saltelli;
  sweep.seed = seed;
  const SweepRows rows(sweep);
  REQUIRE(rows.count() == samples * 5);
  detail::SweepIdentity identity;
  for (const Axis& axis : rows.sweep().axes)
    identity.entries.emplace_back(detail::identity_names::axis, to_text(axis));
  identity.entries.emplace_back(detail::identity_names::rows, std::to_string(rows.count()));
  identity.entries.emplace_back(detail::identity_names::sampling, "saltelli");
  identity.entries.emplace_back(detail::identity_names::drawn, "3");
  detail::RowStore store({}, identity, rows.keys());
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const std::vector<std::string> x = rows.values(row);
    const double s = std::sin(std::stod(x[1])), z = std::stod(x[2]);
    const double f = 100.0 + std::sin(std::stod(x[0])) * (1.0 + 0.1 * z * z * z * z) + 7.0 * s * s;
    if (row != row_left_out)
      store.add({.row = row,
                 .values = x,
                 .status = "ok",
                 .numbers = {
                     {"f", row == row_without ? std::nan("") : f}, {"never", std::nan("")}, {"same", 3.0}}});
  }
  return SweepTable(store.database()).sobol_indices();
}

// T. Ishigami, T. Homma 1990: a = 7, b = 0.1. Of x, y, z: first, then total.
std::array<double, 6> indices_of_ishigami() {
  const double pi = std::acos(-1.0);
  const double v1 = 0.5 * std::pow(1.0 + 0.1 * std::pow(pi, 4) / 5.0, 2), v2 = 49.0 / 8.0,
               v13 = 0.01 * std::pow(pi, 8) * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
  return {v1 / v, v2 / v, 0.0, (v1 + v13) / v, v2 / v, v13 / v};
}

}  // namespace

TEST_CASE("Sobol indices of Ishigami's function are those of its formulas") {
  const SobolIndices found = ishigami(2048, 0, 12);
  CHECK(found.points == 2047);
  CHECK(found.dropped == 1);
  REQUIRE(found.indices.size() == 3);
  const std::array<double, 6> exact = indices_of_ishigami();
  const char* const keys[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    CAPTURE(k);
    CHECK(found.indices[k].key == keys[k]);
    // The error of 2047 points, measured: 0.018 at most.
    CHECK(std::abs(found.indices[k].first - exact[k]) < 0.03);
    CHECK(std::abs(found.indices[k].total - exact[3 + k]) < 0.03);
  }
}

TEST_CASE("Sobol indices of a quantity come from the points whose rows all have a number of it") {
  const SobolIndices found = ishigami(16, 0, 12, 41);
  CHECK(found.points == 15);
  CHECK(found.dropped == 1);
  REQUIRE(found.indices.size() == 3);
  for (const SobolIndex& index : found.indices) CHECK(index.points == 14);
  CHECK(found.without == std::vector<std::string>{"never"});
  CHECK(found.constant == std::vector<std::string>{"same"});
}

TEST_CASE("intervals of Sobol indices hold what they are about, and shrink with the points") {
  const std::array<double, 6> exact = indices_of_ishigami();
  int inside = 0, all = 0;
  double widest = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SobolIndices found = ishigami(64, seed, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      const SobolIndex& index = found.indices[k];
      all += 2;
      inside += std::abs(index.first - exact[k]) <= index.first_uncertainty ? 1 : 0;
      inside += std::abs(index.total - exact[3 + k]) <= index.total_uncertainty ? 1 : 0;
      widest = std::max({widest, index.first_uncertainty, index.total_uncertainty});
    }
  }
  MESSAGE(inside, " of ", all, " within, the widest ", widest);
  CHECK(inside >= all * 9 / 10);
  CHECK(widest < 1.0);
  const SobolIndices many = ishigami(1024, 1, 0);
  for (const SobolIndex& index : many.indices) {
    CHECK(index.first_uncertainty < 0.2);
    CHECK(index.total_uncertainty < 0.1);
    CHECK(index.total_uncertainty > 0.005);
  }
  CHECK(std::isnan(ishigami(2, 1, 99).indices.front().first_uncertainty));
}

}  // namespace sobol_indices_tests
