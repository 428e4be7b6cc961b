#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/write_model.hpp>

#include <fmt/format.h>

#include <ostream>

namespace catena::detail {
std::string model_text(const Scenario& scenario, const Catalog& catalog) {
  Scenario run = scenario;
  OpenedProblem opened = open_problem(run, catalog);
  set_parameters(opened, run);
  Problem& problem = *opened.problem;
  if (problem.own_system())
    throw UsageError("problem " + run.problem +
                     " is a system in its own coordinates, without bodies: it has no form in a file");
  FileNotes notes{.title = problem.summary()};
  for (const ObservedPoint& p : problem.observed_points()) notes.points.push_back({p.name, p.body, p.point});
  RunSettings settings;
  complete_from_file(run, settings, opened);
  const ProblemDefaults defaults = problem.defaults();
  notes.run = {{"stepper", run.stepper.empty() ? defaults.stepper : run.stepper},
               {"step", fmt::format("{}", run.step.value_or(defaults.step))},
               {"end", fmt::format("{}", run.end.value_or(defaults.end))}};
  if (run.every) notes.run.emplace_back("every", std::to_string(*run.every));
  if (!run.options.empty()) {
    std::string options;
    for (const auto& [name, value] : run.options)
      options += (options.empty() ? "" : ", ") + name + ": " + yaml_text(value);
    notes.run.emplace_back("options", "{" + options + "}");
  }
  return write_model(problem.model(), catalog.element_types(), notes);
}

ExitCode write_command(const WriteRequest& request, const Catalog& catalog, const Console& console) {
  std::string text;
  try {
    text = model_text({.problem = request.problem, .parameters = parse_settings(request.parameters, "--set")},
                      catalog);
  } catch (const std::exception&) {
    return refused(console);
  }
  if (request.output.empty() || request.output == "-") {
    console.out << text << std::flush;
    return console.out ? exit_ok : exit_cannot_write;
  }
  if (write_text(request.output, text)) return exit_ok;
  console.err << "catena: cannot write " << request.output << '\n';
  return exit_cannot_write;
}

}  // namespace catena::detail
