// Runs that somebody else starts, a study say, and that are to end when a flag is set: while a scope lives, every run()
// of its thread that the flag interrupts ends by throwing Stopped instead of handing back half a result.
#pragma once
#include <atomic>
#include <exception>

namespace catena::detail {

class StopScope {
 public:
  struct Stopped : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
  };

  // stop: null: nothing ends. Must outlive the scope.
  explicit StopScope(const std::atomic<bool>* stop) : outer_(flag()) { flag() = stop; }
  ~StopScope() { flag() = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // Of the innermost scope of this thread.
  static bool requested() { return flag() != nullptr && flag()->load(std::memory_order_relaxed); }
  // Throws Stopped where it is.
  static void check() {
    if (requested()) throw Stopped();
  }

 private:
  static const std::atomic<bool>*& flag();

  const std::atomic<bool>* outer_;
};

}  // namespace catena::detail
