// What is kept at instants and over time, and the table of a sweep as CSV and HDF5: every number read back by others.
#include <catena/builtin/builtin.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/study/sweep.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#ifdef CATENA_TEST_HAS_HDF5
#include <hdf5.h>
#endif

using namespace catena;
using catena_test::TemporaryFolder;

namespace {

const Catalog& export_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

// Two rows of 11 and 6 instants, and one that is refused between them.
SweepRows kept_rows() {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .every = 1}};
  sweep.axes = {axis_from_text("n=2,0,3 with end=0.01,0.01,0.005")};
  for (const char* text : {"at=0.0025 energy/kinetic", "series energy/kinetic", "series energy/potential"})
    sweep.keep.push_back(reduction_from_text(text));
  return SweepRows(sweep);
}

Table measured(const SweepRows& rows, std::size_t row) {
  return run(rows.scenario(row), export_catalog()).table;
}

void with_table(const SweepOptions& options, const std::function<void(SweepTable&)>& look) {
  SweepOptions all = options;
  all.table = look;
  run_sweep(kept_rows(), export_catalog(), all);
}

#ifdef CATENA_TEST_HAS_HDF5
// A dataset of a file, whole.
class Dataset {
 public:
  Dataset(const std::string& path, const std::string& name)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
        data_(H5Dopen2(file_, name.c_str(), H5P_DEFAULT)) {
    REQUIRE(data_ >= 0);
    const hid_t space = H5Dget_space(data_);
    sizes.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    H5Sclose(space);
    for (const hsize_t size : sizes) count_ *= size;
  }
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  ~Dataset() {
    H5Dclose(data_);
    H5Fclose(file_);
  }
  std::vector<double> numbers() const {
    std::vector<double> all(count_);
    CHECK(H5Dread(data_, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0);
    return all;
  }
  std::vector<std::string> texts() const {
    const hid_t type = H5Dget_type(data_);
    const std::size_t length = H5Tget_size(type);
    std::vector<char> bytes(length * count_);
    CHECK(H5Dread(data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
    H5Tclose(type);
    std::vector<std::string> all;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::string padded(bytes.data() + k * length, length);
      all.push_back(padded.substr(0, padded.find('\0')));
    }
    return all;
  }
  std::vector<hsize_t> sizes;

 private:
  const hid_t file_, data_;
  std::size_t count_ = 1;
};
#endif

}  // namespace

TEST_CASE("series have all instants of a row, and a value at an instant lies between them") {
  const SweepRows rows = kept_rows();
  with_table({}, [&](SweepTable& table) {
    CHECK(table.series() ==
          std::vector<std::string>{"time [s]", "energy/kinetic [J]", "energy/potential [J]"});
    for (const std::size_t row : {std::size_t{0}, std::size_t{2}}) {
      const Table alone = measured(rows, row);
      CHECK(alone.rows() == (row == 0 ? 11 : 6));
      CHECK(table.series(row, "time [s]") == alone.column("time"));
      CHECK(table.series(row, "energy/kinetic [J]") == alone.column("energy/kinetic"));
      CHECK(table.series(row, "energy/potential [J]") == alone.column("energy/potential"));
    }
    CHECK(table.series(1, "energy/kinetic [J]").empty());
    CHECK(table.quantities().front() == "at=0.0025 energy/kinetic [J]");
    std::ostringstream csv;
    table.write_csv(csv);
    const Table first = measured(rows, 0);
    const std::vector<double> x = first.column("energy/kinetic");
    const double between = reduced({Reduction::Kind::instant, "energy/kinetic", 0.0025}, first).value;
    CHECK(between > x[2]);
    CHECK(between < x[3]);
    CHECK(csv.str().find(fmt::format(",{},", between)) != std::string::npos);
  });
}

TEST_CASE("series in CSV are a line an instant, and shards are collected with theirs") {
  const TemporaryFolder folder;
  std::string whole;
  with_table({}, [&](SweepTable& table) {
    std::ostringstream csv;
    table.write_series_csv(csv);
    whole = csv.str();
  });
  CHECK(std::count(whole.begin(), whole.end(), '\n') == 1 + 11 + 6);
  const Table last = measured(kept_rows(), 2);
  CHECK(whole.starts_with("row,time [s],energy/kinetic [J],energy/potential [J]\n0,0,"));
  CHECK(whole.ends_with(fmt::format("\n2,{},{},{}\n", last.last("time"), last.last("energy/kinetic"),
                                    last.last("energy/potential"))));
  for (const int shard : {1, 2})
    with_table({.folder = folder.path(), .shard = shard, .shards = 2}, [](SweepTable&) {});
  std::ostringstream csv;
  collect_sweep({folder.path()}, {}).write_series_csv(csv);
  CHECK(csv.str() == whole);
}

TEST_CASE("a table in HDF5 has the numbers, texts and series of its rows") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "all.h5").string();
#ifdef CATENA_TEST_HAS_HDF5
  const SweepRows rows = kept_rows();
  std::vector<std::string> quantities;
  with_table({}, [&](SweepTable& table) {
    table.write_hdf5(path);
    quantities = table.quantities();
  });
  CHECK(Dataset(path, "rows/row").numbers() == std::vector<double>{0, 1, 2});
  CHECK(Dataset(path, "rows/steps").numbers() == std::vector<double>{10, 0, 5});
  CHECK(Dataset(path, "rows/status").texts() == std::vector<std::string>{"ok", "refused", "ok"});
  CHECK(Dataset(path, "rows/error").texts()[1].find("out of range") != std::string::npos);
  CHECK(Dataset(path, "rows/key").texts()[2] == run(rows.scenario(2), export_catalog()).key);
  CHECK(Dataset(path, "rows/t").numbers()[2] == 0.005);
  CHECK(Dataset(path, "vary/names").texts() == std::vector<std::string>{"n", "end"});
  CHECK(Dataset(path, "vary/texts").texts() ==
        std::vector<std::string>{"2", "0.01", "0", "0.01", "3", "0.005"});
  CHECK(Dataset(path, "vary/values").numbers() == std::vector<double>{2, 0.01, 0, 0.01, 3, 0.005});
  const Dataset values(path, "quantities/values");
  CHECK(values.sizes == std::vector<hsize_t>{3, quantities.size()});
  CHECK(Dataset(path, "quantities/names").texts().front() == "at=0.0025 energy/kinetic");
  CHECK(Dataset(path, "quantities/units").texts().front() == "J");
  const ReducedNumber at = reduced(reduction_from_text("at=0.0025 energy/kinetic"), measured(rows, 2));
  CHECK(values.numbers()[2 * quantities.size()] == at.value);
  CHECK(std::isnan(values.numbers()[quantities.size()]));
  CHECK(Dataset(path, "series/names").texts() ==
        std::vector<std::string>{"time", "energy/kinetic", "energy/potential"});
  CHECK(Dataset(path, "series/units").texts() == std::vector<std::string>{"s", "J", "J"});
  CHECK(Dataset(path, "series/first").numbers() == std::vector<double>{0, 11, 11, 17});
  const Dataset series(path, "series/values");
  CHECK(series.sizes == std::vector<hsize_t>{17, 3});
  const Table alone = measured(rows, 2);
  for (std::size_t k = 0; k < alone.rows(); ++k) {
    CHECK(series.numbers()[(11 + k) * 3] == alone.column("time")[k]);
    CHECK(series.numbers()[(11 + k) * 3 + 2] == alone.column("energy/potential")[k]);
  }
  CHECK(Dataset(path, "sweep/names").texts().size() == Dataset(path, "sweep/values").texts().size());
