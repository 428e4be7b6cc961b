// A guard that a stepper asks itself, within an attempt: its mode, and the count of what it found.
#pragma once
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/stepper.hpp>

#include <cstddef>

namespace catena::detail {

class GuardDecision {
 public:
  // Adds its count to the statistics where it is not off.
  void attach(const GuardType& type, GuardMode mode, StepperStatistics& statistics) {
    mode_ = mode;
    statistics_ = &statistics;
    if (mode == GuardMode::off) return;
    count_ = statistics.guards.size();
    GuardCount count;
    count.name = type.name;
    count.reports = mode == GuardMode::report;
    statistics.guards.push_back(count);
  }
  bool looks() const { return mode_ != GuardMode::off; }
  bool is_on() const { return mode_ == GuardMode::on; }
  // Counts what was found in a step from t. True: the attempt fails of it.
  bool refuses(double t, const Culprit& why) {
    statistics_->guards[count_].add(t, why);
    return is_on();
  }

 private:
  GuardMode mode_ = GuardMode::off;
  StepperStatistics* statistics_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace catena::detail
