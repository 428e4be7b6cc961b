#include <catena/driver/detail/grid.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace catena::detail;

using catena::detail::Grid;

TEST_CASE("a grid hits its end exactly and keeps the step as typed where it fits") {
  for (const double step : {0.1, 0.002, 1e-3, 1e-5, 1.0 / 3.0}) {
    const Grid grid(0.0, 1.0, step);
    CHECK(grid.step() == step);
    CHECK(grid.instant(grid.steps()) == 1.0);
    CHECK(grid.instant(0) == 0.0);
  }
  CHECK(Grid(0.0, 1.0, 0.1).steps() == 10);
  CHECK(Grid(0.0, 0.3, 0.1).steps() == 3);  // 0.3/0.1 = 2.9999999999999996
  CHECK(Grid(0.0, 100.0, 0.002).steps() == 50000);
  CHECK(Grid(2.0, 5.0, 1e-5).steps() == 300000);
}

TEST_CASE("an interval that is no multiple of the step is divided into equal, smaller steps") {
  const Grid grid(0.0, 1.0, 0.3);
  CHECK(grid.steps() == 4);
  CHECK(grid.step() == 0.25);
  const Grid sliver(0.0, 1.0001, 0.1);  // a last step of 1e-4 would be a thousandth of the others
  CHECK(sliver.steps() == 11);
  CHECK(sliver.step() == catena_test::relative(1.0001 / 11, 1e-15));
  const Grid longer(0.0, 0.5, 2.0);
  CHECK(longer.steps() == 1);
  CHECK(longer.step() == 0.5);
}

TEST_CASE("an empty interval has no steps") {
  CHECK(Grid(1.0, 1.0, 0.1).steps() == 0);
  CHECK(Grid(1.0, 1.0, 0.1).instant(0) == 1.0);
}
