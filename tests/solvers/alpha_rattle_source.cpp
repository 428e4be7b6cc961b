// alpha_rattle on the snakeboard of its source (index 2; figures computed independently).
#include <catena/driver/run.hpp>

#include "solvers/alpha_rattle_support.hpp"
#include "solvers/snakeboard_source.hpp"
#include "support/relative.hpp"

#include <limits>

namespace alpha_rattle_source_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::rattle;
namespace source = catena_test::snakeboard_source;

Options source_form(RowScaling scaling = RowScaling::over_h) {
  Options o;
  o.rho_inf = 3.0 / 7.0;
  o.index = Options::Index::two;
  o.newton_tolerance = 1e-12;
  o.scaling = scaling;
  return o;
}

}  // namespace

TEST_CASE("snakeboard: the errors of the source's form at h = 1e-2, T = 0.5, and constraints at roundoff") {
  const auto errors = source::errors<Run>(source_form());
  CHECK(errors.q == catena_test::relative(3.593e-3, 2e-4));
  CHECK(errors.v == catena_test::relative(3.408e-2, 2e-4));
  CHECK(errors.rows < 4.0 * std::numeric_limits<double>::epsilon() * 5.4);  // the largest velocity
}

TEST_CASE(
    "snakeboard: condition of the Newton matrix, unscaled 5.5e3, 2.6e5, 2.6e7, scaled 5.6e3 throughout") {
  const auto condition = [](RowScaling scaling, double h) {
    return source::condition<Run>(source_form(scaling), h);
  };
  // Two digits are printed.
  CHECK(condition(RowScaling::none, 1e-2) == catena_test::relative(5.5e3, 0.01));
  CHECK(condition(RowScaling::none, 1e-4) == catena_test::relative(2.6e5, 0.02));
  CHECK(condition(RowScaling::none, 1e-6) == catena_test::relative(2.6e7, 0.02));
  for (const double h : {1e-2, 1e-4, 1e-6})
    CHECK(condition(RowScaling::over_h, h) == catena_test::relative(5.6e3, 0.01));
}

}  // namespace alpha_rattle_source_tests
