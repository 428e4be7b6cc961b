// Whether the steps of a method of order 1 are short enough for what it shows to be the motion. Its step from t leaves
// h^2 v''/2 behind in v; oscillations of that are damped or fed as if a damper or a motor were there, and the run continues
// smoothly with another motion. The sum over the run is compared with the mean speed.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <string>
#include <vector>

namespace catena::detail {

class StepErrors {
 public:
  // Watches methods of order 1 that do not control their error, no other.
  void attach(const System& system, const Stepper& stepper, const State& state);
  // After each step of size h.
  void add(const State& state, double h);
  // After a change from outside: what follows is compared with this state.
  void begin_anew(const State& state);
  // Empty, or a sentence.
  std::string remark() const;

 private:
  const System* system_ = nullptr;  // null: nothing is watched
  std::vector<double> v_, rate_, sum_, path_;
  double h_ = 0.0;         // of the last step; 0: there was none
  double duration_ = 0.0;  // of all
  long steps_ = 0;
};

}  // namespace catena::detail
