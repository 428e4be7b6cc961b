// The balance of energy at events, at instants inside of steps, in resumed runs, and where it is not known.
#include <catena/output/parts/report.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/temporary_folder.hpp"
#include "support/working_linkage.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using namespace catena_test;

namespace {

// Falls on a damper; it does not say what supplies power.
struct Silent {
  static constexpr int coordinates = 1;
  static constexpr const char* name = "silent";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>& v, const S&) const {
    return {{S(-9.81) - v[0]}};
  }
  double potential(const Vec<double, 1>& q) const { return 9.81 * q[0]; }
};

}  // namespace

TEST_CASE("a run that an event ends inside a step has the work up to there") {
  for (const char* stepper : {"generalized_alpha", "dormand_prince"}) {
    const bool high = std::string(stepper) == "dormand_prince";
    const double h = high ? 2e-2 : 4e-3;
    const auto look = [&](bool ends) {
      Listeners listeners;
      // At a third of a step.
      if (ends)
        listeners.events = {{.name = "end",
                             .value = [=](const State& s) { return s.t - (0.6 + h / 3.0); },
                             .terminal = true}};
      return seen_in(moving_linkage({}, stepper, h), listeners);
    };
    const MonitorResult cut = look(true), whole = look(false);
    CAPTURE(stepper);
    CHECK(cut.energy_error.t < 0.6 + h);
    // The work of what is left of the step is some 0.1 J.
    CHECK(std::abs(cut.energy_balance()) <= 2.0 * whole.energy_error.value + 1e-4);
  }
}

TEST_CASE("columns, peaks and the report have one balance, at instants inside of steps as well") {
  Scenario scenario = moving_linkage({.friction = 0.3}, "dormand_prince", 0.02);
  scenario.options["control"] = "adaptive";
  scenario.tolerance = 1e-8;
  scenario.record = "energy,peaks,forces/work,drives/work";
  scenario.every = 1;
  const Record record = run(scenario, everything());
  REQUIRE_MESSAGE(record.ok(), termination(record.report));
  const Table& table = record.table;
  const MonitorResult& m = record.report.monitor;
  CHECK(table.last("energy/error") == m.energy_balance());
  CHECK(table.last("energy/work forces") == m.work.forces);
  CHECK(table.last("energy/work drives") == m.work.drives);
  CHECK(table.last("peaks/energy_error") == m.energy_error.value);
  // Of the work of each element, by Gauss' rule inside of the steps.
  double forces = 0.0;
  for (const std::string& column : table.columns)
    if (column.starts_with("forces/work")) forces += table.last(column);
  CHECK(m.work.forces == doctest::Approx(forces).epsilon(1e-6));
  CHECK(m.work.drives == doctest::Approx(table.last("drives/work of joint \"drive\" (drive)")).epsilon(1e-6));
  const std::vector<double> error = table.column("energy/error");
  // Powers between three values of a step are on a parabola.
  for (const double e : error) CHECK(std::abs(e) < 1e-4);
}

TEST_CASE("a run in two parts continues the balance with the same bits") {
  const catena_test::TemporaryFolder folder;
  for (const char* stepper : {"generalized_alpha", "alpha_rattle", "dormand_prince"})
    for (const Mover mover : {Mover::drive, Mover::pid}) {
      const std::string name = std::string(stepper) + (mover == Mover::pid ? "_pid" : "_drive");
      CAPTURE(name);
      const auto part = [&](const std::string& output, double end, bool resume) {
        Scenario scenario = moving_linkage({.mover = mover, .friction = 0.3}, stepper, 0.0078125);
        scenario.end = end;
        scenario.record = "energy,peaks";
        return run(
            scenario, everything(),
            {.settings = {.output = (folder.path() / output).string(), .format = "csv"}, .resume = resume});
      };
      const Record whole = part(name + "_whole", 0.75, false);
      REQUIRE(part(name + "_parts", 0.3125, false).ok());
      const Record rest = part(name + "_parts", 0.75, true);
      REQUIRE(rest.report.run.resumes == 1);
      const MonitorResult &a = whole.report.monitor, &b = rest.report.monitor;
      CHECK(a.work.forces == b.work.forces);
      CHECK(a.work.drives == b.work.drives);
      CHECK(a.energy_error.value == b.energy_error.value);
      CHECK(a.energy_balance() == b.energy_balance());
      CHECK((catena_test::file_text(folder.path() / (name + "_whole") / "scalars.csv") ==
             catena_test::file_text(folder.path() / (name + "_parts") / "scalars.csv")));
    }
}

TEST_CASE("the balance of a system that states no power is not known, and the report says so") {
  const CoordinateSystem<Silent> system({}, {{1.0}}, {{0.0}});
  const auto stepper = everything().stepper("generalized_alpha").setup()->make({}, {});
  State state = system.initial_state();
  Monitor monitor;
  const RunResult result =
      run(system, *stepper, state, {.step = 1e-2, .end = 0.5}, {.observers = {&monitor}});
  REQUIRE(result.status == Status::ok);
  CHECK(monitor.result().work_known == WorkKnown::no_power);
  CHECK(std::isnan(monitor.result().energy_error_max()));
  CHECK(std::isnan(monitor.result().energy_balance()));
  Report report;
  report.problem = "silent";
  fill_from_run(report, system, state, *stepper, monitor, result);
  CHECK(to_text(report).find("Balance                              not known   silent states no power") !=
        std::string::npos);
  CHECK(to_json(report).find("\"energy_error_unknown\": \"silent states no power\"") != std::string::npos);
  CHECK(to_json(report).find("\"energy_error_max\": null") != std::string::npos);
}
