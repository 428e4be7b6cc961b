#include <catena/cli/model_problem.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/cli/write_command.hpp>
#include <catena/io/write_model.hpp>

#include <fmt/format.h>

#include <fstream>
#include <ostream>

namespace catena {
namespace {

std::string model_text(const WriteRequest& request, const Catalog& catalog) {
  const OpenedProblem opened = open_problem(request.problem, catalog);
  Problem& problem = *opened.problem;
  set_options([&](OptionVisitor& v) { problem.visit(v); }, request.parameters, "--set",
              "problem " + request.problem);
  if (problem.own_system())
    throw UsageError("problem " + request.problem +
                     " is a system in its own coordinates, without bodies: it has no form in a file");
  FileNotes notes{.title = problem.summary()};
  for (const ObservedPoint& p : problem.observed_points()) notes.points.push_back({p.name, p.body, p.point});
  const RunRequest run = complete_request({}, opened);
  const ProblemDefaults defaults = problem.defaults();
  notes.run = {{"stepper", run.stepper.empty() ? defaults.stepper : run.stepper},
               {"step", run.step.value_or(fmt::format("{}", defaults.step))},
               {"end", run.end.value_or(fmt::format("{}", defaults.end))}};
  if (run.every) notes.run.emplace_back("every", *run.every);
  if (!run.options.empty()) {
    std::string options;
    for (const std::string& assignment : run.options) {
      const std::size_t equals = assignment.find('=');
      options += (options.empty() ? "" : ", ") + assignment.substr(0, equals) + ": " +
                 yaml_text(assignment.substr(equals + 1));
    }
    notes.run.emplace_back("options", "{" + options + "}");
  }
  return write_model(problem.model(), catalog.element_types(), notes);
}

}  // namespace

ExitCode write_command(const WriteRequest& request, const Catalog& catalog, const Console& console) {
  std::string text;
  try {
    text = model_text(request, catalog);
  } catch (const ModelFileError& error) {
    console.err << error.what() << '\n';
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    console.err << "catena: not enough memory for this problem\n";
    return exit_bad_input;
  } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
    console.err << signed_lines(error.what());
    return exit_bad_input;
  }
  if (request.output.empty() || request.output == "-") {
    console.out << text << std::flush;
    return console.out ? exit_ok : exit_cannot_write;
  }
  std::ofstream stream(request.output, std::ios::binary);
  stream << text << std::flush;
  if (stream) return exit_ok;
  console.err << "catena: cannot write " << request.output << '\n';
  return exit_cannot_write;
}

}  // namespace catena
