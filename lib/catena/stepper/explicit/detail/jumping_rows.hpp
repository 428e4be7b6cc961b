// Rows that jump within a step. The projection at the end of a step takes the local error out, unless the rows there are
// not those that the stages have followed, as behind the instant at which a disc has fallen flat and its contact is
// elsewhere on the rim. Then it takes a part of the motion, however short the step is: velocities in an impact, or
// positions back to where the rows are the old ones, step after step. The stages do not see it, for their slopes stay
// bounded.
#pragma once
#include <catena/stepper/explicit/detail/index_1.hpp>

#include <string>
#include <vector>

namespace catena::detail {

class JumpingRows {
 public:
  // plain: positions are integrated as plain numbers, and only velocities are looked at.
  void attach(const System& system, bool plain);

  // The end of an attempt as the stages left it, x in the chart at the start of the step, and then as projected.
  void before_projection(const std::vector<double>& x, const std::vector<double>& v);
  void after_projection(const std::vector<double>& x, const std::vector<double>& v);
  // singular_kkt, with the time and the constraint that the attempt from `from` to `end` missed the most, where the
  // projection took more than a twentieth of the motion. weakest pivot and work arrays: of the equations at the end.
  KktReport check(const State& from, const State& end, const std::vector<double>& x, double h,
                  Index1Equations& equations);

  // What the projection took; [x], [v_size].
  const std::vector<double>& taken_x() const { return taken_x_; }
  const std::vector<double>& taken_v() const { return taken_v_; }
  // What roundoff leaves to be taken of positions (speed = 0) and of velocities at such a speed; rows at the sine s of an
  // angle to each other, with the weakest pivot s^2, amplify it by 1/s.
  double noise(double speed, double weakest_pivot) const;
  // [s] in shorter steps, roundoff is larger than what the last jump took.
  double hides_below() const { return hides_below_; }
  void begin_step() { hides_below_ = 0.0; }
  // The constraint that an attempt of size h with this end missed by the most before it was projected.
  std::string worst_constraint(const State& end, double h, Index1Equations& equations);

 private:
  double norm_by_mass(const State& at, const std::vector<double>& v, double* work) const;

  const System* system_ = nullptr;
  bool plain_ = false;
  double hides_below_ = 0.0;
  std::vector<double> taken_x_, taken_v_, missed_;
};

}  // namespace catena::detail
