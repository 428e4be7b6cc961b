// Error bars of a companion run against the true errors of the run, which a third, much finer run gives.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/output/detail/results_file.hpp>
#include <catena/output/detail/results_reader.hpp>
#include <catena/study/detail/companion_run.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

const Catalog& barred_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

struct Barred {
  Record record;
  MeasuredBars measured;
};

Barred barred(const Scenario& scenario) {
  const RunContext context{.keep_standard = true};
  Barred b{.record = run(scenario, barred_catalog(), context), .measured = {}};
  const Companion how = companion_of(b.record, barred_catalog());
  b.measured = error_bars(b.record, try_run(how.scenario, barred_catalog(), context), how);
  return b;
}

// Of all numbers of a quantity at all instants, the true error over the bar, in order of size; what is roundoff is left out.
std::vector<double> ratios(const Barred& b, const Table& truth, const std::string& quantity) {
  std::vector<double> found;
  const Table &of = b.record.table, &bars = b.measured.bars;
  for (std::size_t c = 1; c < bars.columns.size(); ++c) {
    if (!bars.columns[c].starts_with(quantity + ' ') && bars.columns[c] != quantity) continue;
    const std::vector<double> run = of.column(bars.columns[c]), exact = truth.column(bars.columns[c]);
    double size = 0.0;
    for (const double x : exact) size = std::max(size, std::abs(x));
    for (std::size_t row = 1; row < run.size(); ++row) {
      const double error = std::abs(run[row] - exact[row]), bar = bars.at(row, c);
      if (std::max(error, bar) > 1e-10 * size) found.push_back(error / bar);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// At 95 % of the instants the true error is at most three bars, and half of the bars are the true error within `near`.
void check_ratios(const Barred& b, const Table& truth, const std::string& quantity, double near) {
  CAPTURE(quantity);
  const std::vector<double> all = ratios(b, truth, quantity);
  REQUIRE(all.size() >= 20);
  CAPTURE(all.front());
  CAPTURE(all.back());
  CHECK(all[all.size() * 95 / 100] <= 3.0);
  CHECK(std::abs(std::log(all[all.size() / 2])) <= std::log(near));
}

}  // namespace

TEST_CASE("bars of fixed steps are the true errors, with orders 1 and 2, joint forces included") {
  for (const std::string problem : {"helix_chain", "heavy_top"}) {
    CAPTURE(problem);
    const int n = problem == "helix_chain" ? 4 : 0;  // links
    Scenario scenario{.problem = problem, .step = 1e-3, .end = 0.2, .every = 5};
    if (n > 0) scenario.set("n", n);
    Scenario fine = scenario;
    fine.stepper = "dop853";
    fine.tolerance = 1e-12;
    fine.step = 5e-3;
    fine.every = 1;
    const Table truth = run(fine, barred_catalog(), {.keep_standard = true}).table;
    for (const char* stepper : {"generalized_alpha", "newmark", "alpha_rattle"}) {
      CAPTURE(stepper);
      scenario.stepper = stepper;
      if (n == 0 && scenario.stepper == "newmark") continue;  // of the top 1e-3 s resolves nothing by order 1
      const Barred b = barred(scenario);
      REQUIRE(b.measured.summary.missing.empty());
      CHECK(b.measured.summary.companion == "half of the step, 0.0005 s");
      for (const char* quantity : {"bodies/position", "bodies/velocity", "energy/kinetic", "points/position"})
        if (std::any_of(b.measured.bars.columns.begin(), b.measured.bars.columns.end(),
                        [&](const std::string& c) { return c.starts_with(quantity); }))
          check_ratios(b, truth, quantity, 1.2);
      check_ratios(b, truth, "reactions/force", 1.5);
    }
  }
}

TEST_CASE("bars of a tolerance cover the true errors") {
  for (const char* stepper : {"dormand_prince", "generalized_alpha"}) {
    CAPTURE(stepper);
    Scenario scenario{.problem = "helix_chain",
                      .stepper = stepper,
                      .step = 5e-3,
                      .tolerance = 1e-5,
                      .end = 0.2,
                      .every = 1};
    scenario.set("n", 4);
    Scenario fine = scenario;
    fine.stepper = "dop853";
    fine.tolerance = 1e-12;
    const Barred b = barred(scenario);
    REQUIRE(b.measured.summary.missing.empty());
    CHECK(b.measured.summary.companion == "a tenth of the tolerances, 1e-06");
    const Table truth = run(fine, barred_catalog(), {.keep_standard = true}).table;
    check_ratios(b, truth, "bodies/position", 1.5);
    // generalized_alpha begins with the same small steps whatever the tolerance: 8 % of the bars of forces are 0 there.
    if (scenario.stepper == "dormand_prince") check_ratios(b, truth, "reactions/force", 1.5);
  }
}

TEST_CASE("the summary names the largest bar, when and where; what says how a run went has none") {
  Scenario scenario{
      .problem = "helix_chain", .step = 2e-3, .end = 0.1, .record = "energy,bodies,step,residuals"};
  scenario.set("n", 3);
  const Barred b = barred(scenario);
  const Table& bars = b.measured.bars;
  CHECK(bars.columns.front() == "time");
  CHECK(bars.rows() == b.record.table.rows());
  for (const std::string& column : bars.columns) {
    CAPTURE(column);
    CHECK_FALSE(column.starts_with("step/"));
    CHECK_FALSE(column.starts_with("residuals/"));
    CHECK_FALSE(column.starts_with("energy/error"));
  }
  bool seen = false;
  for (const ErrorBar& bar : b.measured.summary.bars) {
    CAPTURE(bar.quantity);
    if (bar.quantity != "bodies/position") continue;
    seen = true;
    CHECK(bar.unit == "m");
    double largest = 0.0, at_end = 0.0;
    for (const std::string& column : bars.columns)
      if (column.starts_with("bodies/position ")) {
        const std::vector<double> values = bars.column(column);
        largest = std::max(largest, *std::max_element(values.begin(), values.end()));
        at_end = std::max(at_end, values.back());
      }
    CHECK(bar.largest == largest);
    CHECK(bar.at_end == at_end);
    const std::vector<double> times = bars.column("time"), values = bars.column(bar.column);
    const auto found = std::find(times.begin(), times.end(), bar.t);
    REQUIRE(found != times.end());
    CHECK(values[static_cast<std::size_t>(found - times.begin())] == largest);
  }
  CHECK(seen);
}

TEST_CASE("a companion that ends early leaves no bars, and says why") {
  Scenario scenario{.problem = "helix_chain", .step = 2e-3, .end = 0.02};
  scenario.set("n", 2);
  const RunContext context{.keep_standard = true};
  const Record record = run(scenario, barred_catalog(), context);
  Companion how = companion_of(record, barred_catalog());
  how.scenario.end = 0.01;
  CHECK(error_bars(record, try_run(how.scenario, barred_catalog(), context), how).summary.missing ==
        "the companion measured other instants");
  how.scenario.option("rho_inf", 2);
  const ErrorBars failed = error_bars(record, try_run(how.scenario, barred_catalog(), context), how).summary;
  CHECK(failed.missing.starts_with("the companion did not reach the end: --option rho_inf=2"));
  CHECK(failed.bars.empty());
}

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream text(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> barred_run(const std::string& out, const std::string& end) {
  return {"run",
          "helix_chain",
          "--set",
          "n=2",
          "--end",
          end,
          "--every",
          "1",
          "--output",
          out,
          "--error-bars",
          "--json",
          "-",
          "--format",
          has_hdf5() ? "csv,hdf5" : "csv"};
}

}  // namespace

TEST_CASE("catena run --error-bars: report, JSON, error_bars.csv and error_bars.h5") {
  const catena_test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const catena_test::Answer a = catena_test::ask(barred_run(out, "0.02"));
  REQUIRE(a.code == exit_ok);
  const auto json = nlohmann::json::parse(a.out);
  const auto& bars = json["error_bars"];
  CHECK(bars["companion"] == "half of the step, 0.0005 s");
  CHECK(bars["missing"] == "");
  CHECK(bars["bars"]["bodies/position"]["unit"] == "m");
  CHECK(bars["bars"]["bodies/position"]["largest"] > 0.0);
  CHECK(a.err.find("Error bars\nCompanion run") != std::string::npos);
  CHECK(a.err.find("bodies/position [m]") != std::string::npos);
  const std::vector<std::string> lines = lines_of(std::filesystem::path(out) / "error_bars.csv");
  REQUIRE(lines.size() == 22);
  CHECK(lines[0].starts_with("time [s],energy/kinetic [J],"));
  if (!has_hdf5()) return;
  // The datasets of the results, in their shapes, with the largest bar where the report has it.
  const ResultsReader results(std::filesystem::path(out) / "results.h5");
  const ResultsReader file(std::filesystem::path(out) / "error_bars.h5");
  CHECK(file.instants() == 21);
  CHECK(file.all("/time") == results.all("/time"));
  const std::vector<double> positions = file.all("/bodies/position");
  CHECK(positions.size() == results.all("/bodies/position").size());
  CHECK(*std::max_element(positions.begin(), positions.end()) ==
        bars["bars"]["bodies/position"]["largest"].get<double>());
  CHECK(file.all("/residuals/position").empty());
  const auto about = file.texts("/");
  CHECK(std::find(about.begin(), about.end(),
                  std::pair<std::string, std::string>("companion", "half of the step, 0.0005 s")) !=
        about.end());
}

TEST_CASE("error bars of a resumed run are those of the run that was never interrupted") {
  const catena_test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), whole = (folder.path() / "whole").string();
  const std::filesystem::path file = std::filesystem::path(out) / "error_bars.csv";
  REQUIRE(catena_test::ask(barred_run(whole, "0.02")).code == exit_ok);
  const std::vector<std::string> expected = lines_of(std::filesystem::path(whole) / "error_bars.csv");
  const std::atomic<bool> stop{true};
  REQUIRE(catena_test::ask(barred_run(out, "0.02"), barred_catalog(), &stop).code == exit_interrupted);
  CHECK(!std::filesystem::exists(file));
  const catena_test::Answer a = catena_test::ask({"resume", out, "--json", "-"});
  REQUIRE(a.code == exit_ok);
  CHECK(nlohmann::json::parse(a.out)["error_bars"]["companion"] == "half of the step, 0.0005 s");
  CHECK(lines_of(file) == expected);
  // A run that is finished keeps its bars, and without the file has them measured anew.
  CHECK(catena_test::ask({"resume", out}).out.find("those of the run are in " + file.string()) !=
        std::string::npos);
  CHECK(lines_of(file) == expected);
  std::filesystem::remove(file);
  REQUIRE(catena_test::ask({"resume", out}).code == exit_ok);
  CHECK(lines_of(file) == expected);
  // With another end the steps are others.
  const catena_test::Answer moved = catena_test::ask({"resume", out, "--end", "0.0305"});
  REQUIRE(moved.code == exit_ok);
  CHECK(moved.out.find("the end of the run has been moved, and with it its steps") != std::string::npos);
  CHECK(!std::filesystem::exists(file));
}

TEST_CASE("the companion of a run has a tenth of its tolerances of every kind") {
  Scenario scenario{.problem = "heavy_top"};
  scenario.stepper = "radau";
  scenario.tolerance = 1e-6;
  scenario.end = 1e-3;
  scenario.option("atol_length", 1e-5).option("control_lambda", "true").option("atol_lambda", 2.0);
  const Companion how = companion_of(run(scenario, barred_catalog()), barred_catalog());
  const auto value = [&](const char* name) { return std::stod(how.scenario.options.at(name)); };
  CHECK(value("rtol_position") == doctest::Approx(1e-7).epsilon(1e-12));
  CHECK(value("atol_length") == doctest::Approx(1e-6).epsilon(1e-12));
  CHECK(value("atol_lambda") == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(value("atol_angle") == 0.0);
  CHECK(how.setting == "a tenth of the tolerances, 1e-07");
}
