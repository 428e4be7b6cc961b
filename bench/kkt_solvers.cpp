// Factor + one solve of KKT matrices: the own solver against the best libraries. Every competitor is verified
// before it is timed; times are the minimum over interleaved repetitions on one core, analysis excluded.
//     bench_kkt_solvers [--only TEXT] [--repetitions N] [--cpu-time] [--json FILE]
// --cpu-time reads the processor time of the thread, for a machine that others use at the same time.
#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "../apps/start_environment.hpp"
#include "../tests/support/kkt_matrices.hpp"
#include "machine.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#ifdef CATENA_BENCH_HAS_LDL
#include "rivals/ldl_rival.hpp"
#endif
#ifdef CATENA_BENCH_HAS_UMFPACK
#include "rivals/umfpack_rival.hpp"
#endif

namespace catena::bench {
using namespace detail;
namespace {

using test::KktJointKind;
using test::KktProblem;

struct Competitor {
  std::string name;
  bool own;
  Factorization factorization;
  std::function<std::unique_ptr<LinearSolver>()> make;
};

std::vector<Competitor> competitors() {
  std::vector<Competitor> all;
  auto add = [&](const char* name, const char* backend, bool own, Factorization f) {
    all.push_back({name, own, f, [backend] { return make_backend(backend); }});
  };
  add("own LDLT", "ldl", true, Factorization::ldlt);
  add("own LDU", "ldl", true, Factorization::ldu);
  add("klu", "klu_refactor", false, Factorization::ldu);
  add("cholmod", "cholmod", false, Factorization::ldlt);
  add("cholmod_schur", "cholmod_schur", false, Factorization::ldlt);
  add("eigen_lu", "eigen_lu", false, Factorization::ldu);
#ifdef CATENA_BENCH_HAS_UMFPACK
  all.push_back({"umfpack", false, Factorization::ldu, [] { return std::make_unique<UmfpackRival>(); }});
#endif
#ifdef CATENA_BENCH_HAS_LDL
  all.push_back({"LDL", false, Factorization::ldlt, [] { return std::make_unique<LdlRival>(); }});
#endif
  return all;
}

struct Case {
  std::string name;
  std::function<KktProblem()> make;
  std::vector<std::string> only;  // competitors; empty: all
};

std::vector<Case> cases() {
  const auto ball = KktJointKind::spherical, hinge = KktJointKind::revolute;
  const std::vector<std::string> large = {"own LDLT", "own LDU", "cholmod_schur", "LDL"};
  const std::vector<std::string> net = {"own LDLT", "own LDU", "cholmod", "cholmod_schur", "LDL"};
  return {
      {"chain 1000, spherical", [=] { return test::chain_kkt(1000, ball); }, {}},
      {"chain 1000, revolute", [=] { return test::chain_kkt(1000, hinge); }, {}},
      {"chain 1000, revolute, rotations coupled", [] { return test::turning_chain_kkt(1000); }, {}},
      {"chain 1000, revolute, coupled", [=] { return test::chain_kkt(1000, hinge, true); }, {}},
      {"chain 10000, spherical", [=] { return test::chain_kkt(10000, ball); }, large},
      {"chain 100000, spherical", [=] { return test::chain_kkt(100000, ball); }, large},
      {"tree 1023, spherical", [=] { return test::tree_kkt(1023, ball); }, {}},
      {"ladder 1000", [] { return test::ladder_kkt(1000); }, {}},
      {"star 1000", [=] { return test::star_kkt(1000, ball); }, {}},
      {"quaternion chain 1000", [] { return test::quaternion_chain_kkt(1000); }, {}},
      {"net 30 x 30", [] { return test::net_kkt(30); }, net},
      {"net 100 x 100", [] { return test::net_kkt(100); }, {"own LDLT", "own LDU", "cholmod_schur"}},
  };
}

struct Settings {
  std::string only, json_file;
  int repetitions = 20;
  bool cpu_time = false;
};

struct Entry {
  const Competitor* competitor;
  std::unique_ptr<LinearSolver> solver;
  double backward_error = 0.0, seconds = std::numeric_limits<double>::infinity();
  std::string refused;
  bool refined = false;  // right only with one step of refinement, which is then timed with it
};

// A solution, verified: the reason for a refusal is kept, empty when it may run.
Entry prepare(const KktProblem& p, const Competitor& c, const std::vector<double>& rhs) {
  constexpr double limit = 1e-10;
  Entry entry{&c, c.make(), 0.0, std::numeric_limits<double>::infinity(), "", false};
  entry.refused = entry.solver == nullptr ? "not built"
                                          : entry.solver->analyze(p.pattern, p.matrix.border(),
                                                                  {.factorization = c.factorization});
  if (!entry.refused.empty()) return entry;
  std::vector<double> x = rhs;
  if (entry.solver->factorize_and_solve(p.matrix, x.data()).status != FactorStatus::ok) {
    entry.refused = "factorisation failed";
    return entry;
  }
  RefinementWorkspace work(*p.pattern);
  const RefinementReport r =
      refine(p.matrix, *entry.solver, rhs.data(), x.data(), {.max_steps = 1, .target = limit}, work);
  entry.refined = r.steps > 0;
  entry.backward_error = r.after.total();
  if (!(entry.backward_error <= limit))
    entry.refused = fmt::format("backward error {:.1e}", entry.backward_error);
  return entry;
}

double now(bool cpu_time) {
  timespec t{};
  clock_gettime(cpu_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Each turn runs a competitor three times in a row, so that no one pays for another's use of the cache; those
// ten times behind the leader run once a turn.
void measure(const KktProblem& p, std::vector<Entry>& entries, const std::vector<double>& rhs,
             const Settings& settings) {
  std::vector<double> x(rhs.size());
  RefinementWorkspace work(*p.pattern);
  double leader = std::numeric_limits<double>::infinity();
  for (int r = 0; r < settings.repetitions; ++r)
    for (Entry& e : entries) {
      if (!e.refused.empty()) continue;
      const int runs = r == 0 || e.seconds < 10.0 * leader ? 3 : 1;
      for (int k = 0; k < runs; ++k) {
        std::copy(rhs.begin(), rhs.end(), x.begin());
        const double start = now(settings.cpu_time);
        e.solver->factorize_and_solve(p.matrix, x.data());
        if (e.refined)
          refine(p.matrix, *e.solver, rhs.data(), x.data(), {.max_steps = 1, .target = 0.0}, work);
        e.seconds = std::min(e.seconds, now(settings.cpu_time) - start);
      }
      leader = std::min(leader, e.seconds);
    }
}

nlohmann::json run(const Case& c, const std::vector<Competitor>& all, const Settings& settings) {
  const KktProblem p = c.make();
  const std::vector<double> rhs = test::kkt_rhs(p);
  std::vector<Entry> entries;
  for (const Competitor& competitor : all)
    if (c.only.empty() || std::find(c.only.begin(), c.only.end(), competitor.name) != c.only.end())
      entries.push_back(prepare(p, competitor, rhs));
  measure(p, entries, rhs, settings);

  fmt::print("\n{}  ({} unknowns, {} rows)\n", c.name, p.pattern->primal_dimension,
             p.pattern->dual_dimension);
  nlohmann::json results = nlohmann::json::array();
  const Entry *own = nullptr, *best = nullptr;
  for (const Entry& e : entries) {
    nlohmann::json j{{"competitor", e.competitor->name}, {"backward_error", e.backward_error}};
    if (!e.refused.empty()) {
      fmt::print("  {:<14} refused: {}\n", e.competitor->name, e.refused);
      j["refused"] = e.refused;
      results.push_back(j);
      continue;
    }
    const double ns = 1e9 * e.seconds / p.bodies;
    fmt::print("  {:<14} {:>10.1f} ns/body   omega {:.0e}", e.competitor->name, ns, e.backward_error);
    const double flops = e.solver->factor_flops();
    if (flops > 0.0) fmt::print("   {:>8.0f} flops/body", flops / p.bodies);
    if (e.solver->bytes() > 0)
      fmt::print("   {:>6.0f} bytes/body", static_cast<double>(e.solver->bytes()) / p.bodies);
    fmt::print("{}\n", e.refined ? "   with one step of refinement" : "");
    j["ns_per_body"] = ns;
    j["refinement_steps"] = e.refined ? 1 : 0;
    j["flops"] = flops;
    j["bytes"] = e.solver->bytes();
    results.push_back(j);
    if (e.competitor->own && (own == nullptr || e.seconds < own->seconds)) own = &e;
    if (!e.competitor->own && (best == nullptr || e.seconds < best->seconds)) best = &e;
  }
  nlohmann::json j{{"problem", c.name},
                   {"bodies", p.bodies},
                   {"unknowns", p.pattern->primal_dimension},
                   {"rows", p.pattern->dual_dimension},
                   {"results", results}};
  if (best != nullptr) j["best_library"] = best->competitor->name;
  if (own != nullptr && best != nullptr) {
    j["ratio_to_best_library"] = best->seconds / own->seconds;
    fmt::print("  {} is {:.2f} times as fast as the best library, {}\n", own->competitor->name,
               best->seconds / own->seconds, best->competitor->name);
  }
  std::fflush(stdout);
  return j;
}

// One line a problem, ns per body.
void print_table(const nlohmann::json& problems, const std::vector<Competitor>& all) {
  fmt::print("\nns per body, factor + one solve\n{:<30}", "");
  for (const Competitor& c : all) fmt::print(" {:>13}", c.name);
  fmt::print(" {:>7}\n", "ratio");
  for (const auto& p : problems) {
    fmt::print("{:<30}", p["problem"].get<std::string>());
    for (const Competitor& c : all) {
      std::string cell = "-";
      for (const auto& r : p["results"])
        if (r["competitor"] == c.name)
          cell = r.contains("refused") ? "refused" : fmt::format("{:.1f}", r["ns_per_body"].get<double>());
      fmt::print(" {:>13}", cell);
    }
    const bool rated = p.contains("ratio_to_best_library");
    fmt::print(" {:>7}\n", rated ? fmt::format("{:.2f}", p["ratio_to_best_library"].get<double>()) : "-");
  }
}

int run_all(const Settings& settings) {
  const Blas blas = single_threaded_blas();
  if (!blas.optimised) {
    fmt::print(stderr,
               "The linked BLAS is not OpenBLAS. A comparison with reference BLAS would flatter us: "
               "apt-get install libopenblas0-pthread\n");
    return 2;
  }
  const int core = pin_to_one_core();
  fmt::print("{}, core {}, one thread, instruction set level {}\n{} (running as {})\n", processor_name(),
             core, instruction_set(), blas.config, blas.core);
  if (instruction_set() == 2 && blas.core != "SkylakeX" && blas.core != "SapphireRapids" &&
      blas.core != "Cooperlake")
    fmt::print("This processor has AVX-512, but OpenBLAS does not use it: set OPENBLAS_CORETYPE=SKYLAKEX.\n");
  fmt::print(
      "{}: minimum of {} interleaved turns; verified before timed: omega_1 + omega_2 <= 1e-10, "
      "without refinement unless said\n",
      settings.cpu_time ? "processor time" : "wall time", settings.repetitions);
  const std::vector<Competitor> all = competitors();
  nlohmann::json problems = nlohmann::json::array();
  for (const Case& c : cases())
    if (settings.only.empty() || c.name.find(settings.only) != std::string::npos)
      problems.push_back(run(c, all, settings));
  print_table(problems, all);
  if (settings.json_file.empty()) return 0;
  std::ofstream file(settings.json_file);
  file << nlohmann::json{{"processor", processor_name()},
                         {"instruction_set", instruction_set()},
                         {"blas", blas.config},
                         {"blas_core", blas.core},
                         {"threads", 1},
                         {"repetitions", settings.repetitions},
                         {"clock", settings.cpu_time ? "processor" : "wall"},
                         {"problems", problems}}
              .dump(2)
       << "\n";
  return file ? 0 : 1;
}

}  // namespace
}  // namespace catena::bench

int main(int argc, char** argv) {
  start_with_environment(argv);
  CLI::App app("Factor + one solve of KKT matrices, own solver against libraries");
  catena::bench::Settings settings;
  app.add_option("--only", settings.only, "problems whose name contains this text");
  app.add_option("--repetitions", settings.repetitions, "interleaved turns, at least 20 for figures")
      ->check(CLI::PositiveNumber);
  app.add_flag("--cpu-time", settings.cpu_time, "processor time of the thread instead of wall time");
  app.add_option("--json", settings.json_file, "write the results to this file");
  CLI11_PARSE(app, argc, argv);
  return catena::bench::run_all(settings);
}
