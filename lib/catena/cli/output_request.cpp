#include <catena/cli/earlier_run.hpp>
#include <catena/cli/number.hpp>
#include <catena/cli/output_request.hpp>
#include <catena/cli/usage_error.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>

namespace catena {

void refuse_without_output(const RunRequest& typed, const std::string& folder) {
  if (!folder.empty()) return;
  Complaints complaints;
  if (typed.format) complaints.add("--format needs --output DIR, the folder for the results");
  if (typed.interval) complaints.add("--interval needs --output DIR, the folder for the results");
  complaints.throw_if_any();
}

void spare_earlier_run(const std::string& folder, bool overwrite, bool resumes) {
  if (overwrite && folder.empty())
    throw UsageError("--overwrite needs --output DIR, the folder whose results are to go");
  if (folder.empty() || overwrite || resumes) return;
  const std::string earlier = earlier_run(folder);
  if (!earlier.empty())
    throw UsageError(
        fmt::format("--output {0}: the folder holds {1}; name another folder, go on with that run by "
                    "`catena resume {0}`, or replace it with --overwrite",
                    folder, earlier));
}

void refuse_pipes(const std::string& folder, const std::vector<std::string>& model_files) {
  for (const std::string& file : model_files)
    if (std::error_code error; !std::filesystem::is_regular_file(file, error))
      throw UsageError(
          fmt::format("--output {} keeps a copy of the model, and {} can be read only once: write the "
                      "model to a file first",
                      folder, file));
}

double checkpoint_interval(const std::string& text, const std::string& folder) {
  const std::optional<double> interval = parse_duration(text);
  if (!interval)
    throw UsageError(fmt::format(
        "--checkpoint {}: a time is a number with s, min, h or nothing (seconds) behind it, \"10s\" say",
        text));
  if (folder.empty()) throw UsageError("--checkpoint needs --output DIR, the folder for the checkpoints");
  return *interval;
}

}  // namespace catena
