// Which rows are running, in a file that outlives the process: what a process that is killed leaves there was running.
#pragma once
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <vector>

namespace catena::detail {

// Nothing is asked of the disk: a kill leaves what was written to the system, and a power cut is no row's fault.
class RunningRows {
 public:
  // Reads what is left there. file: empty: nothing is kept. Throws SinkError.
  explicit RunningRows(std::filesystem::path file);
  ~RunningRows();  // nothing runs any more
  RunningRows(const RunningRows&) = delete;
  RunningRows& operator=(const RunningRows&) = delete;

  const std::vector<std::size_t>& left() const { return left_; }  // by a process that was killed
  void forget_left();
  // From any thread.
  void begin(std::size_t row);
  void end(std::size_t row);
  // What runs now is no suspect, though its process ends. From any thread.
  void forget_running();
  // What runs now was running when its process was killed, as far as the next process can know.
  void leave() { left_behind_ = true; }

 private:
  void write(std::size_t slot, std::size_t content) const;

  std::filesystem::path path_;
  int file_ = -1;
  bool left_behind_ = false;
  std::vector<std::size_t> left_;
  std::mutex mutex_;
  std::vector<std::size_t> slots_;  // row + 1; 0: free
};

}  // namespace catena::detail
