// Adds the seconds of its own life to a counter.
#pragma once
#include <chrono>

namespace catena::detail {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class PhaseTimer {
 public:
  explicit PhaseTimer(double& counter) : counter_(counter), begin_(seconds_now()) {}
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;
  ~PhaseTimer() { counter_ += seconds_now() - begin_; }

 private:
  double& counter_;
  double begin_;
};

}  // namespace catena::detail
