#include <catena/cli/cli.hpp>
#include <catena/cli/reproduce_command.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/nearest.hpp>

#include <filesystem>
#include <ostream>

namespace catena {
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
  const auto interrupted = [&] { return console.stop != nullptr && console.stop->load(); };
  try {
    for (const StudyEntry* study : wanted(request.study, catalog)) {
      if (interrupted()) return exit_interrupted;
      std::filesystem::path folder;
      if (!request.output.empty()) folder = std::filesystem::path(request.output) / study->name;
      StudyReport report(console.out, folder, request.quick);
      study->run(report);
      report.finish();
      comparisons += report.comparisons();
      for (const std::string& f : report.failures()) failures.push_back(study->name + ": " + f);
    }
  } catch (const SinkError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_cannot_write;
  }
  if (interrupted()) return exit_interrupted;
  if (request.study == "all")
    console.out << '\n'
                << comparisons << " figures and errors in all, " << failures.size() << " not as expected\n";
  return failures.empty() ? exit_ok : exit_run_ended_early;
}

}  // namespace catena
