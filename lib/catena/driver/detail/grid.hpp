// The instants of a run with a fixed step.
#pragma once

namespace catena::detail {

inline constexpr double most_steps = 1e15;  // of a grid: beyond it neighbouring instants are equal
inline constexpr int most_cuts = 30;        // of one of its steps, by half each time

// Equal steps from t_begin to t_end, both hit exactly. Where the interval is no multiple of the wanted step,
// the steps are shortened alike, since a last step of its own size would cost methods with a memory their
// order, and a sliver would ill-condition the rows divided by h^2.
class Grid {
 public:
  // wanted_step: [s] > 0, t_end >= t_begin. A quotient within 1e-6 of a whole number counts as that number.
  Grid(double t_begin, double t_end, double wanted_step);

  long steps() const { return steps_; }
  double step() const { return step_; }  // [s] the size of every step
  double instant(long k) const;          // [s] k = 0 ... steps()

 private:
  double begin_, end_, step_;
  long steps_;
};

}  // namespace catena::detail