#else
  with_table({}, [&](SweepTable& table) { CHECK_THROWS_AS(table.write_hdf5(path), SinkError); });
#endif
}

TEST_CASE("texts of what varies are whole in HDF5, whatever the number of their digits") {
#ifdef CATENA_TEST_HAS_HDF5
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "all.h5").string();
  Sweep sweep{.base = {.problem = "simple_pendulum", .end = 1e-4}};
  sweep.axes = {axis_from_text("step=loguniform:1e-5:9e-5"),
                axis_from_text("seed=7,9007199254740993,18446744073709551615")};
  sweep.samples = 2;
  const SweepRows rows(sweep);
  run_sweep(rows, export_catalog(), {.table = [&](SweepTable& table) { table.write_hdf5(path); }});
  const std::vector<std::string> texts = Dataset(path, "vary/texts").texts();
  const std::vector<double> values = Dataset(path, "vary/values").numbers();
  REQUIRE(texts.size() == 2 * rows.count());
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const std::vector<std::string> given = rows.values(row);
    CAPTURE(given[0]);
    CHECK(texts[2 * row] == given[0]);
    CHECK(texts[2 * row].find("e-05") != std::string::npos);
    CHECK(values[2 * row] == std::stod(given[0]));
    CHECK(texts[2 * row + 1] == given[1]);
    CHECK(values[2 * row + 1] == std::stod(given[1]));
  }
