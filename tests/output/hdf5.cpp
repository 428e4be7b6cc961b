// results.h5 in the program's own words; the scripts of tests/results read it as users do.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/result_fields.hpp>
#include <catena/output/detail/results_reader.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/mechanisms.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace hdf5_tests {

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

Model chain(int n) { return HelixChain({.n = n}).model(); }
Selection standard() { return standard_selection(builtin_quantities()); }

// Remembers the states that sinks see.
struct Keeper : Sink {
  std::vector<State> states;
  void accept(const State& state, const Outcome&) override { states.push_back(state); }
};

// The rows of a results file, by way of what the file says of its own columns.
struct Rows {
  ResultsContent content;
  std::vector<double> values;
  std::uint64_t count = 0;

  Rows(const std::filesystem::path& file, const Measurements& measurements) {
    content.add_columns_of(measurements);
    const ResultsPlaces places = find_results(file, content);
    count = places.records.rows;
    values.resize(count * static_cast<std::uint64_t>(content.width));
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(places.records.data_at));
    stream.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(8 * values.size()));
    CHECK(stream);
  }
  // Column of a row, counted from where the window begins.
  double at(std::uint64_t row, const std::string& path, int column = 0) const {
    for (const RecordWindow& w : content.windows)
      if (w.field.path == path)
        return values[row * static_cast<std::uint64_t>(content.width) +
                      static_cast<std::uint64_t>(w.start + column / w.block * w.stride + column % w.block)];
    FAIL("no window " << path);
    return 0.0;
  }
};

RunResult run_chain(const System& system, double end, const std::vector<Sink*>& sinks) {
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  return run(system, stepper, state, {.step = 1e-3, .end = end}, Listeners{.sinks = sinks});
}

}  // namespace

TEST_CASE("every instant of a run is in results.h5 as the sinks saw it") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(5));
  const TemporaryFolder folder;
  GeneralizedAlpha stepper;
  Monitor monitor;
  StepCounter steps(stepper);
  const MeasureSources sources{{{"tip", 4, {{0.1, 0.0, 0.0}}}}, &steps, &monitor};
  Hdf5Sink sink(folder.path() / "a" / "b", {}, {.sources = sources});
  Keeper keeper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 0.05},
                               Listeners{.sinks = {&sink, &keeper}, .observers = {&monitor, &steps}});
  REQUIRE(result.status == Status::ok);
  REQUIRE(sink.files().size() == 1);
  const Rows rows(sink.files()[0], Measurements(system, standard(), sources));
  REQUIRE(rows.count == 51);
  REQUIRE(keeper.states.size() == 51);
  double iterations = 0.0;
  for (std::uint64_t k = 0; k < rows.count; ++k) {
    const State& s = keeper.states[k];
    CHECK(rows.at(k, "/time") == s.t);
    for (int i = 0; i < 35; ++i) CHECK(rows.at(k, "/q", i) == s.q[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 30; ++i) CHECK(rows.at(k, "/v", i) == s.v[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 30; ++i) CHECK(rows.at(k, "/a", i) == s.a[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 15; ++i) CHECK(rows.at(k, "/lambda", i) == s.lambda[static_cast<std::size_t>(i)]);
    const std::vector<RigidBodyState> bodies = system.bodies(s);
    for (int b = 0; b < 5; ++b)
      for (int i = 0; i < 3; ++i) {
        const RigidBodyState& body = bodies[static_cast<std::size_t>(b)];
        CHECK(rows.at(k, "/bodies/position", 3 * b + i) == body.position[i]);
        CHECK(rows.at(k, "/bodies/angular_velocity", 3 * b + i) == body.angular_velocity[i]);
        CHECK(rows.at(k, "/bodies/orientation", 4 * b + 1 + i) == (i == 0   ? body.orientation.x
                                                                   : i == 1 ? body.orientation.y
                                                                            : body.orientation.z));
      }
    const Energy energy = system.energy(point_of(s));
    CHECK(rows.at(k, "/energy/kinetic") == energy.kinetic);
    CHECK(rows.at(k, "/energy/gravity") == energy.potential);
    CHECK(rows.at(k, "/energy/forces") == 0.0);
    CHECK(rows.at(k, "/energy/total") == energy.total());
    const Momentum p = momentum(system.model(), bodies);
    for (int i = 0; i < 3; ++i) {
      CHECK(rows.at(k, "/momentum/linear", i) == p.linear[i]);
      CHECK(rows.at(k, "/momentum/angular", i) == p.angular[i]);
      CHECK(rows.at(k, "/points/position", i) == point_position(bodies[4], {{0.1, 0.0, 0.0}})[i]);
      // Joint 3 holds body 3 at its point: -lambda on the second body.
      CHECK(rows.at(k, "/reactions/force", 9 + i) == -s.lambda[static_cast<std::size_t>(9 + i)]);
    }
    CHECK(rows.at(k, "/step/size") == (k == 0 ? 0.0 : doctest::Approx(1e-3).epsilon(1e-12)));
    iterations += rows.at(k, "/step/newton_iterations");
    ResidualMeter meter(system);
    CHECK(rows.at(k, "/residuals/acceleration") == meter(s).acceleration.value);
  }
  CHECK(rows.at(0, "/step/newton_iterations") == 0.0);
  CHECK(rows.at(1, "/step/newton_iterations") == 2.0);  // the first step knows no contraction
  CHECK(iterations == static_cast<double>(stepper.statistics().newton_iterations));
}

TEST_CASE("a quantity is completed by the thread of the run where it asks for that, with the same numbers") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(3));
  std::vector<double> speeds[2];
  for (const bool on_run_thread : {false, true}) {
    CAPTURE(on_run_thread);
    std::set<std::thread::id> threads;
    QuantityCatalog catalog = builtin_quantities();
    catalog.add({.name = "tip/speed",
                 .unit = "m/s",
                 .frame = "world",
                 .meaning = "of the last body",
                 .needs = Needs::bodies,
                 .complete =
                     [&threads](const Instant& at, double* out) {
                       threads.insert(std::this_thread::get_id());
                       *out = norm(at.body(at.body_count() - 1).velocity);
                     },
                 .on_run_thread = on_run_thread});
    const Selection selection = standard_selection(catalog);
    const TemporaryFolder folder;
    Hdf5Sink sink(folder.path(), {}, {.selection = selection});
    run_chain(system, 0.01, {&sink});
    REQUIRE(threads.size() == 1);
    CHECK((*threads.begin() == std::this_thread::get_id()) == on_run_thread);
    const Rows rows(sink.files()[0], Measurements(system, selection));
    REQUIRE(rows.count == 11);
    for (std::uint64_t k = 0; k < rows.count; ++k)
      speeds[on_run_thread ? 1 : 0].push_back(rows.at(k, "/tip/speed"));
  }
  CHECK(speeds[0] == speeds[1]);
  CHECK(speeds[0].back() > 0.0);
}

