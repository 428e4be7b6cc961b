// Many runs: ensembles, sweeps, comparisons and the audit, with the interpreter unlocked.
#include <catena/studies/audit.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/ensemble.hpp>
#include <catena/study/sweep.hpp>

#include "duals.hpp"
#include "one_of.hpp"
#include "result.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <sstream>
#include <utility>

namespace catena::python {
using namespace py::literals;
namespace {
// Ctrl-C while other threads work: the thread of the interpreter waits here, and sets a flag that they read.
template <class Work>
void unlocked(std::atomic<bool>& stop, Work&& work) {
  const Unlocked released(PyEval_SaveThread());
  std::future<void> done = std::async(std::launch::async, std::forward<Work>(work));
  while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    const py::gil_scoped_acquire lock = locked();
    if (PyErr_CheckSignals() != 0) keep_exit(std::make_exception_ptr(py::error_already_set()));
    if (exit_is_kept) stop = true;
  }
  const py::gil_scoped_acquire lock = locked();
  raise_exit();
  done.get();
}

std::vector<std::shared_ptr<Run>> ensemble(const std::vector<Scenario>& scenarios, int threads,
                                           int threads_of_row, double row_seconds) {
  std::atomic<bool> stop = false;
  EnsembleOptions options{
      .threads = threads, .threads_of_row = threads_of_row, .row_seconds = row_seconds, .stop = &stop};
  std::vector<Names> names(scenarios.size());
  options.context = [&](std::size_t row) {
    RunContext context;
    context.listeners.sinks.push_back(&names[row]);
    return context;
  };
  const std::shared_ptr<const Catalog> known = catalog();
  std::vector<Record> records;
  unlocked(stop, [&] { records = run_ensemble(scenarios, *known, options); });
  std::vector<std::shared_ptr<Run>> out;
  for (std::size_t row = 0; row < records.size(); ++row) {
    out.push_back(std::make_shared<Run>());
    out.back()->record = std::move(records[row]);
    names[row].fill(*out.back());
  }
  return out;
}

py::dict sweep(const Scenario& base, const std::vector<std::string>& vary,
               const std::vector<std::string>& keep, std::size_t samples, const std::string& sampling,
               std::uint64_t seed, const std::string& folder, int threads, int shard, int shards) {
  Sweep asked{.base = base};
  for (const std::string& text : vary) asked.axes.push_back(axis_from_text(text));
  for (const std::string& text : keep)
    for (Reduction& reduction : reductions_from_text(text)) asked.keep.push_back(std::move(reduction));
  asked.samples = samples;
  asked.sampling = one_of<Sampling>("sampling", sampling,
                                    {{"random", Sampling::random},
                                     {"latin_hypercube", Sampling::latin_hypercube},
                                     {"sobol", Sampling::sobol},
                                     {"saltelli", Sampling::saltelli}});
  asked.seed = seed;
  std::atomic<bool> stop = false;
  std::ostringstream csv, series;
  SweepOptions options{.folder = folder, .shard = shard, .shards = shards, .threads = threads, .stop = &stop};
  options.table = [&](SweepTable& table) {
    table.write_csv(csv, false);
    if (!table.series().empty()) table.write_series_csv(series);
  };
  const std::shared_ptr<const Catalog> known = catalog();
  SweepCounts counts;
  unlocked(stop, [&] { counts = run_sweep(SweepRows(asked, *known), *known, options); });
  return py::dict("csv"_a = csv.str(), "series"_a = series.str(), "rows"_a = counts.rows, "ok"_a = counts.ok,
                  "failed"_a = counts.failed, "done_before"_a = counts.done_before);
}

std::string comparison(const std::vector<std::string>& problems,
                       const std::map<std::string, std::shared_ptr<Model>>& models,
                       const py::dict& parameters, const std::vector<std::string>& steppers,
                       const std::vector<double>& steps, const std::vector<double>& tolerances,
                       std::optional<double> end, int repeat) {
  detail::CompareRequest request{
      .problems = problems, .parameters = settings_of_dict(parameters), .end = end};
  for (const std::string& text : steppers) request.steppers.push_back(detail::compared_stepper(text));
  request.steps = steps, request.tolerances = tolerances, request.repeat = repeat;
  std::atomic<bool> stop = false;
  Catalog known = *catalog();
  for (const auto& [name, model] : models)
    known.add({name, [m = model] { return std::make_unique<ModelProblem>(*m, "a model"); }});
  std::vector<detail::ProblemComparison> done;
  unlocked(stop, [&] {
    if (request.problems.size() > 1) detail::check_comparison(request, known);
    for (std::size_t k = 0; k < request.problems.size(); ++k)
      done.push_back(detail::compare(request, k, known, {.stop = &stop}));
  });
  return detail::comparison_csv(done);
}

// Holds one stepper of the catalog to what its traits promise: on a case of the audit, on all of them, or on a model.
py::dict audit_of(const std::string& name, const Settings& options, const std::string& problem,
                  const std::shared_ptr<Model>& model, double end, int steps, bool reversible,
                  bool redundant) {
  const std::shared_ptr<const Catalog> known = catalog();
  std::vector<AuditStepper> steppers{{known->stepper(name), options}};
  for (const AuditStepper& s : audit_steppers())  // ends are compared with those of a method of order 5
    if (s.entry.name == "dormand_prince" && s.options.contains("control") && name != s.entry.name)
      steppers.push_back(s);
  std::vector<AuditCase> cases = audit_cases();
  std::vector<ProblemEntry> problems = audit_problems();
  if (model) {
    cases = {
        {.problem = "model", .end = end, .steps = steps, .reversible = reversible, .redundant = redundant}};
    problems = {{"model", [model] { return std::make_unique<ModelProblem>(*model, "a model"); }}};
  } else if (!problem.empty()) {
    std::vector<std::string> names;
    for (const AuditCase& which : cases)
      if (std::ranges::find(names, which.problem) == names.end()) names.push_back(which.problem);
    std::erase_if(cases, [&](const AuditCase& which) { return which.problem != problem; });
    std::erase_if(problems, [&](const ProblemEntry& entry) { return entry.name != problem; });
    if (cases.empty()) throw UsageError(unknown_name("problem of the audit", problem, names));
  }
  std::atomic<bool> stop = false;
  AuditResult result;
  unlocked(stop, [&] { result = audit(steppers, cases, problems); });
  py::list checks;
  for (const AuditCheck& check : result.checks)
    if (check.stepper.rfind(name, 0) == 0)
      checks.append(py::dict("problem"_a = check.problem, "check"_a = check.check,
                             "measured"_a = check.measured, "bound"_a = check.bound,
                             "at_least"_a = check.at_least, "ok"_a = check.ok(), "remark"_a = check.remark));
  for (const AuditSkip& skip : result.skipped)
    if (model && skip.check.empty() && skip.stepper.rfind(name, 0) == 0)
      throw UsageError("stepper " + name + " was not run on the model: " + skip.reason);
  return py::dict("checks"_a = checks, "text"_a = to_text(result), "pairs"_a = result.pairs);
}

}  // namespace

void bind_study(py::module_& m) {
  m.def("ensemble", &ensemble);
  m.def("sweep", &sweep);
  m.def("compare", &comparison);
  m.def("audit", &audit_of);
}

}  // namespace catena::python
