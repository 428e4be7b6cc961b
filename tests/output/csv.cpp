#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/output/detail/csv_sink.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/result_set.hpp>

#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(separator, begin)) != std::string::npos; begin = at + 1)
    parts.push_back(text.substr(begin, at - begin));
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

TEST_CASE("a CSV table gives back the same doubles and quotes what needs it") {
  const TemporaryFolder folder;
  const double values[] = {0.1, 1.0 / 3.0, -1e-300, 6.02214076e23};
  {
    CsvTable table(folder.path() / "t.csv", "a [m],b");
    for (const double v : values) {
      std::string number;
      append_number(number, v, Precision::float64);
      table.cells(number + ',' + csv_cell("body \"left, upper\""));
      table.number(7.0, Precision::float64);
      table.end_row();
    }
    table.close();
  }
  const std::vector<std::string> lines = split(file_text(folder.path() / "t.csv"), '\n');
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] == "a [m],b");
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(std::strtod(lines[k + 1].c_str(), nullptr) == values[k]);
    CHECK(lines[k + 1].ends_with(",\"body \"\"left, upper\"\"\",7"));
  }
}

TEST_CASE("a file that cannot be created or written is reported with its name and the reason") {
  try {
    CsvTable table("/nonexistent folder/t.csv", "a");
    FAIL("should have thrown");
  } catch (const SinkError& error) {
    CHECK(std::string(error.what()).find("/nonexistent folder/t.csv") != std::string::npos);
    CHECK(std::string(error.what()).find("No such file") != std::string::npos);
  }
  if (!std::filesystem::exists("/dev/full")) return;
  CsvTable full("/dev/full", "a");
  CHECK_THROWS_AS(full.close(), SinkError);
}

TEST_CASE("the CSV sink writes every table with units and one row per thing and instant") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId a = model.add(Body{.name = "upper, left", .position = {{0.5, 0.0, 0.0}}});
  const BodyId b =
      model.add(Body{.name = "lower", .position = {{1.5, 0.0, 0.0}}, .velocity = {{0.0, 1.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, a}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "hip"});
  model.add(SphericalJoint{
      .bodies = {a, b}, .point_a = {{0.5, 0.0, 0.0}}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "knee"});
  const MultibodySystem system(model);
  const TemporaryFolder folder;
  CsvSink sink(folder.path() / "deep" / "er", {.sources = {{{"toe", 1, {{0.5, 0.0, 0.0}}}}}});
  sink.begin(system);
  State state = system.initial_state();
  sink.accept(state, {});
  state.t = 0.1;
  Outcome outcome;
  outcome.h_taken = 0.1;
  sink.accept(state, outcome);
  sink.end();

  const auto lines_of = [&](const char* name) {
    return split(file_text(folder.path() / "deep" / "er" / name), '\n');
  };
  const std::vector<std::string> scalars = lines_of("scalars.csv"), bodies = lines_of("bodies.csv"),
                                 points = lines_of("points.csv"), multipliers = lines_of("multipliers.csv");
  REQUIRE(scalars.size() == 1 + 2);
  REQUIRE(bodies.size() == 1 + 2 * 2);
  REQUIRE(points.size() == 1 + 2);
  REQUIRE(multipliers.size() == 1 + 2 * 6);
  CHECK(sink.files().size() == 4);
  CHECK(scalars[0].starts_with("time [s],step [s],kinetic energy [J]"));
  CHECK(split(scalars[0], ',').size() == split(scalars[1], ',').size());
  CHECK(split(bodies[0], ',').size() == 15);
  CHECK(split(bodies[2], ',').size() == 15);
  CHECK(bodies[1].starts_with("0,\"upper, left\",0.5,0,0,1,0,0,0,"));
  CHECK(bodies[2] == "0,lower,1.5,0,0,1,0,0,0,0,1,0,0,0,0");
  CHECK(points[1] == "0,toe,2,0,0,0,1,0");
  CHECK(scalars[2].starts_with("0.1,0.1,0.5,"));
  CHECK(multipliers[1] == "0,\"joint \"\"hip\"\" (spherical)\",0,0");
  CHECK(multipliers[5] == "0,\"joint \"\"knee\"\" (spherical)\",1,0");  // rows are those of the joint
}

TEST_CASE(
    "of a large model the tables that grow with its bodies are left to results.h5 unless they are asked "
    "for") {
  const auto files = [](int count, const std::string& format) {
    Model model;
    for (int k = 0; k < count; ++k) model.add(Body{.position = {{1.0 * k, 0.0, 0.0}}});
    const MultibodySystem system(model);
    const TemporaryFolder folder;
    Listeners listeners;
    ResultsOptions options;
    options.format = format;
    ResultSet set(folder.path(), options, {.system = &system, .points = {{"middle", 0, {{0.0, 0.0, 0.0}}}}});
    set.attach_to(listeners);
    for (Sink* sink : listeners.sinks) {
      sink->begin(system);
      sink->accept(system.initial_state(), {});
      sink->end();
    }
    std::set<std::string> names;
    for (const auto& file : set.files()) names.insert(file.filename().string());
    return names;
  };
  using Names = std::set<std::string>;
  const Names scalars{"scalars.csv", "points.csv"}, tables{"scalars.csv", "points.csv", "bodies.csv"};
  CHECK(files(csv_bodies + 1, "scalars") == scalars);
  CHECK(files(csv_bodies + 1, "csv") == tables);
  Names few = tables, many = tables;
  if (has_hdf5()) {
    few.insert("results.h5");
    many = scalars;
    many.insert("results.h5");
  }
  CHECK(files(csv_bodies, "") == few);
  CHECK(files(csv_bodies + 1, "") == many);
  CHECK(results_defect({.format = "csv,scalars"}) == "scalars is a part of csv: leave one of them out");
}

TEST_CASE("a system in its own coordinates gets its coordinates written") {
  const catena_test::ToyPendulum system;
  const TemporaryFolder folder;
  CsvSink sink(folder.path());
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
  CHECK(split(file_text(folder.path() / "coordinates.csv"), '\n').size() == 1 + 6);  // q, v, a
  CHECK(!std::filesystem::exists(folder.path() / "bodies.csv"));
}
