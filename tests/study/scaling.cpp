// Scaling studies: fitted exponents, rows against runs of their own, processes that die.
#include <catena/builtin/builtin.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/other_program.hpp>
#include <catena/study/detail/ensemble_scaling.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaling_files.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

ScaleRequest small_request() {
  ScaleRequest request;
  request.problem = "helix_chain";
  request.sizes = {"3", "5", "9"};
  request.steps = 4;
  request.repeat = 2;
  return request;
}

}  // namespace

TEST_CASE("an exponent is that of a power law, to roundoff and with no uncertainty") {
  const std::vector<double> bodies{10.0, 20.0, 40.0, 80.0};
  std::vector<double> seconds;
  for (const double n : bodies) seconds.push_back(3e-7 * std::pow(n, 1.25));
  const ScalingExponent e = scaling_exponent(bodies, seconds);
  CHECK(e.points == 4);
  CHECK(e.exponent == doctest::Approx(1.25).epsilon(1e-12));
  CHECK(e.uncertainty < 1e-7);  // the square root of roundoff, times Student's factor
}

TEST_CASE("an exponent leaves out sizes below 1000 bodies where three others are there") {
  const std::vector<double> bodies{10.0, 100.0, 1000.0, 2000.0, 4000.0};
  const std::vector<double> seconds{1.0, 1.0, 1.0, 2.0, 4.0};  // fixed costs below, linear above
  CHECK(scaling_exponent(bodies, seconds).points == 3);
  CHECK(scaling_exponent(bodies, seconds).exponent == doctest::Approx(1.0).epsilon(1e-12));
  const ScalingExponent all = scaling_exponent({10.0, 100.0, 1000.0, 2000.0}, {1.0, 1.0, 1.0, 2.0});
  CHECK(all.points == 4);
  CHECK(all.exponent < 0.5);
}

TEST_CASE("the uncertainty of an exponent is Student's factor times the standard error") {
  // Logarithms of bodies 0, 1, 2; of values 0, 1, 3: slope 3/2, residuals 1/6, -1/3, 1/6, standard error sqrt(1/12).
  const double e = std::exp(1.0);
  const ScalingExponent s = scaling_exponent({1.0, e, e * e}, {1.0, e, e * e * e});
  CHECK(s.exponent == doctest::Approx(1.5).epsilon(1e-12));
  CHECK(s.uncertainty == doctest::Approx(12.706 * std::sqrt(1.0 / 12.0)).epsilon(1e-12));
}

TEST_CASE("two sizes, or a phase without time, have no exponent") {
  CHECK_FALSE(scaling_exponent({10.0, 20.0}, {1.0, 2.0}).known());
  CHECK_FALSE(scaling_exponent({10.0, 20.0, 40.0}, {1.0, 0.0, 2.0}).known());
  CHECK_FALSE(scaling_exponent({10.0, 10.0, 10.0}, {1.0, 1.0, 2.0}).known());
}

TEST_CASE("phases grow more than linearly where the whole interval of their exponent is above 1.05") {
  ScaledSeries series;
  series.exponents[static_cast<std::size_t>(Phase::factorize)] = {1.3, 0.1, 4};
  series.exponents[static_cast<std::size_t>(Phase::solve)] = {1.3, 0.3, 4};
  series.exponents[static_cast<std::size_t>(Phase::step)] = {1.04, 0.001, 4};
  const std::vector<Phase> found = series.more_than_linear();
  REQUIRE(found.size() == 1);
  CHECK(found.front() == Phase::factorize);
}

TEST_CASE("work in a process of its own answers, and changes nothing here") {
  int here = 1;
  const OwnProcess done = in_own_process([&] {
    here = 2;
    return std::string(100000, 'x') + "end";  // more than a pipe holds
  });
  CHECK(done.ended());
  CHECK(done.answer.size() == 100003);
  CHECK(done.answer.ends_with("xend"));
  CHECK(here == 1);
}

