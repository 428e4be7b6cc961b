// Events in results.h5: what is kept, what is dropped behind a checkpoint, and what no longer fits.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

Model chain(int n) { return HelixChain({.n = n}).model(); }

}  // namespace

TEST_CASE("events are in results.h5 with time, name and direction, and are dropped behind a checkpoint") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(2));
  const TemporaryFolder folder;
  Hdf5Sink sink(folder.path(), {}, {});
  State state = system.initial_state();
  sink.begin(system);
  sink.accept(state, {});
  sink.event({0, "first", 0.25, true}, state);
  sink.event({1, "second", 0.5, false}, state);
  sink.end();
  const Measurements measurements(system, standard_selection(builtin_quantities()));
  ResultsContent content;
  content.add_columns_of(measurements);
  CHECK(find_results(folder.path() / "results.h5", content).event_times.rows == 2);
  CHECK(file_text(folder.path() / "results.h5").find("second") != std::string::npos);
  state.t = 0.3;
  sink.resume(system, state, 0.0);
  sink.end();
  const ResultsPlaces places = find_results(folder.path() / "results.h5", content);
  CHECK(places.event_times.rows == 1);
  CHECK(places.event_names.rows == 1);
  CHECK(places.event_rising.rows == 1);
}

TEST_CASE(
    "events that no longer fit are counted in results.h5, reported at the end, and counted alike after a "
    "resume") {
  if (!has_hdf5()) return;
  const MultibodySystem system(chain(1));
  const TemporaryFolder folder;
  const Measurements measurements(system, standard_selection(builtin_quantities()));
  ResultsContent content;
  content.add_columns_of(measurements);
  const auto lost = [&] {
    const ResultsPlaces places = find_results(folder.path() / "results.h5", content);
    std::ifstream stream(folder.path() / "results.h5", std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(places.lost_events_at));
    std::uint64_t count = 0;
    stream.read(reinterpret_cast<char*>(&count), sizeof count);
    CHECK(places.event_times.rows == places.event_rising.rows);
    return std::pair{places.event_times.rows, count};
  };
  // One event a millisecond; the run that is notified of them ends at 6 s, and is resumed from a checkpoint at 5 s.
  State state = system.initial_state();
  Hdf5Sink sink(folder.path(), {}, {});
  sink.begin(system);
  sink.accept(state, {});
  const auto notify = [&](int from, int to) {
    for (int k = from; k <= to; ++k) sink.event({0, "tick", 1e-3 * k, true}, state);
  };
  notify(1, 4000);
  CHECK(lost() == std::pair<std::uint64_t, std::uint64_t>{4000, 0});
  notify(4001, 6000);
  sink.end();
  CHECK(lost() == std::pair<std::uint64_t, std::uint64_t>{4093, 1907});
  CHECK(sink.remark().find("results.h5 holds at most 4093 events: the 1907 behind them are not in it") !=
        std::string::npos);
  state.t = 5.0;
  sink.resume(system, state, 0.0);
  sink.resume_events(5000);
  CHECK(lost() == std::pair<std::uint64_t, std::uint64_t>{4093, 907});
  notify(5001, 6000);
  sink.end();
  CHECK(lost() == std::pair<std::uint64_t, std::uint64_t>{4093, 1907});
  // From a checkpoint at 3 s they fit again.
  state.t = 3.0;
  sink.resume(system, state, 0.0);
  sink.resume_events(3000);
  sink.end();
  CHECK(lost() == std::pair<std::uint64_t, std::uint64_t>{3000, 0});
  CHECK(sink.remark().empty());
}

TEST_CASE("a run hands on what its sinks remark at the end") {
  if (!has_hdf5()) return;
  // 5000 zero crossings of a function of time, 500 a second.
  const MultibodySystem system(chain(1));
  const TemporaryFolder folder;
  Hdf5Sink sink(folder.path(), {}, {});
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  Listeners listeners{.sinks = {&sink}};
  listeners.events.push_back(
      {"zero", [](const State& s) { return std::cos(1000.0 * std::acos(-1.0) * s.t / 2.0); }});
  const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 10.0, .every = 1000}, listeners);
  REQUIRE(result.status == Status::ok);
  REQUIRE(result.events.size() > 4093);
  REQUIRE(result.remarks.size() == 1);
  CHECK(result.remarks[0].text.find("the " + std::to_string(result.events.size() - 4093) + " behind them") !=
        std::string::npos);
}
