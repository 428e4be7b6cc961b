// The command line as a library.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/catalog.hpp>

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

namespace catena {

// How the program ends, for scripts. docs/reference/command_line.md says the same.
enum ExitCode : int {
  exit_ok = 0,
  exit_run_ended_early = 1,  // a numerical status; the result so far is written
  exit_bad_input = 2,        // usage, model or parameters
  exit_cannot_write = 3,     // a file of the output
  exit_remarks = 4,          // with --strict: the run reached its end, but there are remarks on its result
  exit_fewer_digits = 5,     // of --digits: the run reached its end, and has fewer
  exit_time_limit = 75,      // of a sweep: --time-limit is over, and rows are left
  exit_interrupted =
      130  // Ctrl-C; the result so far is written; of other signals 128 + their number, as in shells
};

inline const char* to_string(ExitCode code) {
  switch (code) {
    case exit_ok:
      return "the run reached its end";
    case exit_run_ended_early:
      return "the run ended early; the result so far is written";
    case exit_bad_input:
      return "the request makes no sense: usage, parameters or model";
    case exit_cannot_write:
      return "output could not be written";
    case exit_remarks:
      return "the run reached its end, with remarks on its result (--strict)";
    case exit_fewer_digits:
      return "the run reached its end, with fewer digits than --digits asks for";
    case exit_time_limit:
      return "the time is over, and rows are left: the same command continues";
    case exit_interrupted:
      break;
  }
  return "interrupted; the result so far is written";
}

// Where a command writes to and who may stop it.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool progress = false;  // a progress bar on err
  const std::atomic<bool>* stop = nullptr;
  const std::atomic<int>* signal = nullptr;  // that has set stop, for the exit code; null: SIGINT
};

// The program. SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 end a run cleanly, with a checkpoint; before a run
// they end the process. Returns the exit code.
int cli(int argc, char** argv, const Catalog& catalog);

// The same without a process: arguments without the program's name, no signal handlers.
int cli(const std::vector<std::string>& arguments, const Catalog& catalog, const Console& console);

}  // namespace catena
