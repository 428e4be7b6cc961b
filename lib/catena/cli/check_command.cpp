#include <catena/cli/detail/check_report.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/scenario_file.hpp>
#include <catena/output/detail/version.hpp>

#include <exception>
#include <optional>
#include <ostream>
#include <utility>

namespace catena::detail {
namespace {

const char* words(ExitCode code) {
  switch (code) {
    case exit_ok:
      return "fit to run";
    case exit_run_ended_early:
      return "not fit to run";
    default:
      return to_string(code);
  }
}

// What the file adds: the places of its joints, and what contradicts its assembly.
void locate(const ModelFile& file, CheckReport& report) {
  for (std::vector<Violation>* list : {&report.position_violations, &report.velocity_violations})
    for (Violation& v : *list)
      if (const auto k = static_cast<std::size_t>(v.constraint); k < file.constraint_nodes.size())
        v.place = place(file.constraint_nodes[k]);
  if (!file.assembly_failure.empty()) report.errors.push_back(file.assembly_failure);
  report.assembled = file.assembled;
  report.assembly_velocity_change = file.assembly.largest_velocity_change;
  for (const ModelFile::Disagreement& d : file.disagreements)
    report.disagreements.push_back({.name = d.name, .place = place(d.at), .by = d.by});
}

}  // namespace

ExitCode check_command(const CheckRequest& request, const Catalog& catalog, const Console& console) {
  CheckReport report;
  report.problem = request.problem;
  report.version = version();
  ExitCode code = exit_bad_input;
  std::string refusal;
  bool in_file = false;  // the refusal begins with file and line
  try {
    const Scenario asked{.problem = request.problem,
                         .parameters = parse_settings(request.parameters, "--set")};
    std::optional<ScenarioFile> file;
    OpenedProblem opened;
    if (names_model_file(asked.problem)) {
      file = read_scenario_file(asked.problem, catalog, asked.parameters, {.open_joints = true});
      opened = std::move(file->opened);
    } else {
      opened = open_problem(asked, catalog);
    }
    set_parameters(opened, asked);
    Problem& problem = *opened.problem;
    report.parameters = option_values([&](OptionVisitor& v) { problem.visit(v); });
    if (file) report.remedy = file->file.assembled ? "correct them" : "correct them, or write assemble: true";
    if (file) {
      const auto& disagreements = file->file.assembly.disagreements;
      report.rates_disagree = !disagreements.empty() && disagreements.front().of_rate;
    }
    inspect(problem, catalog, report);
    if (file) locate(file->file, report);
    report.moves = opened.moved;
    // What the run section of the file asks for beside a stepper: quantities, reactions.
    if (report.fit()) {
      Complaints complaints;
      set_up(asked, {}, catalog, complaints);
      if (!complaints.text().empty()) report.errors.push_back(complaints.text());
    }
    code = report.fit() ? exit_ok : exit_run_ended_early;
  } catch (const std::bad_alloc&) {
    refusal = "not enough memory for this problem";
  } catch (const ModelFileError& error) {
    in_file = true;
    refusal = error.what();
  } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
    refusal = error.what();
  }
  if (!refusal.empty()) report.errors.push_back(refusal);
  report.exit_status = code;
  report.exit_text = words(code);
  const bool json_to_out = request.json == "-";
  if (!request.json.empty() && !json_to_out && !write_text(request.json, to_json(report))) {
    console.err << "catena: cannot write " << request.json << '\n';
    code = exit_cannot_write;
  }
  if (!refusal.empty())
    console.err << (in_file ? refusal + '\n' : signed_lines(refusal));
  else
    (json_to_out ? console.err : console.out) << to_text(report);
  if (json_to_out) console.out << to_json(report) << std::flush;
  return code;
}

}  // namespace catena::detail
