// `catena run` and `catena resume`.
#pragma once
#include <catena/cli/cli.hpp>
#include <catena/experiment/run_context.hpp>
#include <catena/experiment/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena {

// `catena run`, as typed. Numbers stay text until they are checked against the listing of their option.
struct RunRequest {
  Scenario scenario = {};
  RunSettings settings = {};
  std::vector<std::string> parameters = {};  // --set key=value
  std::vector<std::string> options = {};     // --option key=value
  std::optional<std::string> step = {}, tolerance = {}, end = {}, every = {}, threads = {}, interval = {};
  std::optional<std::string> checkpoint = {};  // "10s"
  std::string json = {};                       // file or "-"; empty: none
};

// `catena resume`, as typed. What is not given stays as it was.
struct ResumeRequest {
  std::string folder = {};
  std::optional<std::string> threads = {}, end = {}, checkpoint = {};
  std::string json = {};  // file or "-"; empty: none
};

// Both run and report. They never throw: what the user did wrong is printed, and in the JSON where one was asked for.
ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console);
ExitCode resume_command(const ResumeRequest& request, const Catalog& catalog, const Console& console);

}  // namespace catena