TEST_CASE("a process that is killed or throws has no answer, and is said to have ended so") {
  const OwnProcess killed = in_own_process([]() -> std::string {
    std::raise(SIGKILL);
    return "never";
  });
  CHECK(killed.signal == SIGKILL);
  CHECK_FALSE(killed.ended());
  CHECK(killed.answer.empty());
  const OwnProcess thrown = in_own_process([]() -> std::string { throw std::runtime_error("no"); });
  CHECK(thrown.signal == 0);
  CHECK(thrown.exit_status == 1);
  CHECK(thrown.answer.empty());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("the peak of a process is that of its own memory") {
  const OwnProcess none = in_own_process([] { return std::string("none"); });
  constexpr std::size_t size = 64U << 20U;
  const OwnProcess much = in_own_process([] {
    const std::string held(size, 'x');  // written, so that it is resident
    return held.substr(size - 1);
  });
  CHECK(much.peak_bytes >=
        none.peak_bytes + size - size / 8);  // some pages of `none` are shared with the caller
  CHECK(much.peak_bytes <= none.peak_bytes + 2 * size);
  CHECK(in_own_process([] { return std::string("none"); }).peak_bytes < none.peak_bytes + size / 2);
}
#endif

TEST_CASE("a process or program whose end is not known is not said to have ended well") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);  // the system then keeps no ends
  CHECK_THROWS_AS(in_own_process([] { return std::string("done"); }), SinkError);
  CHECK_THROWS_AS(in_own_processes(2, [](int) { return std::string("done"); }), SinkError);
  CHECK_THROWS_AS(run_program("true", {}, {}), SinkError);
  std::signal(SIGCHLD, before);
}

TEST_CASE("rows of a scaling study have the sizes and counts of runs of their own") {
  const Catalog catalog = builtin();
  ScaleRequest request = small_request();
  request.steppers = {
      {"generalized_alpha", {{"rho_inf", "0.9"}}}, {"lie_dae"}, {"dormand_prince", {{"control", "fixed"}}}};
  const Scaling scaling = scale(request, catalog);
  REQUIRE(scaling.series.size() == 3);
  CHECK(scaling.step == 1e-3);
  for (const ScaledSeries& series : scaling.series) {
    CAPTURE(series.stepper.name);
    CHECK(series.backend == "ldl");
    REQUIRE(series.runs.size() == 3);
    for (const ScaledRun& run : series.runs) {
      CAPTURE(run.size);
      REQUIRE(run.failure == "");
      Scenario scenario{
          .problem = "helix_chain", .stepper = run.stepper.name, .options = run.stepper.options};
      scenario.end = 4e-3;
      scenario.parameters["n"] = run.size;
      const Record alone = catena::run(scenario, catalog);
      CHECK(run.bodies == std::stoi(run.size));
      CHECK(run.rows == alone.report.rows);
      CHECK(run.steps == 4);
      const StepperStatistics &all = alone.report.statistics, &before = alone.report.before_steps;
      if (series.stepper.name == "dormand_prince") CHECK(before.factorizations > 0);  // a start that counts
      CHECK(run.iterations == static_cast<double>(all.newton_iterations - before.newton_iterations) / 4.0);
      CHECK(run.factorizations == static_cast<double>(all.factorizations - before.factorizations) / 4.0);
      const double parts =
          run.of(Phase::evaluate) + run.of(Phase::factorize) + run.of(Phase::solve) + run.of(Phase::rest);
      CHECK(run.of(Phase::evaluate) > 0.0);
      CHECK(run.of(Phase::factorize) > 0.0);
      CHECK(run.of(Phase::setup) > 0.0);
      CHECK(parts == doctest::Approx(run.of(Phase::step)));
      CHECK(run.spread >= 0.0);
      CHECK(run.peak_bytes > 0.0);
      CHECK(run.work.bodies == run.bodies);
      CHECK(run.work.flops > 0.0);
      REQUIRE(run.predicted.why_not == "");
      CHECK(run.predicted.of(Phase::step) > 0.0);
      CHECK(run.predicted.peak_bytes >= run.work.solver_bytes());
    }
    for (const Phase phase : all_phases)
      if (phase != Phase::rest) CHECK(series.exponents[static_cast<std::size_t>(phase)].points == 3);
  }
}

