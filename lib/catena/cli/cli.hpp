// The command line as a library.
#pragma once
#include <catena/cli/builtin.hpp>
#include <catena/cli/exit_code.hpp>
#include <catena/experiment/catalog.hpp>

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

namespace catena {

// Where a command writes to and who may stop it.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool progress = false;  // a progress bar on err
  const std::atomic<bool>* stop = nullptr;
};

// The program: Ctrl-C ends a run cleanly, the second one at once. Returns the exit code.
int cli(int argc, char** argv, const Catalog& catalog);

// The same without a process: arguments without the program's name, no signal handlers.
int cli(const std::vector<std::string>& arguments, const Catalog& catalog, const Console& console);

}  // namespace catena
