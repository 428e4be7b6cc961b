#pragma once
#include <catena/cli/cli.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena {

// `catena run`, as typed. Numbers stay text until they are checked against the listing of their option.
struct RunRequest {
  std::string problem;
  std::vector<std::string> parameters;  // --set key=value
  std::string stepper, backend;         // empty: the default
  std::vector<std::string> options;     // --option key=value
  std::optional<std::string> step, end, every, threads, format, interval;
  std::string output;                     // folder; empty: none
  bool overwrite = false;                 // the results of an earlier run that are in it
  std::optional<std::string> checkpoint;  // how often, "10s"; needs output. Without: at the end alone
  std::string json;                       // file or "-"; empty: none
};

// Runs and reports. Never throws: what the user did wrong is printed, and told in the JSON where one was asked for.
// resumes: goes on from the newest sound checkpoint in request.output.
ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console,
                     bool resumes = false);

}  // namespace catena