TEST_CASE("the phases of a step are parts of it, whatever the set-up did") {
  ScaleRequest request = small_request();
  request.sizes = {"20"};
  request.steps = 2;
  const Catalog catalog = builtin();
  for (const StepperEntry& entry : catalog.steppers())
    if (entry.name != "runge_kutta_4") request.steppers.push_back({entry.name});  // solves no constraints
  const Scaling scaling = scale(request, catalog);
  for (const ScaledSeries& series : scaling.series) {
    const ScaledRun& run = series.runs.front();
    CAPTURE(series.stepper.name);
    REQUIRE(run.failure == "");
    const double parts = run.of(Phase::evaluate) + run.of(Phase::factorize) + run.of(Phase::solve);
    CHECK(run.of(Phase::evaluate) > 0.0);
    CHECK(parts <= run.of(Phase::step));
    CHECK(run.of(Phase::rest) == run.of(Phase::step) - parts);
  }
}

TEST_CASE("a row that fails says why, and the others are measured") {
  ScaleRequest request;
  request.problem = "snakeboard";
  request.by = "force";
  request.sizes = {"0", "20"};  // with 20 N it is singular at 1.2537 s
  request.steps = 1300;
  request.repeat = 1;
  const Scaling scaling = scale(request, builtin());
  const std::vector<ScaledRun>& runs = scaling.series.front().runs;
  CHECK(runs.front().ok());
  CHECK(runs.front().of(Phase::step) > 0.0);
  const ScaledRun& run = runs.back();
  CHECK_FALSE(run.ok());
  CHECK(run.failure.find("step_too_small at t = 1.25") != std::string::npos);
  CHECK(run.failure.find("\"back wheels\"") != std::string::npos);
  const std::string csv = scaling_csv(scaling);
  CHECK(csv.find(run.failure.substr(0, 20)) != std::string::npos);
}

TEST_CASE("the table and the JSON of a scaling study name what they hold") {
  const Scaling scaling = scale(small_request(), builtin());
  std::istringstream lines(scaling_csv(scaling));
  std::string head, first;
  std::getline(lines, head);
  std::getline(lines, first);
  const std::vector<std::string> names = cells_of(head), cells = cells_of(first);
  REQUIRE(names.size() == cells.size());
  const auto cell = [&](const std::string& name) {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) return cells[k];
    return "no column " + name;
  };
  const ScaledRun& run = scaling.series.front().runs.front();
  CHECK(cell("stepper") == "generalized_alpha");
  CHECK(cell("back end") == "ldl");
  CHECK(cell("n") == "3");
  CHECK(cell("bodies") == "3");
  CHECK(cell("rows") == "9");
  CHECK(cell("steps") == "4");
  CHECK(std::stod(cell("newton iterations a step")) == run.iterations);
  CHECK(std::stod(cell("evaluate in a step [s]")) == run.of(Phase::evaluate));
  CHECK(std::stod(cell("factorise in a step [s]")) == run.of(Phase::factorize));
  CHECK(std::stod(cell("solve in a step [s]")) == run.of(Phase::solve));
  CHECK(std::stod(cell("step [s]")) == run.of(Phase::step));
  CHECK(std::stod(cell("set-up [s]")) == run.of(Phase::setup));
  CHECK(std::stod(cell("peak of memory [B]")) == run.peak_bytes);
  CHECK(std::stod(cell("predicted step [s]")) == run.predicted.of(Phase::step));
  CHECK(std::stod(cell("predicted peak of memory [B]")) == run.predicted.peak_bytes);
  CHECK(std::stod(cell("factor [flop]")) == run.work.flops);
  CHECK(std::stod(cell("predicted speed-up of a step on 4 cores")) == run.predicted.speed_ups[1].step);
  CHECK(std::stod(cell("of the elimination on 64 cores")) == run.predicted.speed_ups[5].elimination);
  const nlohmann::json json = nlohmann::json::parse(scaling_json(scaling, "abc"));
  CHECK(json.at("manifest").at("commit") == "abc");
  CHECK(json.at("series").at(0).at("runs").at(0).at("seconds_step_per_step") == run.of(Phase::step));
  CHECK(json.at("series").at(0).at("runs").at(0).at("seconds_set_up") == run.of(Phase::setup));
  CHECK(json.at("series").at(0).at("exponents").at("step").at("points") == 3);
  CHECK(json.at("by") == "n");
  const nlohmann::json& predicted = json.at("series").at(0).at("runs").at(0).at("predicted");
  CHECK(predicted.at("seconds_step_per_step") == run.predicted.of(Phase::step));
  CHECK(predicted.at("peak_bytes") == run.predicted.peak_bytes);
  CHECK(predicted.at("speed_up").at(1).at("cores") == 4);
  CHECK(json.at("memory").size() == scaling.memory_prices.size());
}

