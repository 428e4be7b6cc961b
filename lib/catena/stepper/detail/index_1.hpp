// The index-1 equations of steppers whose steps end on the constraints, and these constraints:
//
//     [M G^T; G 0] [a; lambda] = [f; -bias],   bias: d/dt (G v + g_t) at constant v
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/guards/detail/guard_decision.hpp>
#include <catena/stepper/stepper.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Times the proximal term where rows are redundant, 1.3e-10 then: what the roundoff of the rows leaves in the open part of
// lambda, machine precision over it, is 1e-6 of lambda in place of 1e-4. A power of two.
constexpr double redundant_proximal = 128.0;

class Index1Equations {
 public:
  // Returns an empty string, or why the back end refuses. Both must outlive the use of this.
  // dependent_rows: what is made of rows that become dependent.
  std::string attach(const System& system, LinearSolverFactory backend, StepperStatistics& statistics,
                     GuardMode dependent_rows);

  // a at t, q, v of s, and lambda where forces depend on it: one evaluation, one factorisation. The proximal term of the
  // solver, 1e-12 of the Schur scale of a row, leaves rates of rows of that part; a second solve takes them out.
  // Where rows are redundant, those of a and lambda at the nearest q and v that the rows allow (accelerate_redundant()).
  KktReport accelerate(State& s);
  // The same within a step that was accepted: nothing is counted as a finding, and weakest_pivot() stays.
  KktReport accelerate_between(State& s);
  // Moves q along M^-1 G^T until the position rows are roundoff, v to the nearest velocity, in the norm of M, that the
  // rows allow, and corrects a and lambda until nothing moves. The three share one factorisation at the first q: q moves
  // by the local error alone, and what that changes in the matrix is taken out by iterating on the true residuals. Each
  // evaluation serves all that is known by then: the first makes the matrix, the second sees the rows of q and v behind
  // the move of q, the third those of v and the balance.
  KktReport close(State& s);

  KktSolver& kkt() { return kkt_; }
  const KktSolver& kkt() const { return kkt_; }
  // [v_size + lambda_size], for the use of others between two calls.
  double* work() { return rhs_.data(); }
  // sum of rows_i^2 over the Schur scale of row i, by the matrix of the last close().
  double strength(const double* rows) const;
  // Rows depend on each other from the start: their multipliers are open, and nothing is made of them.
  bool redundant() const { return redundant_; }
  // Whether there are rows, all at position level, and none that nearly depends on others all along.
  bool of_positions() const { return of_positions_; }
  // Of the last factorisation, relative to the Schur scale of its row: the square of the sine between rows.
  double weakest_pivot() const { return weakest_pivot_; }

 private:
  enum class Rows : std::uint8_t { position, velocity };
  KktReport linearize(const State& s, const Evaluation& rows_and_balance);
  KktReport factorize_and_solve(double softness = 1.0);
  KktReport look_for_dependence(double t, KktReport report);
  KktReport take_out_proximal(State& s);
  KktReport settle(State& s);
  KktReport accelerate_redundant(State& s);
  void evaluate(const Point& point, const Evaluation& wanted);
  void solve();
  KktReport not_finite(const char* balance, const char* rows) const;
  struct Residual {
    int row;                         // the worst, of the dual rows
    double value, enough, roundoff;  // where iterations end: at once, and where nothing is gained any more
  };
  Residual worst_residual(const State& s, Rows rows, const double* residuals) const;
  KktReport not_closed(const Residual& residual, const char* rows, double value) const;
  KktReport close_positions(State& s, bool& matrix_is_there);
  KktReport make_matrix(const State& s);
  KktReport close_velocities(State& s, bool& residuals_known);
  void evaluate_accelerations(const State& s, double* velocity_rows);
  KktReport add_solution(State& s);
  KktReport correct(State& s, int most, bool residuals_known);
  KktReport follow_reactions(State& s);

  const System* system_ = nullptr;
  StepperStatistics* statistics_ = nullptr;
  KktSolver kkt_;
  std::vector<double> rhs_;
  std::vector<double> velocity_rows_;  // residuals, of the last evaluation that asked for them
  GuardDecision dependent_rows_;
  bool redundant_ = false, of_positions_ = false, looks_for_dependence_ = true;
  bool weak_by_masses_ = false;  // is_weak_by_masses(): a dependence of rows does not show beside it
  int corrections_ = 1;          // of accelerations beside weak pivots, at most
  double weakest_pivot_ = 1.0;
  State on_rows_;  // a stage moved onto the rows, where they are redundant
};

}  // namespace catena::detail
