// What part of the machine's limits is used: operations and bytes of a factorisation with one solve, and of a whole step of
// generalized_alpha, against the peak of one core and the traffic to memory, which are measured in the same run.
//     bench_limits [--largest BODIES] [--repetitions N] [--json FILE]
// Bytes are those that must move once: of a factorisation the matrix and the analysis read, the factor written and read back;
// of a step as the cost model of `catena scale` counts them (cost_model.hpp). What caches save is not taken off, so that a
// small problem may move more than memory could.
#include <catena/math/parts/cpu.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/study/detail/cost_model.hpp>

#include "../apps/start_environment.hpp"
#include "../tests/support/kkt_matrices.hpp"
#include "machine_limits.hpp"
#include "timed_scenario.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <vector>

namespace catena::bench {
using namespace detail;
namespace {

struct Limits {
  double flops;                     // a second
  std::vector<MemoryPrice> prices;  // by the size of what is swept
  double bandwidth() const {
    return 1.0 / prices.back().seconds_per_byte;
  }  // [bytes/s] of 256 MB, which no cache holds
};

struct Settings {
  int largest = 1000000, repetitions = 20;
  std::string json_file;
};

using Json = nlohmann::json;

Json solver_row(const std::string& name, const test::KktProblem& p, const Limits& limits, int repetitions) {
  BlockLdl solver;
  if (const std::string refusal = solver.analyze(p.pattern, p.matrix.border(), {}); !refusal.empty()) {
    fmt::print(stderr, "{}: {}\n", name, refusal);
    std::exit(1);
  }
  const std::vector<double> rhs = test::kkt_rhs(p);
  std::vector<double> x(rhs.size());
  double seconds = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r) {
    x = rhs;
    const double begin = seconds_now();
    if (solver.factorize_and_solve(p.matrix, x.data()).status != FactorStatus::ok) {
      fmt::print(stderr, "{}: the factorisation failed\n", name);
      std::exit(1);
    }
    seconds = std::min(seconds, seconds_now() - begin);
  }
  const double flops = solver.factor_flops();
  const double bytes = static_cast<double>(p.matrix.bytes() + solver.analysis_bytes() + 2 * solver.bytes());
  const double held = static_cast<double>(p.matrix.bytes() + solver.analysis_bytes() + solver.bytes());
  const double possible = 1.0 / price_at(limits.prices, held);
  const double bodies = p.bodies;
  fmt::print("{:<24} {:>8.0f} {:>8.0f} {:>9.1f} {:>8.2f} {:>6.1f} % {:>8.2f} {:>6.1f} % {:>6.1f} %\n", name,
             flops / bodies, bytes / bodies, 1e9 * seconds / bodies, 1e-9 * flops / seconds,
             100.0 * flops / seconds / limits.flops, 1e-9 * bytes / seconds,
             100.0 * bytes / seconds / possible, 100.0 * bytes / seconds / limits.bandwidth());
  std::fflush(stdout);
  return {{"case", name},
          {"bodies", p.bodies},
          {"flops", flops},
          {"bytes", bytes},
          {"seconds", seconds},
          {"of_peak", flops / seconds / limits.flops},
          {"of_traffic_at_this_size", bytes / seconds / possible},
          {"of_memory", bytes / seconds / limits.bandwidth()}};
}

Json step_row(int n, const Limits& limits, int repetitions) {
  static const Catalog catalog = builtin();
  Scenario scenario{.problem = "helix_chain", .stepper = "generalized_alpha", .step = 1e-3};
  scenario.set("n", n);
  const SizeWork work = size_work(scenario, catalog);
  TimedScenario run(scenario, "ldl");
  const int steps = std::max(5, std::min(50, 10000000 / n));
  for (int r = 0; r < std::max(2, std::min(repetitions, 10000000 / n / steps)); ++r) run.run(steps);
  const StepperStatistics& s = run.statistics;
  // The fastest step: one factorisation, and a solve in each iteration. The first steps touch new memory.
  const double solves = std::round(static_cast<double>(s.newton_iterations) / static_cast<double>(s.steps));
  const double seconds = run.cheapest, flops = work.flops;
  // Of the solver alone: what the rest of a step moves is not known by bytes.
  const double bytes = 2.0 * work.matrix_bytes + work.analysis_bytes + 2.0 * work.factor_bytes * solves;
  fmt::print("{:<24} {:>8.0f} {:>8.0f} {:>9.1f} {:>8.2f} {:>6.1f} % {:>8.2f} {:>6} {:>8.1f} %\n",
             fmt::format("step, helix {}", n), flops / n, bytes / n, 1e9 * seconds / n,
             1e-9 * flops / seconds, 100.0 * flops / seconds / limits.flops, 1e-9 * bytes / seconds, "",
             100.0 * bytes / seconds / limits.bandwidth());
  std::fflush(stdout);
  return {{"case", fmt::format("step, helix {}", n)},
          {"bodies", n},
          {"flops", flops},
          {"bytes", bytes},
          {"seconds", seconds},
          {"solves", solves},
          {"of_peak", flops / seconds / limits.flops},
          {"of_memory", bytes / seconds / limits.bandwidth()}};
}

int run_all(const Settings& settings) {
  const int core = pin_to_one_core();
  const Limits limits{peak_flops(), memory_prices()};
  fmt::print("{}, core {}, one thread, {}\n", processor_name(), core,
             instruction_set_name(instruction_set()));
  fmt::print("peak {:.1f} GFLOP/s; traffic", 1e-9 * limits.flops);
  Json json{{"processor", processor_name()},
            {"instruction_set", instruction_set()},
            {"peak_flops", limits.flops},
            {"traffic", Json::array()},
            {"cases", Json::array()}};
  for (const MemoryPrice& price : limits.prices) {
    fmt::print(" {:.1f} GB/s of {:.3g} MB", 1e-9 / price.seconds_per_byte, price.bytes / 1048576.0);
    json["traffic"].push_back({{"bytes", price.bytes}, {"bytes_per_second", 1.0 / price.seconds_per_byte}});
  }
  fmt::print("\n\n{:<24} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "factor + solve", "flops",
             "bytes", "ns", "GFLOP/s", "of peak", "GB/s", "at size", "memory");
  const auto ball = test::KktJointKind::spherical, hinge = test::KktJointKind::revolute;
  const std::vector<std::pair<std::string, std::function<test::KktProblem()>>> cases = {
      {"chain 1000", [=] { return test::chain_kkt(1000, ball); }},
      {"chain 1000, hinges", [=] { return test::chain_kkt(1000, hinge); }},
      {"quaternion chain 1000", [] { return test::quaternion_chain_kkt(1000); }},
      {"tree 1023", [=] { return test::tree_kkt(1023, ball); }},
      {"ladder 1000", [] { return test::ladder_kkt(1000); }},
      {"star 1000", [=] { return test::star_kkt(1000, ball); }},
      {"net 30 x 30", [] { return test::net_kkt(30); }},
      {"chain 100000", [=] { return test::chain_kkt(100000, ball); }}};
  for (const auto& [name, make] : cases)
    json["cases"].push_back(solver_row(name, make(), limits, settings.repetitions));
  fmt::print("\n{:<24} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8} {:>6} {:>10}\n", "generalized_alpha", "flops",
             "bytes", "ns", "GFLOP/s", "of peak", "GB/s", "", "of memory");
  for (int n = 100; n <= settings.largest; n *= 10)
    json["cases"].push_back(step_row(n, limits, settings.repetitions));
  if (settings.json_file.empty()) return 0;
  std::ofstream file(settings.json_file);
  file << json.dump(2) << "\n";
  return file ? 0 : 1;
}

}  // namespace
}  // namespace catena::bench

int main(int argc, char** argv) {
  start_with_environment(argv);
  CLI::App app("Part of the limits of the machine that solver and step use");
  catena::bench::Settings settings;
  app.add_option("--largest", settings.largest, "bodies of the largest step")->check(CLI::PositiveNumber);
  app.add_option("--repetitions", settings.repetitions, "of each time, whose minimum counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", settings.json_file, "write the results to this file");
  CLI11_PARSE(app, argc, argv);
  return catena::bench::run_all(settings);
}
