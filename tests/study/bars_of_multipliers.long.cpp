// The error bars of multipliers over tolerances and methods: at 95 % of the instants the largest true error of any multiplier is
// at most three times the largest bar. "True" is against dop853 at 1e-12.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/study/detail/companion_run.hpp>

#include "support/source_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

struct Motion {
  std::string problem;
  double end, every;
  int n;  // links; 0: as it is
};

Scenario scenario_of(const Motion& motion, const std::string& stepper, double tolerance) {
  Scenario scenario{.problem = motion.problem,
                    .stepper = stepper,
                    .step = motion.every,
                    .tolerance = tolerance,
                    .end = motion.end,
                    .every = 1,
                    .record = "lambda"};
  if (motion.n > 0) scenario.set("n", motion.n);
  return scenario;
}

// Part of the instants at which three bars cover the error; one below 1e-10 of the largest multiplier is roundoff.
double covered(const Table& run, const Table& bars, const Table& truth) {
  std::vector<double> error(run.rows(), 0.0), bar(run.rows(), 0.0);
  double size = 0.0;
  for (std::size_t c = 1; c < bars.columns.size(); ++c) {
    const std::vector<double> found = run.column(bars.columns[c]), exact = truth.column(bars.columns[c]);
    for (std::size_t row = 0; row < found.size(); ++row) {
      size = std::max(size, std::abs(exact[row]));
      error[row] = std::max(error[row], std::abs(found[row] - exact[row]));
      bar[row] = std::max(bar[row], bars.at(row, c));
    }
  }
  std::size_t good = 0;
  for (std::size_t row = 1; row < error.size(); ++row)
    if (error[row] <= 3.0 * bar[row] + 1e-10 * size) ++good;
  return static_cast<double>(good) / static_cast<double>(error.size() - 1);
}

}  // namespace

TEST_CASE(
    "three bars cover the errors of multipliers at 95 % of the instants, by every method with error "
    "control") {
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const RunContext context{.keep_standard = true};
  const std::string files = (catena_test::source_folder() / "problems/files/").string();
  std::map<std::string, std::vector<double>> parts;
  for (const Motion& motion :
       {Motion{"heavy_top", 0.5, 5e-3, 0}, Motion{"helix_chain", 0.5, 5e-3, 20},
        Motion{files + "andrews.yaml", 0.03, 3e-4, 0}, Motion{files + "four_bar.yaml", 0.5, 5e-3, 0}}) {
    CAPTURE(motion.problem);
    const Table truth = run(scenario_of(motion, "dop853", 1e-12), catalog, context).table;
    for (const std::string stepper : {"generalized_alpha", "radau", "lie_bdf", "dop853", "dormand_prince"}) {
      CAPTURE(stepper);
      for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
        CAPTURE(tolerance);
        if (stepper == "generalized_alpha" && tolerance < 1e-7) break;  // 1e6 steps and more
        const Record record = run(scenario_of(motion, stepper, tolerance), catalog, context);
        const Companion how = companion_of(record, catalog);
        const MeasuredBars measured = error_bars(record, try_run(how.scenario, catalog, context), how);
        REQUIRE(measured.summary.missing.empty());
        REQUIRE(measured.bars.columns.size() > 1);
        const double part = covered(record.table, measured.bars, truth);
        parts[stepper].push_back(part);
        // Methods whose errors follow the tolerance in every run. Others have runs with less: the first steps of
        // generalized_alpha at 1e-3 and of dop853 on the four-bar are those of the companion, and roundoff bounds lie_bdf.
        if (stepper == "radau" || stepper == "dormand_prince")
          CHECK(part >= 0.95);
        else if (part < 0.95)
          MESSAGE(motion.problem << ", " << stepper << " at " << tolerance << ": " << 100.0 * part << " %");
      }
    }
  }
  for (const auto& of_stepper : parts) {
    CAPTURE(of_stepper.first);
    double sum = 0.0;
    for (const double part : of_stepper.second) sum += part;
    CHECK(sum / static_cast<double>(of_stepper.second.size()) >= 0.95);
  }
}
