// The folder of a run: run.json, which says what was asked for, copies of the model files that were read (model/), the
// results, and the last two checkpoints.
#pragma once
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/parts/run_context.hpp>
#include <catena/experiment/scenario.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

struct FoundCheckpoint {
  std::optional<Checkpoint> checkpoint;
  std::filesystem::path file;
  std::vector<std::string> refused;  // "FILE: reason", newest first
};

inline constexpr const char* failure_file = "failure.json";
inline constexpr const char *error_bars_csv = "error_bars.csv", *error_bars_h5 = "error_bars.h5";

// What was asked for, without what belongs to one process alone.
struct FolderRequest {
  Scenario scenario;
  RunSettings settings;
  bool error_bars = false;  // are to be measured when the run has ended
};

class RunFolder {
 public:
  // The folder need not exist yet.
  explicit RunFolder(std::filesystem::path path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();  // unlocks the folder

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path request_file() const { return path_ / "run.json"; }

  // Keeps other processes from running in the folder, which must exist. Throws SinkError where one is.
  void lock();
  // Makes and locks the folder, removes the checkpoints of the run before and, where it is to be overwritten, its
  // results, copies the model files, the one that was asked for first, and writes run.json. Throws SinkError.
  void begin(const FolderRequest& request, const std::vector<std::string>& model_files);
  // Writes into run.json what a resumed run may change: its end, threads and checkpoints. Throws SinkError.
  void update(const FolderRequest& request) const;
  // What run.json says; a model file is read from its copy. Throws UsageError with the reason.
  FolderRequest request() const;

  // Newest first.
  std::vector<std::filesystem::path> checkpoints() const;
  // The newest checkpoint that can be read and belongs to the run.
  // like: a state of the sizes of the run, with the discrete values of its controllers.
  FoundCheckpoint find(const Identity& identity, const State& like);
  // Writes the next one and removes all but it and the last that was found or written. Returns the file. Throws
  // SinkError.
  std::filesystem::path add(const Checkpoint& checkpoint);
  // failure.json. Throws SinkError.
  std::filesystem::path write_failure(const std::string& json) const;
  void remove_outdated() const;  // the failure and the error bars of the run before it was resumed

 private:
  std::filesystem::path path_;
  int lock_ = -1;                // descriptor of the folder
  std::filesystem::path sound_;  // the last checkpoint known to be one
};

// What an earlier run has left in a folder: "the results of a run of helix_chain with n=20", "results.h5"; empty: nothing
// that a run would replace.
std::string earlier_results(const std::filesystem::path& folder);
// The names that a run writes or removes, relative to its folder; `*` means digits. format: as of RunSettings.
std::vector<std::string> names_of_run(const std::string& format, const std::vector<std::string>& model_files);
// Of these names, what is there and belongs to no run: files.json does not list it, it is a link, or it is no frame or
// no checkpoint of the run that lists its name.
std::vector<std::string> foreign_names(const std::filesystem::path& folder,
                                       const std::vector<std::string>& names);
// A model file and the name of its copy in the folder of a run: below model/, in their places relative to each other.
struct ModelCopy {
  std::filesystem::path source, name;
};
std::vector<ModelCopy> model_copies(const std::vector<std::string>& files);
// What of a state is not of the size that the system has, as `like`; empty: nothing. The stepper compares its memory itself.
std::string misfit_of(const State& state, const State& like);
// Of checkpoint-N; nothing for other files.
std::optional<long> checkpoint_number(const std::filesystem::path& file);
// By its first bytes.
bool is_checkpoint(const std::filesystem::path& file);
// Removes these files, and the folders between them and `folder` that are empty then. Throws SinkError.
void remove_files(const std::filesystem::path& folder, std::vector<std::string> names);

}  // namespace catena::detail
