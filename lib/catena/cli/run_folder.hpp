// The folder of a run that survives: run.json, which says what was asked for, copies of the model files that were
// read (model/), and the last two checkpoints.
#pragma once
#include <catena/cli/run_command.hpp>
#include <catena/driver/checkpoint.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace catena {

struct FoundCheckpoint {
  std::optional<Checkpoint> checkpoint;
  std::filesystem::path file;
  std::vector<std::string> refused;  // "FILE: reason", newest first
};

class RunFolder {
 public:
  // The folder need not exist yet.
  explicit RunFolder(std::filesystem::path path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();  // lets others in

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path request_file() const { return path_ / "run.json"; }

  // Keeps other processes from running in the folder, which must exist. Throws SinkError where one is.
  void lock();
  // Makes and locks the folder, removes the checkpoints of the run before and, where it is to be overwritten, its
  // results, copies the model files, the one that was asked for first, and writes run.json. Throws SinkError.
  void begin(const RunRequest& request, const std::vector<std::string>& model_files);
  // Writes into run.json what a run that goes on may change: its end, threads and checkpoints. Throws SinkError.
  void update(const RunRequest& request) const;
  // What run.json says; a model file is read from its copy. Throws UsageError with the reason.
  RunRequest request() const;

  // Newest first.
  std::vector<std::filesystem::path> checkpoints() const;
  // The newest checkpoint that can be read and belongs to the run.
  FoundCheckpoint find(const Identity& identity);
  // Writes the next one and removes all but it and the last that was found or written. Returns the file. Throws
  // SinkError.
  std::filesystem::path add(const Checkpoint& checkpoint);

 private:
  std::filesystem::path path_;
  int lock_ = -1;                // descriptor of the folder
  std::filesystem::path sound_;  // the last checkpoint known to be one
};

}  // namespace catena
