// run(Scenario): the bits of the bare loop, all mistakes at once, and runs that do not see each other.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/model/forces.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

const Catalog& run_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

Scenario chain(int n, double end = 0.05) {
  Scenario scenario{.problem = "helix_chain", .step = 1e-3, .end = end};
  scenario.set("n", n);
  return scenario;
}

// A force that is not defined before the start of the run or behind its end.
struct Strict {
  static constexpr const char* type_name = "strict";
  std::array<BodyId, 1> bodies;
  double end = 1.0;  // [s]
  std::string name = "strict";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const {
    const double now = plain(t);
    if (now < 0.0 || now > end * (1.0 + 1e-14))
      throw std::out_of_range("asked at t = " + std::to_string(now) + " s");
    return {{-S(3.0) * A.x[0] + S(1.0) + t, S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)}};
  }
};

bool same_bits(const State& a, const State& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v && a.a == b.a && a.lambda == b.lambda;
}

}  // namespace

TEST_CASE("a scenario runs to the bits of the bare loop, and so does a model in memory") {
  const MultibodySystem system(HelixChain({.n = 5}).model());
  GeneralizedAlpha stepper;
  State bare = system.initial_state();
  const RunResult result = run(system, stepper, bare, {.step = 1e-3, .end = 0.05});
  REQUIRE(result.status == Status::ok);

  const Record record = run(chain(5), run_catalog());
  CHECK(record.ok());
  CHECK(record.report.run.steps == result.steps);
  CHECK(same_bits(record.state, bare));
  CHECK(record.key == content_key(chain(5), run_catalog()));
  CHECK(record.scenario.stepper == "generalized_alpha");
  CHECK(record.scenario.parameters.at("n") == "5");
  CHECK(record.report.monitor.states == result.steps + 1);

  const Scenario in_memory{
      .model = std::make_shared<Model>(HelixChain({.n = 5}).model()), .step = 1e-3, .end = 0.05};
  CHECK(same_bits(run(in_memory, run_catalog()).state, bare));
}

TEST_CASE("a record's scenario runs to the same record") {
  const Record first = run(chain(4), run_catalog());
  const Record again = run(scenario_from_json(to_json(first.scenario)), run_catalog());
  CHECK(again.key == first.key);
  CHECK(same_bits(again.state, first.state));
}

