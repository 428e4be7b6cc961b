// The initial state of a system, at which steppers measure the scale of their matrices: a function of the system
// alone, whatever State a run continues from.
#pragma once
#include <catena/system/system.hpp>

namespace catena::detail {

class InitialPoint {
 public:
  // t, q and v; discrete values as initial_state() has them. Allocates at the first call and after release().
  Point of(const System& system) {
    if (!held_) {
      State s = system.initial_state();
      t_ = s.t;
      q_.swap(s.q);
      v_.swap(s.v);
      held_ = true;
    }
    Point at;
    at.t = t_;
    at.q = q_.data();
    at.v = v_.data();
    return at;
  }
  // Gives the arrays back, where no step will ask again.
  void release() { *this = InitialPoint(); }

 private:
  bool held_ = false;
  double t_ = 0.0;
  std::vector<double> q_, v_;
};

}  // namespace catena::detail
