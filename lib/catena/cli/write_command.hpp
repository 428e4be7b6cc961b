#pragma once
#include <catena/cli/cli.hpp>

#include <string>
#include <vector>

namespace catena {

struct WriteRequest {
  std::string problem;                  // or a model file
  std::vector<std::string> parameters;  // --set key=value
  std::string output;                   // file; empty or "-": stdout
};

// `catena write`: the model of a problem, or of a file with all that it includes and repeats, as one plain model file.
ExitCode write_command(const WriteRequest& request, const Catalog& catalog, const Console& console);

}  // namespace catena
