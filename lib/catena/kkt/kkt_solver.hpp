// The one layer in which every stepper fills, factorises and solves its Newton systems
//     [ H   B ] [ delta  ]   [ r ]
//     [ C  -D ] [ lambda ] = [ c ]
// It owns the matrix and the factor, bounds the multipliers of redundant constraints by a dual proximal term, checks
// the pivots, and reports findings with the names of bodies and joints.
#pragma once
#include <catena/sparse/detail/block_lanes.hpp>
#include <catena/sparse/detail/refinement.hpp>
#include <catena/sparse/linear_solver.hpp>
#include <catena/system/system.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace catena {

struct KktOptions {
  Factorization factorization = Factorization::ldlt;
  Border border = Border::transposed;
  // Dual proximal term relative to the local Schur scale of each row; [0, 1e-6]. 1e-12 costs no digit of
  // lambda that Newton does not restore, and removes every zero pivot of redundant rows (design 4.3).
  double proximal = 1e-12;
  LinearSolverFactory backend;  // empty: the library's own block LDL
  LinearSolverFactory
      fallback;  // a pivoting solver for matrices that the back end cannot factorise; may be empty
};

// Rows are suspected to be redundant where their pivot falls below this many proximal terms. The pivot of an exactly
// redundant row is the proximal term itself plus roundoff; the factor 100 leaves two digits for the roundoff of the
// elimination and for rows that are redundant only within the tolerance of the initial gaps. A dependency of rows of other scales
// leaves more: has_redundant_rows() (detail/redundant_pivot.hpp).
inline constexpr double suspicious_ratio = 100.0;
// Above this many, no pivot is that of a redundant row: the proximal terms of the rows in a dependency differ as the inertias of
// a bar about its axes do, by (length / thickness)^2.
inline constexpr double slender_ratio = 1e6;

// Growth of pivots up to which Newton's method still converges: half of the digits, 1/sqrt(eps). The other half is left
// for the condition of the scaled matrix, 1e7 for chains of thousands of bodies. Newton contracts by
// growth * condition * eps; with both factors at their limits that is 1, and it does not converge.
inline constexpr double largest_growth = 0x1p26;

struct KktReport {
  Status status = Status::ok;  // ok, singular_kkt or not_finite
  Culprit culprit;
  bool indefinite = false;    // more negative pivots than rows: H is not positive definite on the constraints
  int offending_primal = -1;  // a body block with a negative pivot, -1: none or unknown
  double pivot_growth = 1.0;  // see FactorReport; 1: unknown, or the back end pivots
  int weakest_dual = -1;      // constraint with the smallest pivot relative to its local Schur scale
  double weakest_dual_ratio = std::numeric_limits<double>::infinity();  // infinity: unknown
};

class KktSolver {
 public:
  // Symbolic analysis and all allocation; call it first. Returns an empty string, or the reason why the back end does
  // not support the system. The system must outlive this solver.
  std::string attach(const System& system, const KktOptions& options);
  // A second set of numbers on the same analysis, for example B B^T of a stabilised method.
  KktSolver sibling() const;
  const System& system() const { return *system_; }

  // The numbers to be written, by System::evaluate; the proximal term in them is this solver's.
  BlockMatrix& matrix() { return *matrix_; }
  const BlockMatrix& matrix() const { return *matrix_; }
  // For products with it.
  const detail::BlockLanes& lanes() const { return *lanes_; }
  // Of vectors x below: v_size + lambda_size of the system's layout, primal blocks first.
  int dimension() const { return matrix_->pattern().dimension(); }

  // Sets the proximal term from the Schur scale of the numbers now in the matrix:
  // proximal_r = epsilon sum_j C_rj^2 / H_jj. Call it when the scale of the matrix changes (at start).
  void update_proximal();
  double proximal() const { return options_.proximal; }  // epsilon
  // Multiplies the term now in the matrix by a factor. A power of two and its inverse restore the same bits.
  void scale_proximal(double factor);
  // Replaces the proximal term by a compliance of the same form, D_r = epsilon sum_j C_rj^2 / H_jj. It is part of the
  // equations: the caller subtracts D lambda from its rows. Iterations that accumulate corrections of lambda need it,
  // because a proximal term does not determine the part of lambda that redundant rows leave undetermined.
  void set_compliance(double epsilon);