TEST_CASE("a resumed run drops the rows behind its checkpoint and appends to the others") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(4));
  const TemporaryFolder folder;
  // Up to 0.03, of which the part behind 0.02 is dropped again.
  Hdf5Sink parts(folder.path() / "parts", {}, {});
  Keeper keeper;
  REQUIRE(run_chain(system, 0.03, {&parts, &keeper}).status == Status::ok);
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 0.02}).status == Status::ok);
  Keeper rest;
  REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 0.04, .resume = true}, rest).status ==
          Status::ok);
  parts.resume(system, state, keeper.states[20].t);
  Outcome outcome;
  outcome.h_taken = 1e-3;
  for (std::size_t k = 1; k < rest.states.size(); ++k) parts.accept(rest.states[k], outcome);
  parts.end();

  const Rows rows(folder.path() / "parts" / "results.h5", Measurements(system, standard()));
  REQUIRE(rows.count == 41);
  for (std::uint64_t k = 0; k < rows.count; ++k) {
    const State& s = k <= 20 ? keeper.states[k] : rest.states[k - 20];
    CHECK(rows.at(k, "/time") == s.t);
    for (int i = 0; i < 28; ++i) CHECK(rows.at(k, "/q", i) == s.q[static_cast<std::size_t>(i)]);
  }

  CHECK_THROWS_WITH_AS(parts.resume(system, state, 0.0205),
                       doctest::Contains("lacks the instant t = 0.0205 s"), SinkError);
  const MultibodySystem other(chain(5));
  CHECK_THROWS_WITH_AS(parts.resume(other, state, 0.02), doctest::Contains("results of another system"),
                       SinkError);
}

TEST_CASE("the manifest of a run that is resumed to another end names that one, whatever its length") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(2));
  const State state = system.initial_state();
  for (const Hdf5Options& options : {Hdf5Options{}, Hdf5Options{.compress = 1}}) {
    CAPTURE(options.compress);
    const TemporaryFolder folder;
    bool begun = false;
    for (const std::string end : {"0.5 s", "0.12345678901234567 s", "2 s"}) {
      Hdf5Sink sink(folder.path(), {.run = {{"step", "0.001 s"}, {"end", end}}}, {}, options);
      if (std::exchange(begun, true)) {
        sink.resume(system, state, state.t);
      } else {
        sink.begin(system);
        sink.accept(state, {});
      }
      sink.end();
      const auto texts = ResultsReader(folder.path() / "results.h5").texts("manifest");
      const auto said = [&](const std::string& name) {
        return std::ranges::find(texts, name, [](const auto& text) { return text.first; })->second;
      };
      CHECK(said("end") == end);
      CHECK(said("step") == "0.001 s");
    }
  }
}

