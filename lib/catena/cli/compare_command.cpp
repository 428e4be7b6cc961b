#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/compare_text.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/report_command.hpp>
#include <catena/cli/detail/typed_number.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/detail/foreign_results.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

namespace catena::detail {
namespace {

// Positive numbers, none twice.
std::vector<double> positive_numbers(const std::string& flag, const std::string& text) {
  std::vector<double> numbers;
  if (text.empty()) return numbers;
  for (const std::string& part : split(text, ',')) {
    const std::optional<double> number = parse_real(part);
    if (!number || !(*number > 0.0))
      throw UsageError(
          fmt::format("{} {}: \"{}\" is no positive number; give numbers with commas between: 4e-3,2e-3,1e-3",
                      flag, text, part));
    if (std::find(numbers.begin(), numbers.end(), *number) != numbers.end())
      throw UsageError(fmt::format("{} {}: {} is there twice", flag, text, part));
    numbers.push_back(*number);
  }
  return numbers;
}

// An earlier comparison is repeated as it was.
void refuse_beside_again(const CompareCommand& typed) {
  if (!typed.problems.empty())
    throw UsageError(
        "--again takes the problems and settings of the earlier comparison: give no problem with it");
  std::string given;
  const auto note = [&](bool there, const char* flag) {
    if (there) given += (given.empty() ? "" : ", ") + std::string(flag);
  };
  note(!typed.parameters.empty(), "--set");
  note(!typed.end.empty(), "--end");
  note(!typed.steppers.empty(), "--steppers");
  note(!typed.steps.empty(), "--steps");
  note(!typed.tolerances.empty(), "--tolerances");
  note(!typed.vary.empty(), "--vary");
  note(typed.plain, "--plain");
  note(!typed.repeat.empty(), "--repeat");
  note(!typed.add.empty(), "--add");
  note(!typed.peers.empty(), "--peers");
  if (!given.empty())
    throw UsageError(fmt::format(
        "--again {} repeats the earlier comparison with its own settings: leave {} out, or give the "
        "problem in place of --again",
        typed.again, given));
}

CompareRequest read_request(const CompareCommand& typed, const Catalog& catalog) {
  CompareRequest request;
  Complaints complaints;
  request.problems = typed.problems;
  if (request.problems.empty())
    complaints.add("compare needs a problem or a model file, or --again DIR with an earlier comparison");
  complaints.attempt([&] { request.parameters = parse_settings(typed.parameters, "--set"); });
  complaints.attempt([&] {
    if (!typed.steppers.empty())
      for (const std::string& text : split(typed.steppers, ','))
        request.steppers.push_back(compared_stepper(text));
  });
  complaints.attempt([&] { request.steps = positive_numbers("--steps", typed.steps); });
  complaints.attempt([&] { request.tolerances = positive_numbers("--tolerances", typed.tolerances); });
  complaints.attempt([&] {
    const std::vector<double> end = positive_numbers("--end", typed.end);
    if (end.size() > 1) throw UsageError("--end " + typed.end + ": a run has one end");
    if (!end.empty()) request.end = end.front();
  });
  complaints.attempt([&] {
    for (const auto& [option, values] : parse_settings(typed.vary, "--vary"))
      request.vary[option] = split(values, ',');
  });
  request.plain = typed.plain;
  complaints.attempt([&] {
    if (!typed.repeat.empty()) request.repeat = whole_number("--repeat", typed.repeat, 1);
  });
  request.add = typed.add;
  for (const std::string& file : request.add)
    complaints.attempt([&] {
      const std::string problem = read_foreign_results(file).problem;
      if (std::find(request.problems.begin(), request.problems.end(), problem) == request.problems.end())
        throw UsageError(
            fmt::format("--add {}: it is of problem {}, which is not compared here", file, problem));
    });
  if (!typed.peers.empty()) request.peers = split(typed.peers, ',');
  complaints.attempt([&] { refuse_unused(request, catalog); });
  complaints.throw_if_any();
  return request;
}

// Before hours of runs, not after them. Throws SinkError, and UsageError for a folder with a file of others or another
// comparison.
void check_folder(const std::filesystem::path& folder, const CompareRequest& request, bool overwrite) {
  const std::filesystem::path file = folder / comparison_file;
  std::error_code error;
  std::vector<std::string> problems = request.problems;
  std::string other;
  if (std::filesystem::exists(file, error)) try {
      const CompareRequest earlier = earlier_request(folder);
      if (!same_request(request, earlier)) other = fmt::format("{}", fmt::join(earlier.problems, ", "));
      problems.insert(problems.end(), earlier.problems.begin(), earlier.problems.end());
    } catch (const UsageError&) {
      throw UsageError(fmt::format(
          "--output {}: {} is no comparison of Catena's, and would be replaced: name another folder",
          folder.string(), file.string()));
    }
  if (!other.empty() && !overwrite)
    throw UsageError(fmt::format(
        "--output {}: the folder holds another comparison, of {}; name another folder, or replace it with "
        "--overwrite",
        folder.string(), other));
  refuse_foreign(folder, comparison_names(problems));
  refuse_unwritable(folder, comparison_file);
}

ComparisonText wanted_text(const CompareCommand& typed) {
  ComparisonText text;
  text.markdown = typed.markdown;
  if (typed.tables.empty()) return text;
  for (const std::string& name : split(typed.tables, ',')) {
    const std::vector<std::string>& known = comparison_tables();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("--tables " + typed.tables + ": " + unknown_name("table", name, known));
    text.tables.insert(name);
  }
  return text;
}

}  // namespace

ExitCode compare_command(const CompareCommand& typed, const Catalog& of_program, const Console& console) {
  try {
    const Catalog catalog = of_program.reading_once();  // all runs are of the files as they are at the start
    const ComparisonText wanted = wanted_text(typed);
    const bool again = !typed.again.empty();
    if (typed.overwrite && typed.output.empty())
      throw UsageError("--overwrite needs --output DIR, the folder whose comparison is to be replaced");
    if (again) refuse_beside_again(typed);
    const CompareRequest request = again ? earlier_request(typed.again) : read_request(typed, catalog);
    check_report(typed.report, typed.output);
    // A mistake in the settings of a later problem would lose the results of those before it.
    if (request.problems.size() > 1) check_comparison(request, catalog);
    RunFolder held(typed.output);
    if (!typed.output.empty()) {
      check_folder(typed.output, request, typed.overwrite);
      held.lock();
      check_folder(typed.output, request, typed.overwrite);  // what another process has written until then
    }
    const ListenToSignals listen;
    CompareContext context{.stop = console.stop};
    context.model_text = [&](const Scenario& scenario) { return model_text(scenario, catalog); };
    if (console.progress) context.progress = counter_of_runs(console.err);
    std::vector<ProblemComparison> done;
    bool interrupted = false;
    for (std::size_t k = 0; k < request.problems.size() && !interrupted; ++k) {
      done.push_back(compare(request, k, catalog, context));
      interrupted = done.back().interrupted;
      console.out << to_text(done.back(), wanted) << std::flush;
    }
    if (!typed.output.empty())
      if (const std::string not_drawn = write_comparison(typed.output, request, done, catalog);
          !not_drawn.empty())
        console.err << "catena: " << not_drawn << '\n';
    if (interrupted) {
      console.err << "catena: interrupted; the rows above are complete\n";
      return exit_code_of_signal(console);
    }
    if (again) console.out << compared_with_earlier(typed.again, done) << '\n';
    return write_report(typed.report, typed.output, catalog, console, exit_ok);
  } catch (...) {
    return refused(console);
  }
}

}  // namespace catena::detail
