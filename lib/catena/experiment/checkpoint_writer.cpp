#include <catena/experiment/detail/checkpoint_writer.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena::detail {

CheckpointWriter::CheckpointWriter(RunFolder& folder, FolderRequest request,
                                   std::vector<std::string> model_files, Identity identity,
                                   std::function<std::vector<double>()> observed)
    : folder_(folder),
      request_(std::move(request)),
      model_files_(std::move(model_files)),
      identity_(std::move(identity)),
      observed_(std::move(observed)) {}

void CheckpointWriter::begin(const System&) {
  folder_.begin(request_, model_files_);
  begun_ = true;
}

void CheckpointWriter::resume(const System&, const State&, double) {
  folder_.update(request_);
  begun_ = resumed_ = true;
}

bool CheckpointWriter::due() {
  const double interval = request_.settings.checkpoint.value_or(0.0);
  return interval > 0.0 && std::chrono::duration<double>(Clock::now() - written_).count() >= interval;
}

void CheckpointWriter::save(const State& state, const RunState& run) {
  last_ = folder_.add({.identity = identity_, .state = state, .run = run, .observed = observed_()});
  t_ = state.t;
  written_ = Clock::now();
}

std::string CheckpointWriter::summary() const {
  const std::string folder = folder_.path().string();
  if (last_.empty())
    return begun_ ? fmt::format("no checkpoint had been written: catena resume {} begins anew", folder) : "";
  if (resumed_ && !advanced_)  // it would be refused again
    return fmt::format(
        "nothing was computed, and the checkpoint {} at t = {} s stays; put the file back as the run left it "
        "and resume again, or begin anew with `catena run`, its --output {} and --overwrite",
        last_.string(), t_, folder);
  return fmt::format(
      "results up to the checkpoint {} at t = {} s are saved: catena resume {} continues from there",
      last_.string(), t_, folder);
}

void CheckpointWriter::resumed_from(const std::filesystem::path& file, double t) {
  last_ = file;
  t_ = t;
}

}  // namespace catena::detail
