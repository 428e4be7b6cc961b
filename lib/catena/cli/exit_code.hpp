// How the program ends, for scripts. docs/reference/command_line.md says the same.
#pragma once

namespace catena {

enum ExitCode : int {
  exit_ok = 0,
  exit_run_ended_early = 1,  // a numerical status; the result so far is written
  exit_bad_input = 2,        // usage, model or parameters
  exit_cannot_write = 3,     // a file of the output
  exit_interrupted = 130     // Ctrl-C; the result so far is written
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
    case exit_interrupted:
      return "interrupted; the result so far is written";
  }
  return "";
}

}  // namespace catena
