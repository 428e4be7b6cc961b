// Rows of a comparison whose steps are not those asked for, that were refused, and that an interrupted comparison lacks.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/detail/method_comparison.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::TemporaryFolder;

namespace compared_rows_tests {

const Catalog& catalog() {
  static const Catalog all = builtin();
  return all;
}

CompareRequest pendulum(std::vector<ComparedStepper> steppers, std::vector<double> steps) {
  CompareRequest request;
  request.problems = {"simple_pendulum"};
  request.steppers = std::move(steppers);
  request.steps = std::move(steps);
  request.end = 0.1;
  return request;
}

std::string csv_head(const std::string& csv) { return csv.substr(0, csv.find('\n')); }

TEST_CASE("an order is fitted over the steps that were taken") {
  // 0.1 s are 3.0003, 3.3, 6.06 and 11.99 of these steps: runs of 4, 4, 7 and 12, of which the first two are the same.
  const ProblemComparison c =
      compare(pendulum({{"generalized_alpha"}}, {0.03333, 0.03, 0.0165, 0.00834}), 0, catalog());
  REQUIRE(c.runs.size() == 4);
  const long steps[] = {4, 4, 7, 12};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(c.runs[k].steps == steps[k]);
    CHECK(c.runs[k].mean_step == doctest::Approx(0.1 / static_cast<double>(steps[k])).epsilon(1e-12));
  }
  REQUIRE(c.orders.size() == 1);
  const FittedOrder& found = c.orders[0].fitted[static_cast<std::size_t>(Part::position)];
  CHECK(found.given == 3);
  REQUIRE(found.points == 3);
  CHECK(std::abs(found.order - 2.0) <= 0.02);  // over the steps asked for it is 1.58
  CHECK(std::abs(found.order - 2.0) <= found.uncertainty);
  CHECK(found.coarsest == c.runs[0].mean_step);
  CHECK(found.finest == c.runs[3].mean_step);
}

TEST_CASE("a refused method has no numbers in place of those that are not known") {
  const CompareRequest request = pendulum({{"generalized_alpha"}, {"runge_kutta_4"}}, {1e-2});
  const ProblemComparison c = compare(request, 0, catalog());
  REQUIRE(c.runs.size() == 2);
  CHECK(c.runs[1].status == "refused");  // it solves no constraints
  const nlohmann::json json = nlohmann::json::parse(comparison_json(request, {c}, catalog()));
  const nlohmann::json &good = json.at("problems").at(0).at("runs").at(0),
                       &refused = json.at("problems").at(0).at("runs").at(1);
  for (const char* key : {"step", "mean_step", "position_residual", "velocity_residual",
                          "acceleration_residual", "energy_error"}) {
    CAPTURE(key);
    CHECK(good.at(key).is_number());
    CHECK(refused.at(key).is_null());
  }
  CHECK(refused.at("steps") == 0);
  const std::string csv = comparison_csv({c});
  CHECK(csv.find(",,,,,,,0,,0,0,0,") !=
        std::string::npos);  // errors, residuals and momentum; steps, mean step, counts
}

TEST_CASE("errors of coordinates and of positions have columns of their own, each with a true unit") {
  ProblemComparison bodies{.problem = "of_bodies"}, own{.problem = "of_coordinates", .own = true};
  ComparedRun run{.stepper = {"hht"}, .setting = 0.1, .status = "ok"};
  run.largest[Part::position] = 0.25;
  run.largest[Part::velocity] = 0.5;
  bodies.runs = own.runs = {run};
  const std::string csv = comparison_csv({bodies, own});
  CHECK(csv_head(csv).starts_with(
      "problem,stepper,options,guards,step [s],tolerance,status,position error largest [m],coordinates error "
      "largest,rotation error largest [rad],velocity error largest [m/s],rates error largest,angular "
      "velocity "
      "error largest [rad/s],multipliers error largest,position error at the end [m],"));
  CHECK(csv.find("\nof_bodies,hht,,,0.1,,ok,0.25,,,0.5,,,,") != std::string::npos);
  CHECK(csv.find("\nof_coordinates,hht,,,0.1,,ok,,0.25,,,0.5,,,") != std::string::npos);
}

TEST_CASE("an interrupted comparison says so, and only rows that both have run are compared with it") {
  const TemporaryFolder folder;
  const CompareRequest request = pendulum({{"generalized_alpha"}}, {2e-2, 1e-2, 5e-3});
  std::atomic<bool> stop{false};
  CompareContext context{.stop = &stop};
  context.progress = [&](int done, int) { stop = done == 2; };
  const ProblemComparison part = compare(request, 0, catalog(), context),
                          whole = compare(request, 0, catalog());
  REQUIRE(part.runs.size() == 2);
  nlohmann::json json = nlohmann::json::parse(comparison_json(request, {part}, catalog()));
  CHECK(json.at("interrupted") == true);
  CHECK(nlohmann::json::parse(comparison_json(request, {whole}, catalog())).at("interrupted") == false);
  CHECK(nlohmann::json::parse(comparison_json(request, {}, catalog())).at("interrupted") == true);
  const auto again = [&](const std::vector<ProblemComparison>& now) {
    std::ofstream(folder.path() / comparison_file) << json.dump();
    return compared_with_earlier(folder.path(), now);
  };
  const std::string where = folder.path().string();
  CHECK(again({whole}) == "all 2 rows that both have run have the errors of " + where +
                              ", bit for bit; 1 row was not run to the end then");
  // a second problem, which had not begun
  CHECK(again({whole, whole}) == "all 2 rows that both have run have the errors of " + where +
                                     ", bit for bit; 4 rows were not run to the end then");
  nlohmann::json& runs = json.at("problems").at(0).at("runs");
  runs.at(1).at("status") = "interrupted at t = 0.05 s";
  runs.at(0).at("largest_error").at("position") = 1.0;
  CHECK(again({whole}) == "1 of 1 rows that both have run have other errors than in " + where +
                              ": the first is simple_pendulum, generalized_alpha; 2 rows were not run to the "
                              "end then");
  json.at("problems").clear();
  CHECK(again({whole}) == "none of the 3 rows was run to the end in " + where);
}

TEST_CASE("an option that is set in the list of steppers is not one to vary, and the message says so") {
  CompareRequest request = pendulum({{"generalized_alpha", {{"rho_inf", "0.5"}}}, {"hht"}}, {1e-2});
  request.vary["rho_inf"] = {"0", "0.9"};
  CHECK_THROWS_WITH_AS(
      variants(request, catalog()),
      "--vary rho_inf varies what --steppers sets (generalized_alpha rho_inf=0.5): leave one "
      "of them out",
      UsageError);
  request.steppers.push_back({"generalized_alpha"});  // one of them is left to vary
  CHECK(variants(request, catalog()).size() == 4);
}

}  // namespace compared_rows_tests
