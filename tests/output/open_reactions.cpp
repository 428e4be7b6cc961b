// Components of reactions that redundant rows leave open, as results.h5 and the files of VTK have them.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/measure/parts/reaction_rule.hpp>
#include <catena/output/detail/csv_sink.hpp>
#include <catena/output/detail/vtk_sink.hpp>
#include <catena/problems/four_bar.hpp>
#ifdef CATENA_TEST_HAS_HDF5
#include <catena/output/detail/hdf5_handle.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#endif

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// Of four hinges, numbers 0 to 3: torque x of hinge 1, force z and torque y of hinge 3.
Redundancy some_open() {
  Redundancy found;
  found.open.push_back({.constraint = 1, .torque = {true, false, false}, .joint_axes = true});
  found.open.push_back(
      {.constraint = 3, .force = {false, false, true}, .torque = {false, true, false}, .joint_axes = true});
  return found;
}

#ifdef CATENA_TEST_HAS_HDF5
std::vector<int> expected(const std::vector<ReactionSide>& sides) {
  std::vector<int> rows;
  for (const ReactionSide& side : sides)
    for (const int open : side.constraint == 1   ? std::vector<int>{0, 0, 0, 1, 0, 0}
                          : side.constraint == 3 ? std::vector<int>{0, 0, 1, 0, 1, 0}
                                                 : std::vector<int>(6, 0))
      rows.push_back(open);
  return rows;
}
#endif

template <class Sink>
void write(Sink& sink, const MultibodySystem& system) {
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
}

}  // namespace

#ifdef CATENA_TEST_HAS_HDF5
TEST_CASE("/reactions/open has six numbers a side; -1 where nothing was looked for") {
  const MultibodySystem system(FourBar().model());
  const Redundancy redundancy = some_open();
  for (const Redundancy* looked : {&redundancy, static_cast<const Redundancy*>(nullptr)}) {
    const catena_test::TemporaryFolder folder;
    const MeasureSources sources{.redundancy = looked};
    const MeasuredSystem measured(system, sources);
    Hdf5Sink sink(folder.path(), {}, {select(builtin_quantities(), "all"), sources}, {});
    write(sink, system);
    const Hdf5Handle file(H5Fopen((folder.path() / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                          H5Fclose);
    const Hdf5Handle dataset(H5Dopen2(file, "/reactions/open", H5P_DEFAULT), H5Dclose);
    REQUIRE(dataset >= 0);
    std::vector<int> open(6 * measured.sides().size(), 99);
    REQUIRE(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, open.data()) >= 0);
    CHECK(open == (looked != nullptr ? expected(measured.sides()) : std::vector<int>(open.size(), -1)));
  }
}
#endif

TEST_CASE("the points of joints in VTK have six numbers that say it") {
  const MultibodySystem system(FourBar().model());
  const Redundancy redundancy = some_open();
  const catena_test::TemporaryFolder marked, plain, unknown;
  const Redundancy none;
  const auto frame = [&](const catena_test::TemporaryFolder& folder, const Redundancy* looked) {
    VtkSink sink(folder.path(), {select(builtin_quantities(), "standard"), {.redundancy = looked}});
    write(sink, system);
    const std::string text = catena_test::file_text(folder.path() / "vtk/joints_000000.vtp");
    const std::size_t at = text.find("Name=\"open, axes of the joint\" NumberOfComponents=\"6\"");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find("</DataArray>", at) - at);
  };
  const std::string a = frame(marked, &redundancy), b = frame(plain, &none), c = frame(unknown, nullptr);
  CHECK(a != b);
  CHECK(b != c);
  CHECK(c != a);
}

TEST_CASE("tables of reactions name the rule by which open ones were chosen, where there are any") {
  const MultibodySystem system(FourBar().model());
  const Redundancy redundancy = some_open(), none;
  for (const char* const rule : {"", "norm:0.3"}) {
    const catena_test::TemporaryFolder marked, plain;
    const auto written = [&](const catena_test::TemporaryFolder& folder, const Redundancy& looked) {
      const Recording recording{select(builtin_quantities(), "reactions"),
                                {.redundancy = &looked, .reactions = reaction_rule(rule)}};
      CsvSink table(folder.path(), recording, CsvTables::all, 0.0);
      write(table, system);
      VtkSink frames(folder.path(), recording);
      write(frames, system);
    };
    written(marked, redundancy);
    written(plain, none);
    const std::string word = *rule == '\0' ? "stepper" : rule;
    const std::string rows = catena_test::file_text(marked.path() / "reactions.csv");
    CHECK(rows.find("time [s],constraint,body,open,rule,") == 0);
    CHECK(rows.find(",torque x in the axes of the joint," + word + ',') != std::string::npos);
    CHECK(rows.find(",\"force z, torque y in the axes of the joint\"," + word + ',') != std::string::npos);
    CHECK(rows.find(",,,") != std::string::npos);  // of joints whose reactions are unique
    CHECK(catena_test::file_text(plain.path() / "reactions.csv").find(word) == std::string::npos);
    std::string codes;
    for (const char c : word) codes += std::to_string(static_cast<int>(c)) + ' ';
    const std::string array =
        "Name=\"rule of open reactions\" NumberOfTuples=\"1\" format=\"ascii\">" + codes + "0<";
    CHECK(catena_test::file_text(marked.path() / "vtk/joints_000000.vtp").find(array) != std::string::npos);
    CHECK(catena_test::file_text(plain.path() / "vtk/joints_000000.vtp").find("rule of") ==
          std::string::npos);
  }
}
