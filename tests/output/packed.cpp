// Finished results, packed: the same numbers in fewer bytes, and growing again where a run is resumed.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/packed_results.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace catena;
using namespace catena::detail;
using catena_test::TemporaryFolder;

namespace {

Recording recording_in(Precision precision) {
  return {standard_selection(builtin_quantities()), {}, precision};
}

void write(const MultibodySystem& system, const std::filesystem::path& folder, Precision precision,
           int compress) {
  Hdf5Sink sink(folder, {}, recording_in(precision), {.compress = compress});
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  Listeners listeners{.sinks = {&sink}};
  listeners.events.push_back({"half", [](const State& s) { return s.t - 0.1005; }});
  REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 0.2}, listeners).status == Status::ok);
}

struct Numbers {
  std::vector<double> values;
  std::uint64_t rows = 0, events = 0;
  std::size_t width = 0;
};

// Of a growing file; a packed one is unpacked.
Numbers read(const MultibodySystem& system, const std::filesystem::path& file) {
  const Measurements measurements(system, standard_selection(builtin_quantities()));
  ResultsContent content;
  content.add_columns_of(measurements);
  unpack_results(file, content);
  const GrowingFile growing(file, find_results(file, content), content.width);
  Numbers numbers{{}, growing.rows(), growing.events(), static_cast<std::size_t>(content.width)};
  numbers.values.resize(growing.rows() * numbers.width);
  growing.read_rows(0, growing.rows(), numbers.values.data());
  return numbers;
}

}  // namespace

TEST_CASE("a packed file holds the same bits, or those of float32, in fewer bytes") {
  if (!has_hdf5()) return;
  const MultibodySystem system(HelixChain({.n = 50}).model());
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name / "results.h5"; };
  write(system, folder.path() / "whole", Precision::float64, 0);
  write(system, folder.path() / "deflated", Precision::float64, 4);
  write(system, folder.path() / "narrow", Precision::float32, 0);
  write(system, folder.path() / "small", Precision::float32, 4);
  const auto size = [&](const char* name) {
    return static_cast<double>(std::filesystem::file_size(file(name)));
  };
  const double whole = size("whole");
  MESSAGE("bytes: " << whole << ", deflated " << size("deflated") << ", float32 " << size("narrow")
                    << ", both " << size("small"));
  const double structure = 2e5;  // names, descriptions, chunk indices
  CHECK(size("narrow") <= 0.5 * whole + structure);
  CHECK(size("deflated") <= whole);
  CHECK(size("small") <= size("narrow"));

  const Numbers expected = read(system, file("whole")), same = read(system, file("deflated")),
                half = read(system, file("small"));
  CHECK(expected.rows == 201);
  CHECK(expected.events == 1);
  CHECK(same.values == expected.values);
  CHECK(same.events == 1);
  REQUIRE(half.values.size() == expected.values.size());
  for (std::size_t k = 0; k < half.values.size(); ++k) {
    const double wanted = k % half.width == 0 ? expected.values[k] : static_cast<float>(expected.values[k]);
    const bool equal = half.values[k] == wanted || (std::isnan(half.values[k]) && std::isnan(wanted));
    if (!equal) CHECK(half.values[k] == wanted);
  }
}

TEST_CASE("a resumed run appends to a packed file and packs it again") {
  if (!has_hdf5()) return;
  const MultibodySystem system(HelixChain({.n = 5}).model());
  const TemporaryFolder folder;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const auto rounded = [&](double x) {
      return precision == Precision::float32 ? static_cast<float>(x) : x;
    };
    Hdf5Sink sink(folder.path(), {}, recording_in(precision), {.compress = 3});
    const auto go = [&](State& state, GeneralizedAlpha& stepper, double end, bool resume, Sink& to) {
      return run(system, stepper, state, {.step = 1e-3, .end = end, .resume = resume}, to).status;
    };
    GeneralizedAlpha stepper;
    State state = system.initial_state();
    REQUIRE(go(state, stepper, 0.02, false, sink) == Status::ok);
    const double last = state.t;
    struct Seen : Sink {
      std::vector<State> states;
      void accept(const State& s, const Outcome&) override { states.push_back(s); }
    } seen;
    REQUIRE(go(state, stepper, 0.04, true, seen) == Status::ok);
    sink.resume(system, seen.states.front(), last);
    for (std::size_t k = 1; k < seen.states.size(); ++k) sink.accept(seen.states[k], {});
    sink.end();
    const Numbers all = read(system, folder.path() / "results.h5");
    REQUIRE(all.rows == 41);
    const Measurements measurements(system, standard_selection(builtin_quantities()));
    const auto q = static_cast<std::size_t>(measurements.find("q")->start);
    for (std::size_t k = 0; k < seen.states.size(); ++k) {
      const double* row = all.values.data() + (20 + k) * all.width;
      CHECK(row[0] == seen.states[k].t);
      for (std::size_t i = 0; i < 35; ++i) CHECK(row[q + i] == rounded(seen.states[k].q[i]));
    }
  }
}

TEST_CASE("what is no packed file of this run is refused or left as it is") {
  if (!has_hdf5()) return;
  const MultibodySystem system(HelixChain({.n = 2}).model()), other(HelixChain({.n = 3}).model());
  const TemporaryFolder folder;
  write(system, folder.path(), Precision::float64, 1);
  Hdf5Sink sink(folder.path(), {}, recording_in(Precision::float64), {.compress = 1});
  CHECK_THROWS_WITH_AS(sink.resume(other, other.initial_state(), 0.0),
                       doctest::Contains("it holds other columns than this run writes"), SinkError);
  const auto file = folder.path() / "results.h5";
  std::ofstream(file, std::ios::trunc) << "no results";
  CHECK_THROWS_AS(sink.resume(system, system.initial_state(), 0.0), SinkError);
}
