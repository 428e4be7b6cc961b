// Writes the checkpoints of a run into its folder, every so often by the clock.
#pragma once
#include <catena/cli/run_folder.hpp>
#include <catena/driver/sink.hpp>
#include <catena/measure/monitor.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace catena {

class FolderKeeper : public CheckpointKeeper, public Sink {
 public:
  // interval: [s] of the wall clock; 0: at the end of the run alone. All that is referred to outlives the keeper.
  // model_files: what the model was read from, the file that was asked for first.
  FolderKeeper(RunFolder& folder, const RunRequest& request, std::vector<std::string> model_files,
               Identity identity, double interval, const Monitor& monitor);

  // As the first sink: the folder and run.json before any results.
  void begin(const System& system) override;
  void resume(const System& system, const State& state, double last) override;
  void accept(const State&, const Outcome&) override { went_on_ = true; }

  bool due() override;
  void save(const State& state, const RunState& run) override;

  // What stands in the folder whatever happens now, for people who read why a run ended; empty before begin().
  std::string standing() const;
  const std::filesystem::path& last() const { return last_; }  // empty: none yet
  // Before the run: the checkpoint that it goes on from.
  void goes_on_from(const std::filesystem::path& file, double t);

 private:
  using Clock = std::chrono::steady_clock;
  RunFolder& folder_;
  const RunRequest& request_;
  std::vector<std::string> model_files_;
  Identity identity_;
  bool begun_ = false;  // the folder is this run's
  bool resumed_ = false,
       went_on_ = false;  // behind the checkpoint of an earlier run; to an output of its own
  const double interval_;
  const Monitor& monitor_;
  Clock::time_point written_ = Clock::now();
  std::filesystem::path last_;
  double t_ = 0.0;  // [s] of the last one
};

}  // namespace catena