  // Multiplies the compliance by a factor; powers of two as above.
  void scale_compliance(double factor);

  // Factorises the numbers now in the matrix; solve() may follow where the status is ok. Never throws: the report has
  // the reason of a failure, with the name of a body or joint.
  KktReport factorize();
  // Fills weakest_dual and weakest_dual_ratio of a report on the numbers now in the matrix where the back end does not
  // compute them, by the library's own factorisation. Use it at set-up: it analyses the pattern each time.
  void find_weakest_row(KktReport& report) const;
  // The same, and the solution of one right-hand side with it, in one pass where the back end can: x is
  // the right-hand side in and, where the status is ok, the solution out.
  KktReport factorize_and_solve(double* x);
  // Both for the matrix with B = C^T and the symmetric part of H, whatever the border and B hold: by L D L^T of the library's own
  // solver, which takes a third of the time of L D U and less. Another back end takes the matrix as it is. x: null, or a
  // right-hand side, as above. The first call makes the analysis.
  KktReport factorize_symmetric(double* x);
  // The pivoting fallback, where there is one: factorises the same matrix with it until the next
  // factorize(). False: there is none, or it failed as well. Allocates in every call: the entries of a factor with
  // pivoting depend on the numbers, so that its memory cannot be reserved. The analysis is made in the first call,
  // because most runs never need it.
  bool factorize_with_fallback();
  bool has_fallback() const { return static_cast<bool>(options_.fallback); }

  // x: right-hand side in, solution out (primal blocks first).
  void solve(double* x);
  // The same with the transposed matrix, for adjoints.
  void solve_transposed(double* x);
  // The same, and solutions for what the proximal term leaves of it, which need no product with the matrix: two in all, or more
  // until the next one would change multipliers by less than roundoff, four at most. Returns by how much it would, beside the
  // largest multiplier; what is left then is that and roundoff of the factor.
  double solve_repeatedly(double* x);
  // The same with iterative refinement against the matrix without its proximal term; returns the
  // componentwise backward error omega_1 + omega_2 (Arioli, Demmel, Duff). Where the error remains above `resistant`, it
  // factorises again with a hundredth of the proximal term, twice at most, and keeps the smaller term. Chains of more
  // than ten thousand hinges need that: their softest directions yield less than the proximal term.
  double solve_refined(double* x);
  // Half of the digits: an error of solve_refined() above it shows a matrix that is singular in double precision, or rows that
  // contradict one another. A regular system ends at 1e-14, one whose softest directions yield less than the proximal term at 1e-9.
  static constexpr double useless_error = 1e-8;
  // Frees the arrays of solve_repeatedly() and solve_refined(); the next call allocates them again.
  void release_workspace();

  // 'body "link 12"' or 'joint "hip" (spherical)' for component i of a solution or residual.
  std::string owner(int component) const;
  std::string velocity_block_name(int primal) const { return system_->velocity_block_name(primal); }
  // max_i |H_ii| s_i over the numbers now in the matrix.
  double largest_inertia() const;

  std::size_t bytes() const;  // of the matrix, and of the factor where the back end reports it

 private:
  // Refinement leaves 1e-14 in general and 4.5e-8 in chains of 10 000 hinges (measured): any value between serves; this
  // one is a tenth of useless_error.
  static constexpr double resistant = 1e-9;
  void set_diagonal(double proximal, double compliance);
  KktReport interpret(const FactorReport& f);

  const System* system_ = nullptr;
  KktOptions options_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::shared_ptr<const detail::BlockLanes> lanes_;  // shared with siblings
  std::unique_ptr<LinearSolver> solver_, symmetric_, fallback_;
  LinearSolver* factored_ = nullptr;  // the one among them that solves
  bool refining_ = false;
  std::vector<double> rhs_;
  std::vector<double> reciprocal_;  // of the diagonal of H, for set_diagonal()
  detail::RefinementWorkspace refinement_;
};

}  // namespace catena