TEST_CASE("where the disk is full the run ends with what was saved, and that can be read") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(10));
  const TemporaryFolder folder;
  Hdf5Sink sink(folder.path(), {}, {});
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 1'000'000;  // structure and some two hundred rows
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const RunResult result = run_chain(system, 2.0, {&sink});
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(result.sink_failed);
  CHECK(result.status == Status::stopped);
  CHECK(result.message.find("File too large") != std::string::npos);
  CHECK(result.message.find("instants up to t = ") != std::string::npos);
  CHECK(result.message.find("can be read") != std::string::npos);
  CHECK(result.t_end < 2.0);

  const Rows rows(folder.path() / "results.h5", Measurements(system, standard()));
  CHECK(rows.count > 100);
  Keeper keeper;
  run_chain(system, 2.0, {&keeper});
  for (std::uint64_t k = 0; k < rows.count; ++k)
    for (int i = 0; i < 70; ++i)
      CHECK(rows.at(k, "/q", i) == keeper.states[k].q[static_cast<std::size_t>(i)]);
}

TEST_CASE("a folder that cannot be written is refused with its name") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(2));
  Hdf5Sink nowhere("/proc/nowhere", {}, {});
  CHECK_THROWS_WITH_AS(nowhere.begin(system), doctest::Contains("/proc/nowhere"), SinkError);
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "results.h5") << "something else";
  Hdf5Sink sink(folder.path(), {}, {});
  CHECK_THROWS_WITH_AS(sink.resume(system, system.initial_state(), 0.0), doctest::Contains("no HDF5 file"),
                       SinkError);
  sink.begin(system);  // replaces it
  sink.end();
  CHECK(Rows(folder.path() / "results.h5", Measurements(system, standard())).count == 0);
}

TEST_CASE("bodies in seven coordinates and systems in their own coordinates have results too") {
  if (!has_hdf5()) return;
  const TemporaryFolder folder;
  const QuaternionSystem seven(chain(3));
  State state = seven.initial_state();
  Hdf5Sink a(folder.path() / "seven", {}, {});
  a.begin(seven);
  a.accept(state, {});
  a.end();
  const Rows rows(folder.path() / "seven" / "results.h5", Measurements(seven, standard()));
  const std::vector<RigidBodyState> bodies = seven.bodies(state);
  for (int b = 0; b < 3; ++b)
    for (int i = 0; i < 3; ++i)
      CHECK(rows.at(0, "/bodies/angular_velocity", 3 * b + i) ==
            bodies[static_cast<std::size_t>(b)].angular_velocity[i]);

  const catena_test::ToyPendulum own;
  Hdf5Sink c(folder.path() / "own", {}, {});
  c.begin(own);
  c.accept(own.initial_state(), {});
  c.end();
  const Rows few(folder.path() / "own" / "results.h5", Measurements(own, standard()));
  CHECK(few.at(0, "/q", 1) == -std::cos(1.0));
}

TEST_CASE("a body without any constraint has results") {
  if (!has_hdf5()) return;
  Model model;
  model.add(Body{.velocity = {{1.0, 2.0, 3.0}}});
  const MultibodySystem system(model);
  const TemporaryFolder folder;
  Hdf5Sink sink(folder.path(), {}, {});
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
  const Rows rows(folder.path() / "results.h5", Measurements(system, standard()));
  CHECK(rows.at(0, "/bodies/velocity", 2) == 3.0);
  CHECK(rows.at(0, "/residuals/worst") == -1.0);
}

TEST_CASE("the structure of a file is found again whatever its size") {
  if (!has_hdf5()) return;
  const TemporaryFolder folder;
  for (const int n : {1, 2, 3, 5, 8, 13, 21, 55, 144, 377, 987, 1000, 2584}) {
    const MultibodySystem system(chain(n));
    Hdf5Sink sink(folder.path(), {}, {});
    const State state = system.initial_state();
    sink.begin(system);
    sink.accept(state, {});
    sink.end();
    sink.resume(system, state, 0.0);
    sink.end();
    CHECK(Rows(folder.path() / "results.h5", Measurements(system, standard())).count == 1);
  }
}

TEST_CASE("docs/reference/results.md holds the table of the schema") {
  const auto page = catena_test::source_folder() / "docs/reference/results.md";
  const std::string text = file_text(page);
  std::string table = "| dataset | shape | unit | frame | where | meaning |\n|---|---|---|---|---|---|\n";
  for (const ResultField& f : result_fields())
    table += "| `" + f.path + "` | " + f.shape + " | " + f.unit + " | " + f.frame + " | " + f.where + " | " +
             f.meaning + " |\n";
  const bool there = text.find(table) != std::string::npos;
  CHECK_MESSAGE(there, "the table should read\n" << table);
}

}  // namespace hdf5_tests
