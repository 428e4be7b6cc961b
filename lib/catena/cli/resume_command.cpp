#include <catena/cli/resume_command.hpp>
#include <catena/cli/run_folder.hpp>
#include <catena/cli/usage_error.hpp>

#include <ostream>

namespace catena {

ExitCode resume_command(const ResumeRequest& request, const Catalog& catalog, const Console& console) {
  RunRequest run;
  try {
    run = RunFolder(request.folder).request();
  } catch (const UsageError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_bad_input;
  }
  run.output = request.folder;
  run.json = request.json;
  if (request.threads) run.threads = request.threads;
  if (request.end) run.end = request.end;
  if (request.checkpoint) run.checkpoint = request.checkpoint;
  return run_command(run, catalog, console, true);
}

}  // namespace catena
