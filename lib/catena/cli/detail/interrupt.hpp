// Signals that end a run as flags that it can look at.
#pragma once
#include <atomic>

namespace catena::detail {

// While it lives, SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGXCPU and SIGUSR1 set flag() where somebody listens, and end the
// process at once where nobody does: before a run begins there is nothing to save. A second SIGINT, SIGTERM or SIGHUP
// ends the process at once in any case. Signals that were ignored, by nohup say, stay ignored. A file at the limit of
// its size (SIGXFSZ) is an error of writing. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  ~InterruptFlag();

  static const std::atomic<bool>& flag();
  static const std::atomic<int>& signal();  // that has set the flag; 0: none

 private:
  using Handler = void (*)(int);
  static constexpr int count = 5;
  Handler before_[count], file_size_before_;
};

// From now on somebody looks at the flag, until it is gone.
class ListenToSignals {
 public:
  ListenToSignals();
  ListenToSignals(const ListenToSignals&) = delete;
  ListenToSignals& operator=(const ListenToSignals&) = delete;
  ~ListenToSignals();
};

}  // namespace catena::detail
