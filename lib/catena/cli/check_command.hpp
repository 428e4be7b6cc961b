#pragma once
#include <catena/cli/cli.hpp>

#include <string>
#include <vector>

namespace catena {

// `catena check`, as typed.
struct CheckRequest {
  std::string problem;                  // its name
  std::vector<std::string> parameters;  // --set key=value
  std::string json;                     // file or "-"; empty: none
};

// Looks a problem over without running it. exit_ok: fit to run; exit_run_ended_early: something would make a run fail
// or wrong; exit_bad_input: there is nothing to look at. Never throws: what the user did wrong is printed.
ExitCode check_command(const CheckRequest& request, const Catalog& catalog, const Console& console);

}  // namespace catena
