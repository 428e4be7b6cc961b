// alpha_rattle on the snakeboard of its source (index 2; figures computed independently).
#include <catena/driver/run.hpp>
#include <catena/problems/snakeboard.hpp>

#include "solvers/alpha_rattle_support.hpp"
#include "support/relative.hpp"

#include <limits>

using namespace catena::detail;

namespace {

using namespace catena_test::rattle;

// methods.md, at T = 0.5.
const Vector reference_q{0.343214655527, -0.132140013908, -0.629201731819,
                         0.526817386540, 0.284972455976,  -0.0514890697469};
const Vector reference_v{1.35248022055,   -0.754884128135, -1.32429075988,
                         -0.332901339656, -3.39220268523,  5.30534937065};

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
  const auto system = Snakeboard().own_system();
  Run run(*system, 1e-2, source_form());
  double rows = 0.0;
  for (int k = 0; k < 50; ++k) {
    run.step();
    rows = std::max(rows, run.residual(&Evaluation::velocity));
  }
  CHECK(distance(run.state.q, reference_q) == catena_test::relative(3.593e-3, 2e-4));
  CHECK(distance(run.state.v, reference_v) == catena_test::relative(3.408e-2, 2e-4));
  CHECK(rows < 4.0 * std::numeric_limits<double>::epsilon() * 5.4);  // the largest velocity
}

TEST_CASE(
    "snakeboard: condition of the Newton matrix, unscaled 5.5e3, 2.6e5, 2.6e7, scaled 5.6e3 throughout") {
  const auto system = Snakeboard().own_system();
  const auto condition = [&](RowScaling scaling, double h) {
    Run run(*system, h, source_form(scaling));
    return run.stepper.condition_number(run.state, h);
  };
  // Two digits are printed.
  CHECK(condition(RowScaling::none, 1e-2) == catena_test::relative(5.5e3, 0.01));
  CHECK(condition(RowScaling::none, 1e-4) == catena_test::relative(2.6e5, 0.02));
  CHECK(condition(RowScaling::none, 1e-6) == catena_test::relative(2.6e7, 0.02));
  for (const double h : {1e-2, 1e-4, 1e-6})
    CHECK(condition(RowScaling::over_h, h) == catena_test::relative(5.6e3, 0.01));
}