#endif
}

TEST_CASE("a table in HDF5 without series, and one that cannot be written") {
  const TemporaryFolder folder;
  Sweep sweep{.base = {.problem = "simple_pendulum"}};
  sweep.axes = {axis_from_text("end=0.001..0.01:3")};
  run_sweep(SweepRows(sweep), export_catalog(), {.table = [&](SweepTable& table) {
              CHECK_THROWS_AS(table.write_hdf5(folder.path() / "no" / "x.h5"), SinkError);
#ifdef CATENA_TEST_HAS_HDF5
              const std::string path = (folder.path() / "all.h5").string();
              table.write_hdf5(path);
              CHECK(Dataset(path, "series/first").numbers() == std::vector<double>{0, 0, 0, 0});
              CHECK(Dataset(path, "series/values").sizes == std::vector<hsize_t>{0, 0});
              CHECK(Dataset(path, "vary/values").sizes == std::vector<hsize_t>{3, 1});
#endif
            }});
}

TEST_CASE("values with one unit are numbers in CSV and HDF5, with the unit in the title; others are texts") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "sprung.yaml").string();
  std::ofstream(file)
      << "parameters: {k: 1 kN/m, m: 1 kg}\n"
         "bodies:\n"
         "  - {name: a, mass: $m, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
         "forces:\n"
         "  - {type: spring_damper, name: s, bodies: [ground, a], stiffness: $k, rest_length: 1}\n";
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  Sweep sweep{.base = {.problem = file, .step = 1e-3, .end = 0.01}};
  sweep.axes = {axis_from_text("k=20..30:3 kN/m"), axis_from_text("m=1 kg,500 g")};
  run_sweep(SweepRows(sweep), catalog, {.table = [&](SweepTable& table) {
              CHECK(table.failed() == 0);
              std::ostringstream csv;
              table.write_csv(csv);
              CHECK(csv.str().starts_with("row,k [kN/m],m,status,"));
              CHECK(csv.str().find("\n2,25,1 kg,ok,") != std::string::npos);
              CHECK(csv.str().find("\n5,30,500 g,ok,") != std::string::npos);
#ifdef CATENA_TEST_HAS_HDF5
              const std::string path = (folder.path() / "all.h5").string();
              table.write_hdf5(path);
              CHECK(Dataset(path, "vary/units").texts() == std::vector<std::string>{"kN/m", ""});
              CHECK(Dataset(path, "vary/texts").texts()[4] == "25 kN/m");
              const std::vector<double> values = Dataset(path, "vary/values").numbers();
              CHECK(values[4] == 25.0);
              CHECK(std::isnan(values[5]));
#endif
            }});
}

