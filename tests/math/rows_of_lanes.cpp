// Numbers that lie side by side for each lane: nothing beside them is read or written, and lanes add one after the other.
#include "rows_of_lanes.hpp"

#include <catena/math/detail/isa_copies.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace catena {
CATENA_ISA_COPIES(rows_of_lanes, extern const CompiledRows rows_of_lanes)
}  // namespace catena

namespace rows_of_lanes_tests {
namespace {

using namespace catena;

template <class Look>
void by_every_size(const Look& look) {
  for (int level = 0; level <= instruction_set(); ++level)
    for (int n = 1; n <= 8; ++n) {
      CAPTURE(level);
      CAPTURE(n);
      look(*rows_of_lanes_at(level), n);
    }
}

// A row for each lane, in no order; the last one ends where the array ends.
std::vector<int> places(int n) {
  std::vector<int> at;
  for (const int row : {5, 2, 7, 0, 3, 6, 1, 4}) at.push_back(n * row);
  return at;
}

std::vector<double> counted(int count) {
  std::vector<double> x;
  for (int k = 0; k < count; ++k) x.push_back(1.0 + 0.1 * k);
  return x;
}

}  // namespace
}  // namespace rows_of_lanes_tests

using namespace rows_of_lanes_tests;

TEST_CASE("rows are loaded lane by lane") {
  by_every_size([](const catena::CompiledRows& rows, int n) {
    const std::vector<double> base = counted(8 * n);
    const std::vector<int> at = places(n);
    std::vector<double> columns(static_cast<std::size_t>(8 * n));
    rows.load[n - 1](base.data(), at.data(), columns.data());
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < 8; ++l)
        CHECK(columns[static_cast<std::size_t>(8 * k + l)] ==
              base[static_cast<std::size_t>(at[static_cast<std::size_t>(l)] + k)]);
  });
}

TEST_CASE("rows are stored, and added, by the lanes in use alone") {
  by_every_size([](const catena::CompiledRows& rows, int n) {
    const std::vector<int> at = places(n);
    const std::vector<double> columns = counted(8 * n);
    for (const bool add : {false, true})
      for (const int count : {1, 3, 4, 7, 8}) {
        CAPTURE(count);
        std::vector<double> base(static_cast<std::size_t>(8 * n), 100.0), expected = base;
        for (int l = 0; l < count; ++l)
          for (int k = 0; k < n; ++k) {
            double& x = expected[static_cast<std::size_t>(at[static_cast<std::size_t>(l)] + k)];
            const double value = columns[static_cast<std::size_t>(8 * k + l)];
            x = add ? x + value : value;
          }
        (add ? rows.add : rows.store)[n - 1](base.data(), at.data(), count, columns.data());
        CHECK(base == expected);
      }
  });
}

TEST_CASE("lanes that add to the same place do so in their order") {
  by_every_size([](const catena::CompiledRows& rows, int n) {
    const std::vector<int> at(8, 0);
    std::vector<double> columns = counted(8 * n);
    for (int k = 0; k < n; ++k)
      columns[static_cast<std::size_t>(8 * k + 3)] = 1e17;  // digits are lost by the order
    std::vector<double> base(static_cast<std::size_t>(n), 0.3), expected = base;
    for (int l = 0; l < 8; ++l)
      for (int k = 0; k < n; ++k)
        expected[static_cast<std::size_t>(k)] += columns[static_cast<std::size_t>(8 * k + l)];
    rows.add[n - 1](base.data(), at.data(), 8, columns.data());
    CHECK(base == expected);
  });
}