TEST_CASE("a scaling study refuses what makes no sense before it runs anything") {
  ScaleRequest request = small_request();
  request.by = "length_of_a_link";
  CHECK_THROWS_WITH_AS(scale(request, builtin()),
                       doctest::Contains("helix_chain has no parameter \"length_of_a_link\" for the number "
                                         "of bodies: name it by --by, of n"),
                       UsageError);
  request = small_request();
  request.steppers = {{"genalpha"}};
  CHECK_THROWS_WITH_AS(scale(request, builtin()), doctest::Contains("no stepper \"genalpha\""),
                       ScenarioError);
}

TEST_CASE("efficiencies are against the first run of the same kind") {
  std::vector<EnsembleRun> runs{{.workers = 1, .strong = 8.0, .weak = 8.0},
                                {.workers = 4, .strong = 2.5, .weak = 10.0},
                                {.kind = Workers::processes, .workers = 2, .strong = 4.0, .weak = 8.0},
                                {.kind = Workers::processes, .workers = 4, .strong = 2.0, .weak = 8.0}};
  fill_efficiencies(runs);
  CHECK(runs[0].strong_efficiency == 1.0);
  CHECK(runs[1].strong_efficiency == 0.8);
  CHECK(runs[1].weak_efficiency == 0.8);
  CHECK(runs[2].weak_efficiency == 1.0);
  CHECK(runs[3].strong_efficiency == 1.0);
}

TEST_CASE(
    "ensembles are measured over threads and over processes, and a row that fails is the reason why not") {
  ScaleRequest request = small_request();
  request.sizes = {"3"};
  request.threads = {1, 2};
  request.scenarios = 3;
  request.repeat = 1;
  request.predict = false;
  Scaling scaling = scale(request, builtin());
  REQUIRE(scaling.ensembles.size() == 1);
  const EnsembleSeries& series = scaling.ensembles.front();
  CHECK(series.failure == "");
  CHECK(series.bodies == 3);
  REQUIRE(series.runs.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(series.runs[k].kind == (k >= 2 ? Workers::processes : Workers::threads));
    CHECK(series.runs[k].workers == (k % 2 == 0 ? 1 : 2));
    CHECK(series.runs[k].strong > 0.0);
    CHECK(series.runs[k].weak > 0.0);
  }
  CHECK(scaling.series.front().runs.front().predicted.why_not == "nothing was predicted");
  std::istringstream lines(ensembles_csv(scaling));
  std::string head, first;
  std::getline(lines, head);
  std::getline(lines, first);
  CHECK(cells_of(head).size() == cells_of(first).size());
  CHECK(first.starts_with("generalized_alpha,,ldl,3,3,,threads,1,"));
  const nlohmann::json json = nlohmann::json::parse(scaling_json(scaling, "abc"));
  CHECK(json.at("scenarios") == 3);
  CHECK(json.at("ensembles").at(0).at("runs").at(3).at("over") == "processes");
  CHECK(json.at("ensembles").at(0).at("runs").at(3).at("seconds_weak") == series.runs[3].weak);

  scaling.request.problem = "snakeboard";
  scaling.request.steps = 1300;  // singular at 1.2537 s with a force of 20 N
  scaling.ensembles.clear();
  ScaledSeries& only = scaling.series.front();
  scaling.request.by = "force";
  only.runs.front().size = "20";
  scale_ensembles(scaling, builtin(), nullptr);
  CHECK(scaling.ensembles.front().failure.find("step_too_small") != std::string::npos);
  CHECK(scaling.ensembles.front().runs.empty());
}

TEST_CASE("several processes answer each for themselves") {
  const std::vector<OwnProcess> done = in_own_processes(3, [](int which) -> std::string {
    if (which == 1) std::raise(SIGKILL);
    return std::to_string(which);
  });
  REQUIRE(done.size() == 3);
  CHECK(done[0].answer == "0");
  CHECK(done[1].signal == SIGKILL);
  CHECK(done[2].answer == "2");
}
