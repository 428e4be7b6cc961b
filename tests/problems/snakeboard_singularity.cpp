// Where the motion of the snakeboard ends, runs end: with the time and with both rows named, not stepped over.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

namespace snakeboard_singularity_tests {

using namespace catena;
using namespace catena::detail;
using Options = GeneralizedAlphaOptions;
using Sign = SnakeboardParameters::Sign;

namespace {

constexpr double singular_at = 1.2537, broken_at = 0.1791;  // [s] F = 20 N; with the sign of the source

RunResult run_to(double end, const SnakeboardParameters& parameters, double h, const Options& options) {
  const auto system = Snakeboard(parameters).own_system();
  GeneralizedAlpha stepper(options);
  State state = system->initial_state();
  return run(*system, stepper, state, {.step = h, .end = end});
}

bool names_both(const std::string& text) {
  return text.find("back wheels") != std::string::npos && text.find("front wheels") != std::string::npos;
}

}  // namespace

TEST_CASE("snakeboard, F = 20: generalized_alpha ends at the singularity and names both rows") {
  // The discrete motion has its own singular time, off by an error of order 2, largest with rho_inf = 1: 90 h^2.
  for (const double rho : {3.0 / 7.0, 0.8, 1.0})
    for (const Options::Newton newton : {Options::Newton::quasi, Options::Newton::exact})
      for (const double h : {5e-3, 2e-3, 1e-3}) {
        CAPTURE(rho);
        CAPTURE(h);
        const RunResult r =
            run_to(1.5, {}, h, {.rho_inf = rho, .index = Options::Index::two, .newton = newton});
        CHECK(r.status == Status::step_too_small);
        CHECK(r.cause == Status::singular_kkt);
        CHECK(std::abs(r.t_end - singular_at) < 1e-4 + 100.0 * h * h);
        CHECK(names_both(r.culprit.name));
        CHECK(r.culprit.quantity.find("depende") != std::string::npos);
      }
}

TEST_CASE("snakeboard with the sign of the source: breaks down at 0.179 s, where phi_b = phi_f") {
  for (const double h : {1e-2, 1e-3}) {
    const RunResult r = run_to(1.5, {.sign = Sign::source}, h, {.rho_inf = 3.0 / 7.0});
    CHECK(r.status == Status::step_too_small);
    CHECK(r.cause == Status::singular_kkt);
    CHECK(std::abs(r.t_end - broken_at) < 1e-4 + 100.0 * h * h);
    CHECK(names_both(r.culprit.name));
  }
}

TEST_CASE("snakeboard without force: nothing is singular in 20 s, and no step is refused") {
  for (const double rho : {0.0, 1.0}) {
    const RunResult r = run_to(20.0, {.force = 0.0}, 1e-2, {.rho_inf = rho});
    CHECK(r.status == Status::ok);
    CHECK(r.rejected == 0);
  }
}

TEST_CASE("catena run snakeboard says when and which rows") {
  std::ostringstream out, err;
  const int code = cli({"run", "snakeboard", "--end", "1.5"}, builtin(), Console{out, err});
  CHECK(code != 0);
  CHECK(err.str().find("1.2536") != std::string::npos);
  CHECK(names_both(err.str()));
}

}  // namespace snakeboard_singularity_tests
