// Rows that become dependent along a motion, caught between steps. Where they do and the motion does not come to
// terms with it, the multipliers grow like C / (t* - t) along the null space of G^T and change sign: a step can end
// behind t* with small residuals, and nothing in its matrix is singular.
//
// A step is taken to cross such a pole when the largest multiplier changes its sign while the constraint forces cancel
// each other at both ends: what is left of sum_k G_k^T lambda_k is small beside that of the largest multiplier, very
// small at one of them. That is a suspicion only: forces cancel along any chain whose tension turns into compression,
// and in any shallow truss whose load changes its sign. It is proven by the local Schur pivots of the rows in the
// index-1 system: somewhere along the step the weakest of them must fall to half of what it is at the better end.
// Not for systems with redundant rows, whose multipliers are open.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <string>

namespace catena {

class MultiplierPole {
 public:
  // The system must outlive the watch's use of it.
  void attach(const System& system) { system_ = &system; }
  // Multipliers that belong to instants between those of q cannot be looked for along the step: then a suspicion counts
  // where at most half of the constraints, or at most six, take part.
  void without_proof() { prove_ = false; }

  // For the end of an attempt at a step from state to next (t, q, lambda, discrete state): an outcome that is ok
  // becomes singular_kkt where the step crosses a pole, so does newton_not_converged where hardly anything is left of
  // the forces that cancel, and singular_kkt gets the names of all the constraints that depend on each other.
  // lambda_before: the multipliers of the step before, which must have grown where Newton's failure is put down to a
  // pole; null at the first step. work: [v_size + lambda_size], overwritten; as below.
  // kkt: its matrix is overwritten where there is a suspicion; then matrix_changed() is true until the next call. A
  // suspicion allocates.
  Outcome judged(Outcome outcome, const State& state, const Point& next, const double* lambda_before,
                 double* work, KktSolver& kkt);
  bool matrix_changed() const { return matrix_changed_; }

  // Whether the step is suspected of crossing a pole; both points with t, q, lambda and discrete state. On true culprit() says which
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
  bool proven(const Point& now, const Point& next, KktSolver& kkt);

  const System* system_ = nullptr;
  double largest_force_ = 0.0;  // of one constraint, of the last left_over()
  Culprit culprit_;
  bool matrix_changed_ = false, prove_ = true;
  int involved_ = 0;  // constraints in the last answer of dependent_constraints()
};

}  // namespace catena
