// The ten lowest modes of a hanging chain: time a mass, which stays the same while the factorisation and the iteration
// are linear in the length of the chain.
//
//     bench_modes [options of Google Benchmark]
#include "linear/linear_mechanisms.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace catena;

void ten_lowest_modes(benchmark::State& state) {
  const int masses = static_cast<int>(state.range(0));
  const MultibodySystem system(test::hanging_chain(masses));
  int solves = 0;
  for (auto _ : state) {
    const LinearMotion motion = linearize(system, system.initial_state());
    const Modes modes = find_modes(motion, {.count = 10});
    if (modes.status != Status::ok) state.SkipWithError("no modes");
    solves = modes.solves;
  }
  state.counters["seconds_a_mass"] =
      benchmark::Counter(masses, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["solves"] = solves;
}
BENCHMARK(ten_lowest_modes)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