TEST_CASE("pictures have the means of the rows over each key, a line for each value of another one") {
  const TemporaryFolder folder;
  Sweep sweep{.base = {.problem = "helix_chain", .end = 0.005}};
  sweep.axes = {axis_from_text("n=2,4,3"), axis_from_text("option.rho_inf=0.8,0.9"),
                axis_from_text("gravity=uniform:9:10")};
  sweep.samples = 3;
  sweep.keep = {reduction_from_text("max energy/kinetic")};
  SweepSummary summary;
  run_sweep(SweepRows(sweep), export_catalog(), {.table = [&](SweepTable& table) {
              table.draw(folder.path());
              summary = table.summary();
            }});
  const auto text = [&](const std::string& name) { return catena_test::file_text(folder.path() / name); };
  const std::string over_n = text("1_max_energy_kinetic_over_n.csv");
  CHECK(over_n.find("n of option.rho_inf = 0.8\",\"max energy/kinetic [J] of option.rho_inf = 0.8\"") !=
        std::string::npos);
  CHECK(std::count(over_n.begin(), over_n.end(), '\n') == 4);
  const std::size_t two = over_n.find("\n2,"), three = over_n.find("\n3,"), four = over_n.find("\n4,");
  CHECK((two < three && three < four && four != std::string::npos));
  double first = 0.0, second = 0.0;  // means over the samples, whose mean is that of the group n = 2
  REQUIRE(std::sscanf(over_n.c_str() + two, "\n2,%lf,2,%lf", &first, &second) == 2);
  REQUIRE(summary.groups[1].name == "n = 2");
  CHECK(0.5 * (first + second) == doctest::Approx(summary.groups[1].spreads[0].mean).epsilon(1e-8));
  const std::string over_g = text("3_max_energy_kinetic_over_gravity.csv");
  CHECK(std::count(over_g.begin(), over_g.end(), '\n') == 1 + 3);
  CHECK(over_g.find("gravity of n = 4, option.rho_inf = 0.9") != std::string::npos);
  CHECK(text("3_max_energy_kinetic_over_gravity.gp").find("points pt") != std::string::npos);
}

TEST_CASE("the axis of what is drawn has its unit") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "sprung.yaml").string();
  std::ofstream(file)
      << "parameters: {k: 1 kN/m}\n"
         "bodies:\n"
         "  - {name: a, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
         "forces:\n"
         "  - {type: spring_damper, name: s, bodies: [ground, a], stiffness: $k, rest_length: 1}\n";
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  Sweep sweep{.base = {.problem = file, .step = 1e-3, .end = 2e-3}};
  sweep.axes = {axis_from_text("k=uniform:25:35 kN/m")};
  sweep.samples = 2;
  sweep.keep = {reduction_from_text("end energy/kinetic")};
  run_sweep(SweepRows(sweep), catalog, {.table = [&](SweepTable& table) { table.draw(folder.path()); }});
  const std::string script = catena_test::file_text(folder.path() / "1_end_energy_kinetic_over_k.gp");
  CAPTURE(script);
  CHECK(script.find("k [kN/m]") != std::string::npos);
}

TEST_CASE("many lines become their mean and extremes, words have places, and units are at the axis") {
  const TemporaryFolder folder;
  Sweep sweep{.base = {.problem = "simple_pendulum", .end = 0.002}};
  sweep.axes = {axis_from_text("step=2e-5..2e-3:10:log"),
                axis_from_text("stepper=generalized_alpha,newmark")};
  sweep.keep = {reduction_from_text("end energy/kinetic")};
  std::string drawn;
  run_sweep(SweepRows(sweep), export_catalog(),
            {.table = [&](SweepTable& table) { drawn = table.draw(folder.path()); }});
  const auto text = [&](const std::string& name) { return catena_test::file_text(folder.path() / name); };
  CHECK(text("1_end_energy_kinetic_over_step.gp").find("set logscale x") != std::string::npos);
  const std::string steppers = text("2_end_energy_kinetic_over_stepper.gp");
  CHECK(steppers.find("stepper: 1 generalized_alpha, 2 newmark") != std::string::npos);
  for (const char* label : {"'mean'", "'least'", "'largest'"})
    CHECK(steppers.find(label) != std::string::npos);
  CHECK(steppers.find("set logscale x") == std::string::npos);
  if (drawn.empty())
    CHECK(std::filesystem::file_size(folder.path() / "1_end_energy_kinetic_over_step.png") > 1000);
}
