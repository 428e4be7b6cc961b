// `catena report` and `catena view`, and the option --report of other commands.
#pragma once
#include <catena/cli/cli.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// `catena report`, as typed.
struct ReportRequest {
  std::vector<std::string> folders = {};  // of run, sweep, compare, scale
  std::string output = {};                // file; empty: report.html in the first folder
};

// `catena view`, as typed.
struct ViewRequest {
  std::string what = {};                     // a folder of results, a model file or a problem
  std::vector<std::string> parameters = {};  // --set key=value
  std::string output = {};                   // file; empty: report.html in the folder, or NAME.html
};

// Both write one HTML file and print its name. exit_bad_input for folders that hold nothing to show; exit_cannot_write
// where the file cannot be written, or this build has no page. Throw UsageError, FileError and SinkError.
ExitCode report_command(const ReportRequest& request, const Catalog& catalog, const Console& console);
ExitCode view_command(const ViewRequest& request, const Catalog& catalog, const Console& console);

// Before hours of work: throws UsageError where --report is given without --output, whose files the report is made from, and
// SinkError where its file could not be written.
void check_report(const std::string& report, const std::string& output);
// After the work; nothing where report is empty or the folder holds nothing yet. Never throws: what is wrong is printed, and
// the exit code is `code`, or exit_cannot_write in place of exit_ok.
ExitCode write_report(const std::string& report, const std::string& output, const Catalog& catalog,
                      const Console& console, ExitCode code);

}  // namespace catena::detail
