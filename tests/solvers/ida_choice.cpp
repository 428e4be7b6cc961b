// Dependent coordinates: which are chosen, when the choice turns bad, and rows that depend on each other on the way.
#include <catena/solvers/detail/ida_choice.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace ida_choice_tests {

using namespace catena::detail;

using catena::detail::ida_detail::DependentChoice;

namespace {

DependentChoice::Rows rows_of(const std::vector<std::vector<double>>& dense) {
  DependentChoice::Rows rows;
  rows.begin.push_back(0);
  for (const auto& row : dense) {
    for (std::size_t c = 0; c < row.size(); ++c)
      if (row[c] != 0.0) rows.entry.emplace_back(static_cast<int>(c), row[c]);
    rows.begin.push_back(static_cast<int>(rows.entry.size()));
  }
  return rows;
}

}  // namespace

TEST_CASE("a row chooses its largest entry in units of the characteristic sizes") {
  DependentChoice choice;
  choice.resize(1, {1.0, 10.0, 1.0});
  REQUIRE(choice.choose(rows_of({{3.0, 0.5, -4.0}})));
  CHECK(choice.column_of(0) == 1);  // 0.5 * 10
  CHECK(choice.row_of(1) == 0);
  CHECK(choice.row_of(0) == -1);
  CHECK(choice.quality(rows_of({{3.0, 0.2, -4.0}})) == catena_test::relative(0.5, 1e-5));
}

TEST_CASE("a column serves one row; the next one chooses from what is left") {
  DependentChoice choice;
  choice.resize(2, {1.0, 1.0, 1.0});
  // (2, 1, 0) takes column 0; (4, 2, 1) is (0, 0, 1) without it.
  REQUIRE(choice.choose(rows_of({{2.0, 1.0, 0.0}, {4.0, 2.0, 1.0}})));
  CHECK(choice.column_of(0) == 0);
  CHECK(choice.column_of(1) == 2);
}

TEST_CASE("a row that is a combination of others is named, and the old choice is kept") {
  DependentChoice choice;
  choice.resize(3, {1.0, 1.0, 1.0, 1.0});
  REQUIRE(choice.choose(rows_of({{1.0, 0.1, 0.0, 0.0}, {0.0, 1.0, 0.1, 0.0}, {0.0, 0.0, 1.0, 0.1}})));
  REQUIRE_FALSE(choice.choose(rows_of({{0.1, 1.0, 0.0, 0.0}, {0.0, 0.1, 0.0, 1.0}, {0.1, 1.1, 0.0, 1.0}})));
  CHECK(choice.culprit_row() == 2);
  CHECK(choice.column_of(0) == 0);
  CHECK(choice.column_of(2) == 2);
}

TEST_CASE("rows that pass through dependence are seen, a pivot that passes zero alone is not") {
  DependentChoice choice;
  choice.resize(2, {1.0, 1.0, 1.0});
  const auto at = [](double left, double turn) {  // second row: left (0, 1, 0.3 + turn) + the first
    return rows_of({{1.0, 0.2, 0.1}, {1.0, 0.2 + left, 0.1 + left * (0.3 + turn)}});
  };
  REQUIRE(choice.choose(at(0.02, 0.0)));
  choice.remember();
  double fraction = 0.0;
  choice.quality(at(0.01, 0.02));
  CHECK(choice.crossed(fraction) == -1);
  choice.remember();
  choice.quality(at(-0.03, 0.04));
  CHECK(choice.crossed(fraction) == 1);
  CHECK(fraction == catena_test::relative(0.25, 1e-5));

  // cos, sin on a circle: the pivot cos passes zero, the row does not.
  const auto turned = [](double angle) { return rows_of({{std::cos(angle), std::sin(angle), 0.0}}); };
  DependentChoice circle;
  circle.resize(1, {1.0, 1.0, 1.0});
  REQUIRE(circle.choose(turned(0.0)));
  circle.quality(turned(1.5));
  circle.remember();
  circle.quality(turned(1.6));
  CHECK(circle.crossed(fraction) == -1);
}

TEST_CASE("less than 1e-7 of a row counts as nothing") {
  DependentChoice choice;
  choice.resize(2, {1.0, 1.0, 1.0});
  REQUIRE(choice.choose(rows_of({{1.0, 0.5, 0.0}, {1.0, 1.0, 0.0}})));
  choice.remember();
  double fraction = 0.0;
  choice.quality(rows_of({{1.0, 0.5, 0.0}, {1.0, 0.5 + 2e-7, 0.0}}));
  CHECK(choice.crossed(fraction) == -1);
  choice.quality(rows_of({{1.0, 0.5, 0.0}, {1.0, 0.5 + 5e-8, 0.0}}));
  CHECK(choice.crossed(fraction) == 1);
}

}  // namespace ida_choice_tests
