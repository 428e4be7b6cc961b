#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/experiment/detail/failure_record.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <ostream>
#include <system_error>

namespace catena::detail {

ExitCode replay_command(const ReplayRequest& request, const Catalog& catalog, const Console& console) {
  Complaints complaints;
  ReplayChanges changes{.backend = request.backend};
  complaints.attempt([&] { changes.options = parse_settings(request.options, "--option"); });
  if (request.step)
    complaints.attempt([&] {
      RunOptions run;
      set_option([&](OptionVisitor& v) { visit(v, run); }, "step", *request.step, "--step " + *request.step);
      changes.step = run.step;
    });
  complaints.throw_if_any();
  std::filesystem::path file = request.file;
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) file /= "failure.json";  // the folder of the run
  const FailureRecord record = read_failure(file, catalog);
  const Replay again = replay(record, changes, catalog);

  std::ostream& out = request.json == "-" ? console.err : console.out;
  out << "the run ended with " << record.termination << '\n';
  if (!again.remark.empty()) out << again.remark << '\n';
  for (const std::string& line : again.lines) out << line << '\n';
  const Outcome& outcome = again.examined.outcome;
  const Culprit& culprit = outcome.culprit;
  if (outcome.status != Status::ok && !culprit.why.empty())
    out << fmt::format("  {}: {}\n", culprit.name, culprit.why);
  else if (outcome.status != Status::ok && !culprit.quantity.empty())
    out << fmt::format("  {} {:.3g} of {}\n", culprit.quantity,
                       std::isnan(culprit.value) ? std::abs(culprit.value) : culprit.value, culprit.name);
  if (request.json == "-") console.out << again.json;
  if (!request.json.empty() && request.json != "-" && !write_text(request.json, again.json)) {
    console.err << "catena: cannot write " << request.json << '\n';
    return exit_cannot_write;
  }
  return outcome.status == Status::ok ? exit_ok : exit_run_ended_early;
}

}  // namespace catena::detail
