#include <catena/assembly/parts/body_system.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/size_work.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace catena::detail {
namespace {

using WorkJson = nlohmann::json;

// Analyses the pattern as the first of symmetric and general factorisation that the back end offers.
std::string analyze(LinearSolver& solver, const std::shared_ptr<const BlockPattern>& pattern) {
  const std::string why = solver.analyze(pattern, Border::transposed, {});
  if (why.empty()) return {};
  SolverOptions general;
  general.factorization = Factorization::ldu;
  return solver.analyze(pattern, Border::separate, general);
}

std::string analysed(const Scenario& scenario, const Catalog& catalog) {
  Complaints complaints;
  const Setup setup = set_up(scenario, {}, catalog, complaints);
  complaints.throw_if_any();
  const std::unique_ptr<System> system = make_system(*setup.problem, setup.stepper->traits().coordinates);
  const SystemLayout& layout = system->layout();
  if (setup.scenario.backend.empty())
    throw UsageError("stepper " + setup.scenario.stepper +
                     " has a linear solver of its own, whose work is not known before the run");
  const std::unique_ptr<LinearSolver> solver = catalog.backend(setup.backend).make();
  WorkJson json;
  json["bodies"] = layout.pattern->primal_count();
  json["rows"] = layout.lambda_size();
  json["unknowns"] = layout.pattern->dimension();
  const BodySystem* const bodies = bodies_of(*system);
  json["evaluation_chunks"] = bodies == nullptr ? 1 : bodies->chunks();
  json["failure"] = analyze(*solver, layout.pattern);
  if (!json["failure"].get<std::string>().empty()) return json.dump();
  json["matrix_bytes"] = BlockMatrix(layout.pattern, Border::transposed).bytes();
  json["factor_bytes"] = solver->bytes();
  json["flops"] = solver->factor_flops();
  const auto* const own = dynamic_cast<const BlockLdl*>(solver.get());
  json["analysis_bytes"] = own == nullptr ? 0 : own->analysis_bytes();
  json["chunks"] = own == nullptr ? std::vector<std::vector<double>>{} : own->chunk_cycles();
  return json.dump();
}

}  // namespace

SizeWork size_work(const Scenario& scenario, const Catalog& catalog) {
  SizeWork work;
  const OwnProcess process = in_own_process([&]() -> std::string {
    try {
      return analysed(scenario, catalog);
    } catch (const std::exception& error) {
      return WorkJson{{"failure", error.what()}}.dump(-1, ' ', false, WorkJson::error_handler_t::replace);
    }
  });
  if (!process.ended()) {
    work.failure = "the process of the analysis was killed";
    return work;
  }
  const WorkJson json = WorkJson::parse(process.answer);
  work.failure = json.at("failure").get<std::string>();
  work.bodies = json.value("bodies", 0);
  work.rows = json.value("rows", 0);
  work.unknowns = json.value("unknowns", 0.0);
  work.evaluation_chunks = json.value("evaluation_chunks", 1);
  if (!work.ok()) return work;
  work.matrix_bytes = json.at("matrix_bytes").get<double>();
  work.factor_bytes = json.at("factor_bytes").get<double>();
  work.analysis_bytes = json.at("analysis_bytes").get<double>();
  work.flops = json.at("flops").get<double>();
  work.chunks = json.at("chunks").get<std::vector<std::vector<double>>>();
  for (const std::vector<double>& tier : work.chunks)
    work.cost += std::accumulate(tier.begin(), tier.end(), 0.0);
  if (work.cost == 0.0) work.cost = work.flops > 0.0 ? work.flops : work.unknowns;
  return work;
}

double greedy_time(const std::vector<double>& pieces, int cores) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (int k = 0; k < std::max(1, cores); ++k) free.push(0.0);
  double end = 0.0;
  for (const double piece : pieces) {
    const double done = free.top() + piece;
    free.pop();
    free.push(done);
    end = std::max(end, done);
  }
  return end;
}

double elimination_speed_up(const SizeWork& work, int cores) {
  double one = 0.0, many = 0.0;
  for (const std::vector<double>& tier : work.chunks) {
    one += greedy_time(tier, 1);
    many += greedy_time(tier, cores);
  }
  return many > 0.0 ? one / many : 1.0;
}

double evaluation_speed_up(const SizeWork& work, int cores) {
  const int chunks = std::max(1, work.evaluation_chunks), rounds = (chunks + cores - 1) / std::max(1, cores);
  return static_cast<double>(chunks) / rounds;
}

}  // namespace catena::detail
