#pragma once
#include <catena/cli/cli.hpp>

#include <optional>
#include <string>

namespace catena {

// `catena resume`, as typed. What is not said stays as it was.
struct ResumeRequest {
  std::string folder;
  std::optional<std::string> threads, end, checkpoint;
  std::string json;  // file or "-"; empty: none
};

// Goes on with the run of a folder and reports. Never throws.
ExitCode resume_command(const ResumeRequest& request, const Catalog& catalog, const Console& console);

}  // namespace catena
