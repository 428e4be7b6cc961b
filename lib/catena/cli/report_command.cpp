#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/report_command.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/page_of_run.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/page_file.hpp>
#include <catena/study/detail/page_of_table.hpp>

#include <filesystem>
#include <ostream>

namespace catena::detail {
namespace {

namespace fs = std::filesystem;

// Why no page can be made in the place of this file; "": one can.
std::string why_no_page_at(const std::string& file) {
  const std::string why = why_no_page();
  return why.empty() ? why_not_replaced(file) : why;
}

void refuse_without_page(const std::string& file) {
  if (const std::string why = why_no_page_at(file); !why.empty())
    throw SinkError("cannot write " + file + ": " + why);
  if (const std::string why = unwritable(file); !why.empty())
    throw SinkError("cannot write " + file + ": " + why);
}

PageCard card_of(const fs::path& folder, const Catalog& catalog) {
  if (!fs::is_directory(folder))
    throw UsageError(folder.string() +
                     " is no folder: a report is made from folders that run, sweep, compare or scale "
                     "have written with --output");
  if (std::string table = page_of_table(folder); !table.empty()) return {std::move(table), {}};
  return page_of_run(folder, catalog);
}

std::string name_of_folder(const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(folder);
  return whole.filename().string();
}

}  // namespace

ExitCode report_command(const ReportRequest& request, const Catalog& catalog, const Console& console) {
  const std::string file =
      request.output.empty() ? (fs::path(request.folders.front()) / "report.html").string() : request.output;
  refuse_without_page(file);
  std::vector<std::string> cards;
  std::string title;
  for (const std::string& folder : request.folders) {
    PageCard card = card_of(folder, catalog);
    if (!card.remark.empty()) console.err << "catena: " << folder << ": " << card.remark << '\n';
    cards.push_back(std::move(card.json));
    title += (title.empty() ? "" : ", ") + name_of_folder(folder);
  }
  write_page(file, title, cards);
  console.out << file << '\n';
  return exit_ok;
}

ExitCode view_command(const ViewRequest& request, const Catalog& catalog, const Console& console) {
  if (const fs::path what = request.what; what.filename() == "results.h5" && fs::is_regular_file(what)) {
    const fs::path folder = what.parent_path();
    return view_command({folder.empty() ? "." : folder.string(), request.parameters, request.output}, catalog,
                        console);
  }
  if (fs::is_directory(request.what)) {
    if (!request.parameters.empty())
      throw UsageError("--set " + request.parameters.front() + ": the results in " + request.what +
                       " were computed already; it is for problems and model files");
    return report_command({{request.what}, request.output}, catalog, console);
  }
  const std::string file =
      request.output.empty() ? fs::path(request.what).stem().string() + ".html" : request.output;
  refuse_without_page(file);
  const Scenario scenario{.problem = request.what, .parameters = parse_settings(request.parameters, "--set")};
  const PageCard card = page_of_problem(scenario, catalog);
  write_page(file, fs::path(request.what).stem().string(), {card.json});
  console.out << file << '\n';
  return exit_ok;
}

void check_report(const std::string& report, const std::string& output) {
  if (report.empty()) return;
  if (output.empty())
    throw UsageError("--report " + report + " needs --output DIR: the report is made from its files");
  if (const std::string why = why_no_page_at(report); !why.empty())
    throw SinkError("cannot write " + report + ": " + why + "; nothing was run");
  // A file inside the folder of the output, which need not exist yet, is found out after the work.
  std::error_code error;
  if (fs::is_directory(fs::path(report).parent_path(), error) || !fs::path(report).has_parent_path())
    if (const std::string why = unwritable(report); !why.empty())
      throw SinkError("cannot write " + report + ": " + why + "; nothing was run");
}

ExitCode write_report(const std::string& report, const std::string& output, const Catalog& catalog,
                      const Console& console, ExitCode code) {
  if (report.empty() || !fs::is_directory(output)) return code;
  try {
    report_command({{output}, report}, catalog, console);
    return code;
  } catch (const std::exception& error) {
    console.err << signed_lines(error.what());
    return code == exit_ok ? exit_cannot_write : code;
  }
}

}  // namespace catena::detail
