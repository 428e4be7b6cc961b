// What dampers have to do with the estimate of an error. Of M x'' = f(x, x') the stages of an implicit method damp the error
// (e, e') of a step as one step of implicit Euler of size s does:
//
//     (I - s J)^-1 (e, e'):   (M + s D + s^2 K) x = (M + s D) e + s M e',   D = -df/dv, K = -df/dq.
//
// Where a damper dominates the inertia, M e alone would be an error that the damper has nearly taken away, and the slow motion
// along it would go wrong by any multiple of the tolerance.
#pragma once
#include <catena/system/system.hpp>

#include <vector>

namespace catena::detail {

class ResistedError {
 public:
  // Whether forces may depend on velocities: of a model those that do work beside their potential, of other systems always.
  void attach(const System& system);
  // Whether there are forces that do work.
  bool resists() const { return resists_; }
  // Of a step.
  int evaluations() const { return resists_ ? 2 : 0; }
  // out [v_size] += unit D e / s = unit (r(v + e / s) - r(v)), r the balance: s D e where unit is s^2. A difference as large as
  // the error, and no derivative: a friction law may bend within it. Allocates when it is first called.
  void add(const Point& at, const double* e, double s, double unit, double* out);

 private:
  const System* system_ = nullptr;
  bool resists_ = false;
  std::vector<double> moved_, balance_, balance_moved_;
};

}  // namespace catena::detail