TEST_CASE("all mistakes of a scenario are reported at once, and nothing is run") {
  Scenario wrong = chain(0);
  wrong.set("foo", 1).option("rho_inf", 2.0);
  wrong.backend = "nix";
  wrong.step = -1.0;
  std::string text;
  try {
    run(wrong, run_catalog());
  } catch (const ScenarioError& error) {
    text = error.what();
  }
  for (const char* part :
       {"--set n=0 (", "--set foo=1 (", "--option rho_inf=2 (", "no back end \"nix\"", "step"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK_THROWS_AS(run(Scenario{.problem = "nix"}, run_catalog()), ScenarioError);
  CHECK_THROWS_AS(run(Scenario{.problem = "nix.yaml"}, Catalog()), ScenarioError);
}

TEST_CASE("a tolerance sets every tolerance of a stepper that controls its error, and is refused by others") {
  Scenario scenario = chain(3);
  scenario.tolerance = 1e-7;
  scenario.stepper = "rattle";
  CHECK_THROWS_WITH_AS(run(scenario, run_catalog()),
                       "--tolerance 1e-07: stepper rattle does not control its error: give --step",
                       ScenarioError);
  scenario.stepper = "dormand_prince";
  Scenario fixed = scenario;
  fixed.option("control", "fixed");
  CHECK_THROWS_WITH_AS(
      run(fixed, run_catalog()),
      "--tolerance 1e-07: with its options stepper dormand_prince takes steps of a fixed size: leave out "
      "--tolerance, or the option that fixes them",
      ScenarioError);
  Scenario alone = fixed;
  alone.tolerance.reset();
  alone.option("control_lambda", "true");
  CHECK_THROWS_WITH_AS(
      run(alone, run_catalog()),
      "--option control_lambda=true: stepper dormand_prince takes steps of a fixed size here: give "
      "--tolerance, or leave it out",
      ScenarioError);
  Scenario idle = scenario;
  idle.option("atol_lambda", 1.0);
  CHECK_THROWS_WITH_AS(run(idle, run_catalog()),
                       "--option atol_lambda: it counts with control_lambda=true alone", ScenarioError);
  const Record record = run(scenario, run_catalog());
  CHECK(record.ok());
  for (const char* name : {"rtol_position", "atol_position", "rtol_velocity", "atol_velocity"}) {
    CAPTURE(name);
    CHECK(record.scenario.options.at(name) == "1e-07");
  }
  scenario.stepper = "generalized_alpha";
  const Record implicit = run(scenario, run_catalog());
  CHECK(implicit.ok());
  CHECK(implicit.scenario.options.at("tolerance") == "1e-07");
  CHECK(implicit.report.run.largest_step > 1.05 * implicit.report.run.smallest_step);  // chosen by the error
}

TEST_CASE("runs in two threads of one process do not see each other: each has the bits that it has alone") {
  std::vector<Scenario> scenarios;
  for (int n = 2; n < 8; ++n) scenarios.push_back(chain(n, 0.02));
  scenarios[1].stepper = "dormand_prince";
  scenarios[3].stepper = "lie_dae";
  scenarios[4].set("n", 200);  // long enough to be cut into tasks
  std::vector<Record> alone, together(scenarios.size());
  for (const Scenario& scenario : scenarios) alone.push_back(run(scenario, run_catalog()));
  const auto every_second = [&](std::size_t begin, int threads) {
    for (std::size_t k = begin; k < scenarios.size(); k += 2)
      together[k] = run(scenarios[k], run_catalog(), {.settings = {.threads = threads}});
  };
  std::thread other([&] { every_second(0, 2); });
  every_second(1, 3);
  other.join();
  for (std::size_t k = 0; k < scenarios.size(); ++k) {
    CAPTURE(k);
    CHECK(same_bits(alone[k].state, together[k].state));
    CHECK(alone[k].key == together[k].key);
    CHECK(together[k].report.threads == (k % 2 == 0 ? 2 : 3));
  }
}

TEST_CASE("records of two processes merge into one table, a row of the same key once") {
  RecordTable first, second;
  for (const int n : {2, 3}) first.add(run(chain(n, 0.002), run_catalog()));
  for (const int n : {3, 4}) second.add(run(chain(n, 0.002), run_catalog()));
  second.add(run({.problem = "heavy_top", .end = 0.002}, run_catalog()));
  first.merge(second);
  REQUIRE(first.rows().size() == 4);
  CHECK(first.cell(0, "set n") == "2");
  CHECK(first.cell(2, "set n") == "4");
  CHECK(first.cell(3, "set n").empty());
  CHECK(first.cell(3, "problem") == "heavy_top");
  CHECK(first.cell(1, "status") == "ok");
  RecordTable again = first;
  again.merge(first);
  CHECK(again.to_csv() == first.to_csv());
  CHECK(first.to_csv().starts_with("key,problem,set "));
}

TEST_CASE("a run of a model in memory writes its folder, which its own program can resume") {
  const catena_test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  Scenario scenario{
      .model = std::make_shared<Model>(HelixChain({.n = 3}).model()), .step = 1e-3, .end = 0.01};
  const RunContext context{.settings = {.output = out, .format = "csv"}};
  CHECK(run(scenario, run_catalog(), context).ok());
  CHECK(std::filesystem::exists(out + "/scalars.csv"));
  CHECK_THROWS_AS(RunFolder(out).request(), UsageError);
  scenario.end = 0.02;
  const Record longer = run(scenario, run_catalog(), {.settings = context.settings, .resume = true});
  CHECK(longer.report.run.resumes == 1);
  CHECK(same_bits(longer.state, run(scenario, run_catalog()).state));
}

TEST_CASE("a program that calls run() itself has the bits, the sentence and the remarks of a scenario") {
  struct Case {
    double stiffness, step, end;
    Status status;
    std::size_t remarks;
  };
  for (const Case& c : {Case{1e6, 1e-2, 1.0, Status::unstable, 1},
                        {1.2e4, 1e-2, 1.0, Status::ok, 1},
                        {-1e5, 1e-2, 0.1, Status::ok, 1},
                        {1e15, 0.1, 100.0, Status::unstable, 0},
                        {100.0, 1e-3, 0.1, Status::ok, 0}}) {
    CAPTURE(c.stiffness);
    const auto model = std::make_shared<Model>();
    const BodyId mass = model->add(Body{.name = "mass",
                                        .mass = 1.0,
                                        .inertia = Mat3::Identity(),
                                        .position = {{1.0, 0.0, 0.0}},
                                        .velocity = {{0.0, 1.0, 0.0}}});
    model->add(SpringDamper{
        .bodies = {ground, mass}, .stiffness = c.stiffness, .rest_length = 0.9, .name = "spring"});
    const Record record =
        run({.model = model, .stepper = "generalized_alpha", .step = c.step, .end = c.end}, run_catalog());

    const MultibodySystem system(*model);
    GeneralizedAlpha stepper({}, {}, pivoting_fallback());
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = c.step, .end = c.end});
    CHECK(result.status == c.status);
    CHECK(same_bits(state, record.state));
    CHECK(stepper.statistics().fallback_factorizations == record.report.statistics.fallback_factorizations);
    if (c.stiffness < 0.0) CHECK(stepper.statistics().fallback_factorizations > 0);
    CHECK(to_text(result) == termination(record.report));
    CHECK(result.remarks.size() >= c.remarks);
    REQUIRE(result.remarks.size() == record.report.run.remarks.size());
    for (std::size_t k = 0; k < result.remarks.size(); ++k) {
      CHECK(result.remarks[k].key == record.report.run.remarks[k].key);
      CHECK(result.remarks[k].text == record.report.run.remarks[k].text);
    }
    // Asked for nothing, it says nothing.
    State again = system.initial_state();
    GeneralizedAlpha other({}, {}, pivoting_fallback());
    if (c.status == Status::ok)
      CHECK(run(system, other, again, {.step = c.step, .end = c.end, .verdict = false}).remarks.empty());
  }
}

