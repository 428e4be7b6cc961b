// A quantity of the user's is in every output: CSV, HDF5, VTK, the report as JSON and as text. So is a choice of
// quantities, of items and of precision.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/output/detail/result_size.hpp>
#include <catena/output/detail/results_file.hpp>
#include <catena/output/parts/report.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

QuantityCatalog with_own_quantities() {
  QuantityCatalog catalog = builtin_quantities();
  catalog.add(
      {.name = "tip/height",
       .unit = "m",
       .frame = "world",
       .meaning = "of the last body",
       .evaluate = [](const Instant& at, double* out) { *out = at.body(at.body_count() - 1).position[2]; }});
  catalog.add({.name = "body_speed",
               .unit = "m/s",
               .frame = "world",
               .meaning = "of the centre of mass",
               .items = Items::body,
               .needs = Needs::bodies,
               .evaluate = [](const Instant& at, double* out) {
                 for (int k = 0; k < at.body_count(); ++k) out[k] = norm(at.body(k).velocity);
               }});
  return catalog;
}

// A run of a short chain with its results and its report.
struct WrittenRun {
  TemporaryFolder folder;
  MultibodySystem system{HelixChain({.n = 3}).model()};
  State state = system.initial_state();
  Report report;

  explicit WrittenRun(const ResultsOptions& options) {
    const QuantityCatalog catalog = with_own_quantities();
    GeneralizedAlpha stepper;
    Monitor monitor;
    ResultSet results(folder.path(), options,
                      {.system = &system, .stepper = &stepper, .monitor = &monitor, .quantities = &catalog});
    Listeners listeners{.observers = {&monitor}};
    results.attach_to(listeners);
    const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 0.01}, listeners);
    REQUIRE(result.status == Status::ok);
    fill_from_run(report, system, state, stepper, monitor, result);
    fill_quantities(report, system, state, results.recording());
  }
  std::string text(const char* name) const { return file_text(folder.path() / name); }
  double tip() const { return system.bodies(state).back().position[2]; }
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) found.push_back(cell);
  return found;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) found.push_back(line);
  return found;
}

}  // namespace

TEST_CASE("a user's quantity is in CSV, HDF5, VTK, the report as JSON and the report as text") {
  const WrittenRun run({.format = has_hdf5() ? "csv,hdf5,vtk" : "csv,vtk"});
  const std::vector<std::string> scalars = lines(run.text("scalars.csv")),
                                 bodies = lines(run.text("bodies.csv"));
  CHECK(holds(scalars.front(), "tip/height [m]"));
  CHECK(holds(bodies.front(), "body_speed [m/s]"));
  const std::vector<std::string> titles = cells(scalars.front()), last = cells(scalars.back());
  REQUIRE(titles.size() == last.size());
  for (std::size_t k = 0; k < titles.size(); ++k)
    if (titles[k] == "tip/height [m]") CHECK(std::stod(last[k]) == run.tip());
  CHECK(std::stod(cells(bodies.back()).back()) == norm(run.system.bodies(run.state).back().velocity));
  if (has_hdf5()) {
    const std::string file = run.text("results.h5");
    CHECK(holds(file, "/tip/height from"));  // the attribute `columns` of /records
    CHECK(holds(file, "of the last body"));
    CHECK(holds(file, "body_speed"));
  }
  const std::string vtk = run.text("vtk/bodies_000010.vtu");
  CHECK(holds(vtk, "Name=\"body_speed [m/s]\" NumberOfComponents=\"1\" NumberOfTuples=\"3\""));
  CHECK(holds(vtk, "<FieldData>"));
  CHECK(holds(vtk, "Name=\"tip/height [m]\""));
  const auto json = nlohmann::json::parse(to_json(run.report));
  CHECK(json["quantities"]["tip/height"]["final"] == run.tip());
  CHECK(json["quantities"]["tip/height"]["unit"] == "m");
  CHECK(json["quantities"]["tip/height"]["meaning"] == "of the last body");
  CHECK(json["quantities"]["body_speed"]["final"].size() == 3);
  CHECK(json["quantities"]["body_speed"]["items"][0] == run.system.body_names()[0]);
  CHECK(json["quantities"]["energy/total"]["final"] == json["energy_final"]);
  CHECK(!json["quantities"].contains("q"));  // positions and quaternions have keys of their own
  const std::string text = to_text(run.report);
  CHECK(holds(text, "\ntip/height [m]"));
  CHECK(holds(text, "\nbody_speed [m/s]"));
}

TEST_CASE("a choice of quantities and items leaves everything else out of every output") {
  const std::string joint =
      MeasuredSystem(MultibodySystem(HelixChain({.n = 3}).model()), {}).item_key(Items::side, 1);
  const WrittenRun run({.format = has_hdf5() ? "csv,hdf5" : "csv",
                        .record = "tip,energy/total,reactions/force:\"" + joint + "\""});
  CHECK(lines(run.text("scalars.csv")).front() == "time [s],energy [J],tip/height [m]");
  CHECK(!std::filesystem::exists(run.folder.path() / "bodies.csv"));
  CHECK(!std::filesystem::exists(run.folder.path() / "multipliers.csv"));
  const std::vector<std::string> reactions = lines(run.text("reactions.csv"));
  CHECK(reactions.front() == "time [s],constraint,body,open,rule,force x [N],force y [N],force z [N]");
  CHECK(reactions.size() == 1 + 11);
  const auto json = nlohmann::json::parse(to_json(run.report));
  CHECK(json["quantities"].size() == 3);
  CHECK(json["quantities"]["reactions/force"]["final"].size() == 3);
  if (!has_hdf5()) return;
  const std::string file = run.text("results.h5");
  CHECK(holds(file, "6 columns; /time from 0 every 1 count 1 block 1; /energy/total from 1"));
  CHECK(holds(file, "instant, chosen side, 3"));
}

