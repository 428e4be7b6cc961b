// The summary of a sweep in words, of rows that are given.
#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/sweep_text.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/parts/sweep_rows.hpp>
#include <catena/study/sweep.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sweep_text_tests {

using namespace catena;
using namespace catena::detail;

namespace {

SweepRows rows_of(std::size_t samples) {
  Sweep sweep{.base = {.problem = "helix_chain"}};
  for (const char* axis : {"x=uniform:0:1", "y=uniform:0:1"}) sweep.axes.push_back(axis_from_text(axis));
  sweep.samples = samples;
  sweep.sampling = Sampling::saltelli;
  return SweepRows(sweep);
}

SweepIdentity identity_of(const SweepRows& rows) {
  SweepIdentity identity;
  for (const Axis& axis : rows.sweep().axes)
    identity.entries.emplace_back(identity_names::axis, to_text(axis));
  identity.entries.emplace_back(identity_names::rows, std::to_string(rows.count()));
  identity.entries.emplace_back(identity_names::sampling, "saltelli");
  identity.entries.emplace_back(identity_names::drawn, "2");
  return identity;
}

}  // namespace

TEST_CASE("ten of the rows that have failed are shown with their reasons, and the others are counted") {
  const SweepRows rows = rows_of(4);
  REQUIRE(rows.count() == 16);
  RowStore store({}, identity_of(rows), rows.keys());
  for (std::size_t row = 0; row < rows.count(); ++row)
    store.add({.row = row,
               .values = rows.values(row),
               .status = row < 12 ? "refused" : "ok",
               .error = row < 12 ? "too long\nand more" : "",
               .numbers = {{"f", 1.0}}});
  const std::string text = sweep_text(SweepTable(store.database()));
  CHECK(text.find("  row 9 (x = " + rows.values(9)[0] + ", y = " + rows.values(9)[1] +
                  "): refused: too long\n  and 2 more\n") != std::string::npos);
}

TEST_CASE("each Sobol index has its own uncertainty in the summary of a sweep") {
  const SweepRows rows = rows_of(64);
  RowStore store({}, identity_of(rows), rows.keys());
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const double x = std::stod(rows.values(row)[0]), y = std::stod(rows.values(row)[1]);
    store.add({.row = row, .values = rows.values(row), .status = "ok", .numbers = {{"f", x + x * y}}});
  }
  const SweepTable table(store.database());
  const SobolIndices found = table.sobol_indices();
  REQUIRE(found.indices.size() == 2);
  const std::string text = sweep_text(table);
  for (const SobolIndex& index : found.indices) {
    CHECK(index.first_uncertainty != doctest::Approx(index.total_uncertainty).epsilon(0.01));
    const std::string line =
        fmt::format("  {:<38} {:.4f} +- {:.4f}   {:.4f} +- {:.4f}\n", index.key, index.first,
                    index.first_uncertainty, index.total, index.total_uncertainty);
    std::string one_blank, expected;
    for (const char c : text)
      if (c != ' ' || one_blank.empty() || one_blank.back() != ' ') one_blank += c;
    for (const char c : line)
      if (c != ' ' || expected.empty() || expected.back() != ' ') expected += c;
    CHECK(one_blank.find(expected) != std::string::npos);
  }
}

TEST_CASE("the time that is left is that of the rows of this run, and not of those that were there before") {
  SweepCounts counts;
  counts.rows = 10;
  counts.ok = 5;
  counts.failed = 1;
  counts.done_before = 2;  // four rows in 8 s, and four are left
  CHECK(progress_line(counts, 8.0) ==
        "[##################------------] 6 of 10 rows, 1 failed   " + clock_text(8.0) + " left");
}

}  // namespace sweep_text_tests