TEST_CASE("forces are asked for their value within the interval of the run only") {
  const auto model = std::make_shared<Model>();
  const BodyId body = model->add(Body{.name = "body", .mass = 1.0, .inertia = Mat3::Identity()});
  model->add(Strict{.bodies = {body}, .end = 0.01});
  for (const char* stepper : {"generalized_alpha", "lie_dae", "alpha_rattle", "hht"})
    for (const double step : {1e-3, 2.5e-3}) {  // of two steps and more: starts look as far ahead
      CAPTURE(stepper);
      const catena_test::TemporaryFolder folder;
      const Scenario scenario{.model = model, .stepper = stepper, .step = step, .end = 0.01};
      CHECK_NOTHROW(content_key(scenario, run_catalog()));
      const Record record = run(
          scenario, run_catalog(),
          {.settings = {.output = (folder.path() / "out").string(), .format = "csv", .checkpoint = 1e-6}});
      CHECK_MESSAGE(record.ok(), termination(record.report));
      const Record resumed =
          run(scenario, run_catalog(),
              {.settings = {.output = (folder.path() / "out").string(), .format = "csv"}, .resume = true});
      CHECK_MESSAGE(resumed.ok(), termination(resumed.report));
    }
}

TEST_CASE("a record holds what was asked for at the output instants, quantities of one's own among it") {
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "tip",
                       .unit = "m",
                       .frame = "world",
                       .meaning = "height of the last body",
                       .evaluate = [](const Instant& now, double* out) {
                         *out = now.body(now.body_count() - 1).position[2];
                       }});
  Scenario scenario = chain(4, 0.01);
  scenario.record = "tip,energy/kinetic";
  scenario.every = 5;
  const Record record = run(scenario, catalog);
  const Table& table = record.table;
  REQUIRE(table.rows() == 3);
  CHECK(table.column("time") == std::vector<double>{0.0, 0.005, 0.01});
  CHECK(table.columns.size() == 3);
  CHECK(table.last("energy/kinetic") == record.report.monitor.energy_final.kinetic);
  CHECK(table.units[0] == "s");
  const MultibodySystem system(HelixChain({.n = 4}).model());
  CHECK(table.last("tip") == system.bodies(record.state).back().position[2]);
  CHECK_THROWS_WITH_AS(table.last("tipp"),
                       "the table has no column \"tipp\": did you mean \"tip\" or \"time\"?",
                       std::invalid_argument);
  RecordTable all;
  all.add(record);
  CHECK(std::stod(all.cell(0, "tip")) == table.last("tip"));
  CHECK(run(chain(4, 0.01), catalog).table.rows() == 0);  // nothing was named
  scenario.record = "tipp";
  CHECK_THROWS_AS(run(scenario, catalog), ScenarioError);
  scenario.record = "points/position";
  scenario.problem = "rotary_pendulum";  // in its own coordinates
  scenario.parameters.clear();
  CHECK_THROWS_AS(run(scenario, catalog), UsageError);
}

TEST_CASE(
    "without a word on it a run has about a thousand output instants, and all of them where it is shorter") {
  CHECK(completed(chain(2, 0.5), run_catalog()).every == 1);
  CHECK(completed(chain(2, 1.9), run_catalog()).every == 1);
  CHECK(completed(chain(2, 10.0), run_catalog()).every == 10);
  Scenario asked = chain(2, 10.0);
  asked.every = 3;
  CHECK(completed(asked, run_catalog()).every == 3);
}

TEST_CASE("remarks are data in the report: before the run and after it, with key and culprit") {
  Scenario scenario{.problem = "four_bar", .stepper = "generalized_alpha", .step = 1e-3, .end = 0.05};
  scenario.option("guards", "report");
  std::vector<std::string> sentences;
  RunContext context;
  context.notify = [&](const std::string& sentence) { sentences.push_back(sentence); };
  Record record = run(scenario, run_catalog(), context);
  REQUIRE(record.ok());
  REQUIRE(record.report.notices.size() == 1);
  const Remark& redundant = record.report.notices.front();
  CHECK(redundant.key == RemarkKey::redundant_rows);
  CHECK(redundant.culprit.name == record.report.redundancy.weakest.name);
  CHECK_FALSE(redundant.culprit.name.empty());
  CHECK(sentences == std::vector<std::string>{redundant.text});
  record.report.run.remarks = {{RemarkKey::drift, {"joint \"hip\"", "position residual", 0.5}, "it is open"}};
  const nlohmann::json json = nlohmann::json::parse(to_json(record.report))["remarks"];
  REQUIRE(json.size() == 2);
  CHECK(json[0]["key"] == "redundant_rows");
  CHECK(json[0]["text"] == redundant.text);
  CHECK(json[1] == nlohmann::json{{"key", "drift"},
                                  {"name", "joint \"hip\""},
                                  {"quantity", "position residual"},
                                  {"value", 0.5},
                                  {"text", "it is open"}});
}
