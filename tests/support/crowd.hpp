// Who comes to work in the arena.
#pragma once
#include <catena/math/parts/threads.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>

namespace catena_test {

// The threads that a loop runs on. Every body waits until `wanted` of them have come, for a while at most: a loop on
// fewer threads than it was promised ends too, and is seen in the count.
class Crowd {
 public:
  explicit Crowd(int wanted) : wanted_(static_cast<std::size_t>(wanted)) {}
  void meet() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      seen_.insert(std::this_thread::get_id());
      count_ = seen_.size();
    }
    while (count_ < wanted_ && std::chrono::steady_clock::now() < end_) std::this_thread::yield();
  }
  int count() const { return static_cast<int>(count_); }

 private:
  std::size_t wanted_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::mutex mutex_;
  std::set<std::thread::id> seen_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace catena_test
