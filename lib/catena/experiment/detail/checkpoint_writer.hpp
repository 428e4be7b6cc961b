// Writes the checkpoints of a run into its folder, at intervals of the clock.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace catena::detail {

class CheckpointWriter : public CheckpointKeeper, public Sink {
 public:
  // All that is referred to outlives the writer.
  // model_files: what the model was read from, the file that was asked for first.
  CheckpointWriter(RunFolder& folder, FolderRequest request, std::vector<std::string> model_files,
                   Identity identity, std::function<std::vector<double>()> observed);

  // As the first sink: the folder and run.json before any results.
  void begin(const System& system) override;
  void resume(const System& system, const State& state, double last) override;
  void accept(const State&, const Outcome&) override { advanced_ = true; }

  bool due() override;
  void save(const State& state, const RunState& run) override;

  // What is in the folder whatever happens now, for people who read why a run ended; empty before begin().
  std::string summary() const;
  // Before the run: the checkpoint that it is resumed from.
  void resumed_from(const std::filesystem::path& file, double t);

 private:
  using Clock = std::chrono::steady_clock;
  RunFolder& folder_;
  const FolderRequest request_;
  std::vector<std::string> model_files_;
  Identity identity_;
  bool begun_ = false;                             // the folder is this run's
  bool resumed_ = false;                           // from a checkpoint of an earlier run
  bool advanced_ = false;                          // to an output of its own
  std::function<std::vector<double>()> observed_;  // what observers remember
  Clock::time_point written_ = Clock::now();
  std::filesystem::path last_;
  double t_ = 0.0;  // [s] of the last one
};

}  // namespace catena::detail
