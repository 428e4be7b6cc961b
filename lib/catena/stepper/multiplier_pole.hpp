// Rows that become dependent along a motion, caught between steps. Where they do and the motion does not come to
// terms with it, the multipliers grow like C / (t* - t) along the null space of G^T and change sign: a step can end
// behind t* with small residuals, and nothing in its matrix is singular.
//
// A step is taken to cross such a pole when the largest multiplier has grown and changes its sign, its inverse goes
// on along the line of its last two values, roughly, and the constraint forces cancel each other: what is left of
// sum_k G_k^T lambda_k is small beside the largest |G_k^T lambda_k|. Passages of singular positions with finite
// multipliers (a flat four-bar) are none. Not for systems with redundant rows, whose multipliers are open.
#pragma once
#include <catena/system/system.hpp>

#include <vector>

namespace catena {

// Multipliers and the time that they belong to.
struct MultiplierSample {
  double t = 0.0;
  const double* lambda = nullptr;
};

class MultiplierPole {
 public:
  // Work arrays. The system must outlive the watch's use of it.
  void attach(const System& system);

  // Whether the way from now to next crosses a pole. at: t, q and discrete state of the new point. On true culprit()
  // says which constraints became dependent, and when.
  bool crossed(const MultiplierSample& before, const MultiplierSample& now, const MultiplierSample& next,
               const Point& at);
  const Culprit& culprit() const { return culprit_; }

  // '"back wheels" of "board", "front wheels" of "board"': the constraints whose forces cancel each other at a point,
  // "" where they do not.
  std::string dependent_constraints(const double* lambda, const Point& at);

 private:
  // The time of the pole of component k, or a negative fraction of the step.
  static double pole_of(const MultiplierSample& before, const MultiplierSample& now,
                        const MultiplierSample& next, int k);
  bool rows_cancel(const double* lambda, const Point& at);
  double force_of(const double* lambda, const Point& at);

  const System* system_ = nullptr;
  std::vector<double> force_, alone_;
  std::vector<int> involved_;
  Culprit culprit_;
};

}  // namespace catena