TEST_CASE("angle and displacement of a joint are in every output") {
  const MultibodySystem system(HelixChain({.n = 3}).model());
  const std::string joint = MeasuredSystem(system, {}).item_key(Items::joint, 1);
  const WrittenRun run(
      {.format = has_hdf5() ? "csv,hdf5,vtk" : "csv,vtk", .record = "joints:\"" + joint + "\""});
  const JointCoordinates last = coordinate(run.system, run.state, ConstraintId{1});
  const std::vector<std::string> rows = lines(run.text("joints.csv"));
  CHECK(rows.front() ==
        "time [s],constraint,joints/angle [rad],joints/angle_rate [rad/s],joints/displacement "
        "[m],joints/displacement_rate [m/s]");
  CHECK(rows.size() == 1 + 11);
  const std::vector<std::string> numbers = cells(rows.back());
  CHECK(std::stod(numbers[2]) == last.angle);
  CHECK(std::stod(numbers[3]) == last.angle_rate);
  CHECK(std::stod(numbers[4]) == last.displacement);
  CHECK(std::stod(numbers[5]) == last.displacement_rate);
  const auto json = nlohmann::json::parse(to_json(run.report));
  CHECK(json["quantities"]["joints/angle"]["final"][0] == last.angle);
  CHECK(json["quantities"]["joints/angle"]["unit"] == "rad");
  CHECK(json["quantities"]["joints/displacement"]["unit"] == "m");
  CHECK(holds(to_text(run.report), "\njoints/angle_rate [rad/s]"));
  CHECK(holds(run.text("vtk/joints_000010.vtp"),
              "Name=\"joints/angle [rad]\" NumberOfComponents=\"1\" NumberOfTuples=\"3\""));
  if (!has_hdf5()) return;
  const std::string file = run.text("results.h5");
  CHECK(holds(
      file,
      "5 columns; /time from 0 every 1 count 1 block 1; /joints/angle from 1 every 1 count 1 block 1 of"));
  CHECK(holds(file, "instant, chosen joint"));
}

TEST_CASE("numbers of float32 have the digits that such a number needs") {
  const WrittenRun wide({.format = "csv,vtk"}),
      narrow({.format = "csv,vtk", .precision = Precision::float32});
  const std::vector<std::string> a = lines(wide.text("bodies.csv")), b = lines(narrow.text("bodies.csv"));
  REQUIRE(a.size() == b.size());
  bool any_shorter = false;
  for (std::size_t k = 1; k < a.size(); ++k) {
    const std::vector<std::string> x = cells(a[k]), y = cells(b[k]);
    REQUIRE(x.size() == y.size());
    CHECK(x[0] == y[0]);  // instants keep all their digits
    for (std::size_t i = 2; i < x.size(); ++i) {
      CHECK(static_cast<float>(std::stod(y[i])) == static_cast<float>(std::stod(x[i])));
      any_shorter = any_shorter || y[i].size() < x[i].size();
    }
  }
  CHECK(any_shorter);
  CHECK(holds(narrow.text("vtk/bodies_000000.vtu"), "type=\"Float32\" Name=\"position [m]\""));
}

TEST_CASE("a run of many steps is written at 1000 to 2000 instants where nothing is asked") {
  CHECK(standard_every(1.0) == 1);
  CHECK(standard_every(1000.0) == 1);
  CHECK(standard_every(1999.0) == 1);
  CHECK(standard_every(2000.0) == 2);
  CHECK(standard_every(1e5) == 100);
  CHECK(standard_every(0.3 / 1e-4) == 3);  // 3000 steps, not 2999.9999999999995
  CHECK(standard_every(1e15) == 1000000000);
}

TEST_CASE("the size of the results is known before the run to a tenth, and said where it is large") {
  for (const char* format : {"csv", "hdf5", "vtk", "csv,vtk", "hdf5,vtk"}) {
    if (!has_hdf5() && holds(format, "hdf5")) continue;
    const MultibodySystem system(HelixChain({.n = 60}).model());
    const TemporaryFolder folder;
    GeneralizedAlpha stepper;
    Monitor monitor;
    const ResultsOptions options{.format = format};
    const ResultsContext context{.system = &system, .stepper = &stepper, .monitor = &monitor};
    const int instants = 101;
    const double expected = result_size(options, context, instants).bytes;
    ResultSet results(folder.path(), options, context);
    Listeners listeners{.observers = {&monitor}};
    results.attach_to(listeners);
    State state = system.initial_state();
    REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 0.1}, listeners).status == Status::ok);
    double bytes = 0.0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
    if (holds(format, "hdf5")) bytes -= 1e5;  // names and descriptions, whatever the number of instants
    CAPTURE(std::string(format));
    CHECK(std::abs(bytes - expected) <= 0.1 * bytes + 1e5);
  }
  CHECK(size_remark({1000.0, 9.9e7, 9.9e7}).empty());
  CHECK(size_remark({1001.0, 2.34e9, 2.34e9}) ==
        "the results will take about 2.3 GB for 1001 instants: fewer instants (--every), quantities "
        "(--record) or "
        "digits (--precision float32) make them smaller");
  CHECK(holds(size_remark({1001.0, 1.2e8, 2.4e8}),
              "about 120 MB for 1001 instants, 240 MB while the run lasts:"));
}
