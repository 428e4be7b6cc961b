#include <catena/cli/output_request.hpp>
#include <catena/cli/run_choice.hpp>
#include <catena/cli/run_section.hpp>
#include <catena/math/parallel.hpp>

#include <chrono>
#include <utility>

namespace catena {

void refuse_format(const ResultsOptions& results, const std::string& defect) {
  if (!defect.empty()) throw UsageError("--format " + results.format + ": " + defect);
}

void RunChoice::choose(Report& report) {
  const auto begin = std::chrono::steady_clock::now();
  const RunRequest typed = request;
  OpenedProblem opened;
  complaints.attempt([&] {
    try {
      opened = open_problem(request.problem, catalog_);
    } catch (const ModelFileError& error) {
      file_error = error.what();
    }
  });
  report.seconds_build = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (opened.problem) request = complete_request(typed, opened);
  if (file_error.empty()) complaints.attempt([&] { refuse_without_output(typed, request.output); });
  if (opened.file) model_files = opened.file->files();
  complaints.attempt([&] {
    spare_earlier_run(request.output, request.overwrite, resumes_);
    if (!request.output.empty()) refuse_pipes(request.output, model_files);
  });
  problem = std::move(opened.problem);
  if (problem) choose_parameters(report);
  if (problem || !request.stepper.empty()) choose_stepper(report);
  choose_run(report);
  if (!file_error.empty()) throw ModelFileError(file_error);
  complaints.throw_if_any();
}

void RunChoice::choose_parameters(Report& report) {
  const Visitable parameters = [&](OptionVisitor& v) { problem->visit(v); };
  complaints.attempt(
      [&] { set_options(parameters, request.parameters, "--set", "problem " + request.problem); });
  report.parameters = option_values(parameters);
}

void RunChoice::choose_stepper(Report& report) {
  report.stepper = request.stepper.empty() ? problem->defaults().stepper : request.stepper;
  std::unique_ptr<StepperSetup> setup;
  if (!complaints.attempt([&] { setup = catalog_.stepper(report.stepper).setup(); })) return;
  const Visitable options = [&](OptionVisitor& v) { setup->visit(v); };
  const bool fit = complaints.attempt(
      [&] { set_options(options, request.options, "--option", "stepper " + report.stepper); });
  report.options = option_values(options);

  LinearSolverFactory backend;
  complaints.attempt([&] {
    if (!request.backend.empty() || !catalog_.backends().empty()) {
      const CatalogBackend& chosen =
          request.backend.empty() ? catalog_.backends().front() : catalog_.backend(request.backend);
      backend = chosen.make;
      report.backend = chosen.name;
    }
    if (const std::string own = setup->own_backend(); !own.empty()) {
      if (!request.backend.empty())
        throw UsageError("stepper " + report.stepper + " solves its linear systems by " + own +
                         " and takes no other back end: leave --backend out");
      report.backend = own;
    }
  });
  if (fit) stepper = setup->make(backend, catalog_.fallback());
}

void RunChoice::choose_run(Report& report) {
  if (problem) {
    run.step = problem->defaults().step;
    run.end = problem->defaults().end;
  }
  const Visitable run_options = [&](OptionVisitor& v) { catena::visit(v, run); };
  const bool step_is_good = set(run_options, "step", request.step);
  const bool end_is_good = set(run_options, "end", request.end);
  set(run_options, "every", request.every);
  if (step_is_good && end_is_good && run.end / run.step > 1e12)
    complaints.add("more than 1e12 steps: choose --step or --end otherwise");
  report.end = run.end;
  report.every = run.every;

  const Visitable results_options = [&](OptionVisitor& v) { catena::visit(v, results); };
  set(results_options, "interval", request.interval);
  if (set(results_options, "format", request.format))
    complaints.attempt([&] { refuse_format(results, results_defect(results)); });

  if (request.checkpoint)
    complaints.attempt(
        [&] { checkpoint_interval = catena::checkpoint_interval(*request.checkpoint, request.output); });

  ThreadOption thread_option;
  if (set([&](OptionVisitor& v) { catena::visit(v, thread_option); }, "threads", request.threads))
    set_threads(thread_option.threads);
}

bool RunChoice::set(const Visitable& options, const std::string& name,
                    const std::optional<std::string>& text) {
  return !text || complaints.attempt([&] { set_option(options, name, *text, "--" + name + " " + *text); });
}

}  // namespace catena
