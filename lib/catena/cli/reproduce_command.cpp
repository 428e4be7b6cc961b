#include <catena/cli/cli.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/nearest.hpp>

#include <filesystem>
#include <memory>
#include <ostream>

namespace catena::detail {
namespace {

std::vector<const StudyEntry*> wanted(const std::string& name, const Catalog& catalog) {
  std::vector<const StudyEntry*> found;
  std::vector<std::string> names{"all"};
  for (const StudyEntry& study : catalog.studies()) {
    if (name == "all" || name == study.name) found.push_back(&study);
    names.push_back(study.name);
  }
  if (found.empty()) throw UsageError(unknown_name("study", name, names));
  return found;
}

}  // namespace

int reproduce_command(const ReproduceRequest& request, const Catalog& catalog, const Console& console) {
  std::vector<std::string> failures;
  int comparisons = 0;
  const ListenToSignals listen;
  const auto interrupted = [&] { return console.stop != nullptr && console.stop->load(); };
  try {
    const std::vector<const StudyEntry*> studies = wanted(request.study, catalog);
    const auto report_of = [&](const StudyEntry& study) {
      std::filesystem::path folder;
      if (!request.output.empty()) folder = std::filesystem::path(request.output) / study.name;
      return std::make_unique<StudyReport>(console.out, folder, request.quick);
    };
    for (const StudyEntry* study : studies) report_of(*study)->check_folder();
    for (const StudyEntry* study : studies) {
      if (interrupted()) return exit_code_of_signal(console);
      const std::unique_ptr<StudyReport> made = report_of(*study);
      StudyReport& report = *made;
      try {
        const StopScope scope(console.stop);
        study->run(report);
      } catch (const StopScope::Stopped&) {
        report.paragraph("Interrupted: what is above is complete, what follows was not run.");
        report.finish();
        return exit_code_of_signal(console);
      }
      report.finish();
      comparisons += report.comparisons();
      for (const std::string& f : report.failures()) failures.push_back(study->name + ": " + f);
    }
  } catch (const SinkError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_cannot_write;
  }
  if (interrupted()) return exit_code_of_signal(console);
  if (request.study == "all")
    console.out << '\n'
                << comparisons << " figures and errors in all, " << failures.size() << " not as expected\n";
  return failures.empty() ? exit_ok : exit_run_ended_early;
}

}  // namespace catena::detail
