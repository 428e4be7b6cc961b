// Scenarios whose quantities, forces or observers throw: a Record with a status, files that can be read, an exit code.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/model/joints.hpp>
#include <catena/output/detail/results_file.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

void refuse_late(double t) {
  if (t > 0.0105) throw std::runtime_error("no data behind 0.01 s");
}

Catalog with_quantities() {
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "tip/height",
                       .unit = "m",
                       .meaning = "of the last body",
                       .standard = false,
                       .evaluate = [](const Instant& at, double* out) {
                         refuse_late(at.t());
                         *out = at.body(at.body_count() - 1).position[2];
                       }});
  catalog.add(Quantity{.name = "late/height",
                       .unit = "m",
                       .meaning = "of the last body, by the thread that writes",
                       .standard = false,
                       .complete = [](const Instant& at, double* out) {
                         refuse_late(at.t());
                         *out = at.body(at.body_count() - 1).position[2];
                       }});
  catalog.add(Quantity{.name = "tip/path",
                       .unit = "m",
                       .meaning = "that the last body has gone",
                       .standard = false,
                       .integrated = true,
                       .evaluate = [](const Instant& at, double* out) {
                         refuse_late(at.t());
                         const Vec3 v = at.body(at.body_count() - 1).velocity;
                         *out = std::sqrt(dot(v, v));
                       }});
  return catalog;
}

Scenario chain_of(const std::string& record) {
  Scenario scenario{.problem = "helix_chain", .step = 1e-3, .end = 0.02, .every = 1, .record = record};
  scenario.set("n", 3);
  return scenario;
}

}  // namespace

TEST_CASE("a quantity that throws ends the run by its name; results and report are there") {
  const Catalog catalog = with_quantities();
  for (const std::string name : {"tip/height", "late/height", "tip/path"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    RunContext context;
    context.settings.output = (folder.path() / "out").string();
    context.settings.format = detail::has_hdf5() ? "csv,hdf5,vtk" : "csv,vtk";
    context.settings.checkpoint = 1e-9;  // after every step
    const Record record = run(chain_of("standard," + name), catalog, context);
    CHECK_FALSE(record.ok());
    CHECK(record.report.run.status == Status::exception);
    CHECK(record.report.run.culprit.name == "quantity \"" + name + '"');
    CHECK(record.report.run.culprit.why.starts_with("no data behind 0.01 s"));
    CHECK(termination(record.report).find("quantity \"" + name + "\": no data") != std::string::npos);
    // What is integrated over a step throws before the step is served: the run is back at its beginning.
    const bool integral = name == "tip/path";
    CHECK(record.report.run.t_end >= (integral ? 0.0095 : 0.0105));
    CHECK(record.report.run.t_end < 0.0205);
    CHECK(record.state.t == record.report.run.t_end);
    // Rows of the whole instants up to the last good one; none in part.
    const std::size_t rows = 11;
    CHECK(record.table.rows() == rows);
    CHECK(record.table.values.size() == rows * record.table.columns.size());
    if (integral) CHECK(record.table.last("tip/path") > 0.0);
    std::istringstream csv(file_text(folder.path() / "out" / "scalars.csv"));
    std::string line, last;
    std::size_t lines = 0;
    for (; std::getline(csv, line); ++lines) last = line;
    CHECK(lines == rows + 1);
    CHECK(last.starts_with("0.01,"));
    // The last checkpoint is one of those before.
    RunFolder kept(folder.path() / "out");
    REQUIRE(!kept.checkpoints().empty());
    const Checkpoint checkpoint = checkpoint_from(read_whole(kept.checkpoints().front()));
    CHECK(checkpoint.state.t <= 0.0105);
    CHECK(checkpoint.state.t >= 0.0095);
    CHECK(record.report.run.message.find("catena resume") != std::string::npos);
  }
}

TEST_CASE("a quantity that throws in the final values alone ends the record with its name") {
  const Catalog catalog = with_quantities();
  RunContext context;
  context.keep_table = false;
  const Record record = run(chain_of("tip/height"), catalog, context);
  CHECK(record.report.run.status == Status::exception);
  CHECK(record.report.run.culprit.name == "quantity \"tip/height\"");
}

TEST_CASE("the command line says what threw, and ends with 1; the report is whole") {
  const Catalog catalog = with_quantities();
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  std::ostringstream text, errors;
  const int code = cli({"run", "helix_chain", "--set", "n=3", "--end", "0.02", "--every", "1", "--record",
                        "standard,tip/height", "--output", out},
                       catalog, Console{text, errors});
  CHECK(code == 1);
  CHECK(errors.str().find("exception at t = 0.011 s: quantity \"tip/height\": no data behind 0.01 s") !=
        std::string::npos);
  const nlohmann::json report = nlohmann::json::parse(file_text(folder.path() / "out" / "report.json"));
  CHECK(report["status"] == "exception");
  CHECK(report["culprit"]["name"] == "quantity \"tip/height\"");
}

TEST_CASE("integrals of a resumed run are those of the run without a break, to the bit") {
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "tip/path",
                       .unit = "m",
                       .meaning = "that the last body has gone",
                       .integrated = true,
                       .evaluate = [](const Instant& at, double* out) {
                         const Vec3 v = at.body(at.body_count() - 1).velocity;
                         *out = std::sqrt(dot(v, v));
                       }});
  const Record whole = run(chain_of("tip/path"), catalog);
  REQUIRE(whole.ok());
  const TemporaryFolder folder;
  RunContext context;
  context.settings.output = folder.path().string();
  context.settings.format = "scalars";
  context.settings.overwrite = true;
  Scenario half = chain_of("tip/path");
  half.end = 0.01;
  REQUIRE(run(half, catalog, context).ok());
  context.settings.overwrite = false;
  context.resume = true;
  const Record rest = run(chain_of("tip/path"), catalog, context);
  REQUIRE(rest.ok());
  CHECK(rest.table.last("tip/path") == whole.table.last("tip/path"));
  CHECK(whole.table.last("tip/path") > 0.0);
}
