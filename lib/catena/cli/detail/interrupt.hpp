// Ctrl-C as a flag that a run can look at.
#pragma once
#include <atomic>

namespace catena::detail {

// While it lives, SIGINT and SIGTERM set flag(); a second one ends the process at once, as usual. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  ~InterruptFlag();

  static const std::atomic<bool>& flag();

 private:
  using Handler = void (*)(int);
  Handler interrupt_before_, terminate_before_;
};

}  // namespace catena::detail
