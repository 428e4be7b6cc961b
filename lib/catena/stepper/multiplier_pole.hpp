// Rows that become dependent along a motion, caught between steps. Where they do and the motion does not come to
// terms with it, the multipliers grow like C / (t* - t) along the null space of G^T and change sign: a step can end
// behind t* with small residuals, and nothing in its matrix is singular.
//
// A step is taken to cross such a pole when the largest multiplier changes its sign while the constraint forces cancel
// each other at both ends: what is left of sum_k G_k^T lambda_k is small beside that of the largest multiplier, very
// small at one of them. Multipliers that pass through zero do not cancel, save along a long chain whose tension turns
// into compression, or where an integration has become unstable: then more than half of all constraints take part,
// which is never taken for a pole. At a singular position that is passed with finite
// multipliers (a flat four-bar) their sign stays. Not for systems with redundant rows, whose multipliers are
// open.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <string>

namespace catena {

class MultiplierPole {
 public:
  // The system must outlive the watch's use of it.
  void attach(const System& system) { system_ = &system; }

  // For the end of an attempt at a step from state to next (t, q, lambda, discrete state): an outcome that is ok
  // becomes singular_kkt where the step crosses a pole, so does newton_not_converged where hardly anything is left of
  // the forces that cancel, and singular_kkt gets the names of all the constraints that depend on each other.
  // lambda_before: the multipliers of the step before, which must have grown where Newton's failure is put down to a
  // pole; null at the first step. work: [v_size + lambda_size], overwritten; as below.
  Outcome judged(Outcome outcome, const State& state, const Point& next, const double* lambda_before,
                 double* work);

  // Whether the step crosses a pole; both points with t, q, lambda and discrete state. On true culprit() says which
  // constraints became dependent, and when.
  bool crossed(const Point& now, const Point& next, double* work);
  const Culprit& culprit() const { return culprit_; }

  // '"back wheels" of "board", "front wheels" of "board"': the constraints whose forces cancel each other at a point,
  // "" where they do not.
  std::string dependent_constraints(const Point& at, double* work);

 private:
  double left_over(const Point& at, double* work);
  double force_of(const double* lambda, const Point& at, double* force) const;
  bool noise(const Point& at, double h, double* force) const;

  const System* system_ = nullptr;
  double largest_force_ = 0.0;  // of one constraint, of the last left_over()
  Culprit culprit_;
};

}  // namespace catena
