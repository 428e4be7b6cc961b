// Rows that become dependent along a motion, caught between steps. Where they do and the motion does not come to
// terms with it, the multipliers grow like C / (t* - t) along the null space of G^T and change sign: a step can end
// behind t* with small residuals, and nothing in its matrix is singular.
//
// A step is taken to cross such a pole when the largest multiplier changes its sign while the constraint forces cancel
// each other at both ends: what is left of sum_k G_k^T lambda_k is small beside that of the largest multiplier, very
// small at one of them. That is a suspicion only: forces cancel along any chain whose tension turns into compression,
// and in any shallow truss whose load changes its sign. It is proven by the local Schur pivots of the rows in the
// index-1 system: somewhere along the step the weakest of them must fall to half of what it is at the better end.
//
// Coarse steps lose the motion before the pole: rows that come close to dependence for an instant turn the multipliers
// round within a step, and what comes out is the motion of another mechanism. So a step is refused as well where the
// constraint forces matter within it and are wrong by more than 5 % (1 % where they move bodies far), as the weakest
// pivot along it and the order of the method show (docs/theory/newton.md, rows that become dependent). Cut steps
// see the same rows turn by less; only where no cut helps does the run end.
// Not for systems with redundant rows, whose multipliers are open.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

#include <string>

namespace catena::detail {

class MultiplierPole {
 public:
  // The system must outlive this. order: of the stepper's multipliers.
  void attach(const System& system, int order, StepperStatistics& statistics) {
    system_ = &system;
    order_ = order;
    statistics_ = &statistics;
  }

  // For the next assess(): how long before the time of their q the multipliers of its state and of its next point
  // apply [s]. Between them the pivots are looked for.
  void multipliers_behind(double of_state, double of_next) {
    behind_ = of_state;
    behind_next_ = of_next;
  }

  // For the end of an attempt at a step from state to next (t, q, lambda, discrete state): an outcome that is ok
  // becomes singular_kkt where the step crosses a pole, so does newton_not_converged where part of the forces
  // cancels and the rows are weaker on the way that the velocities lead, and singular_kkt gets the names of all
  // the constraints that depend on each other.
  // lambda_before: the multipliers of the step before; where they have grown and hardly anything is left of the
  // forces, Newton's failure is put down to a pole at once. Null at the first step.
  Outcome assess(Outcome outcome, const State& state, const Point& next, const double* lambda_before,
                 GuardWorkspace& workspace);

  // Whether the step is suspected of crossing a pole; both points with t, q, lambda and discrete state. On true
  // culprit() says which constraints became dependent, and when. work: [v_size + lambda_size], overwritten; as below.
  bool crossed(const Point& now, const Point& next, double* work);
  const Culprit& culprit() const { return culprit_; }

  // '"back wheels" of "board", "front wheels" of "board"': the constraints whose forces cancel each other at a point,
  // "" where they do not.
  std::string dependent_constraints(const Point& at, double* work);

 private:
  struct Pivots {
    double weakest, strongest, at_better_end;
  };
  Outcome assess_attempt(Outcome outcome, const State& state, const Point& next, const double* lambda_before,
                         GuardWorkspace& workspace);
  double left_over(const Point& at, double* work);
  double force_of(const double* lambda, const Point& at, double* force) const;
  double of_motion(const Point& at, double h, double* force) const;
  Pivots weakest_pivots(const Point& now, const Point& next, int parts, GuardWorkspace& workspace);
  double weakest_pivot(const Point& now, double s, double t, GuardWorkspace& workspace);
  bool weaker_ahead(const State& state, double h, GuardWorkspace& workspace);
  bool unresolved(const Point& now, const Point& next, GuardWorkspace& workspace);
  bool passes(const State& state, const Point& next, GuardWorkspace& workspace);

  const System* system_ = nullptr;
  StepperStatistics* statistics_ = nullptr;
  int order_ = 2;
  double largest_force_ = 0.0;  // of one constraint, of the last left_over()
  Culprit culprit_;
  double behind_ = 0.0, behind_next_ = 0.0;
  bool proximal_is_less_ = false;  // in the matrix of the workspace
};

}  // namespace catena::detail
