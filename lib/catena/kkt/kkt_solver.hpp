// The one layer in which every stepper fills, factorises and solves its Newton systems
//     [ H   B ] [ delta  ]   [ r ]
//     [ C  -D ] [ lambda ] = [ c ]
// It owns the matrix and the factor, keeps redundant constraints bounded by a dual proximal term, watches
// the pivots, and translates what the numbers say into the names of bodies and joints.
#pragma once
#include <catena/sparse/linear_solver.hpp>
#include <catena/sparse/refinement.hpp>
#include <catena/system/system.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena {

struct KktOptions {
  Factorization factorization = Factorization::ldlt;
  Border border = Border::transposed;
  // Dual proximal term relative to the local Schur scale of each row; [0, 1e-6]. 1e-12 costs no digit of
  // lambda that Newton does not restore, and removes every zero pivot of redundant rows (design 4.3).
  double proximal = 1e-12;
  LinearSolverFactory backend;   // empty: the library's own block LDL
  LinearSolverFactory fallback;  // a pivoting solver for matrices that the first one refuses; may be empty
};

// Rows are suspected to be redundant where their pivot falls below so many proximal terms (design 4.3).
inline constexpr double suspicious_ratio = 100.0;

// Growth of pivots that Newton still makes good: half of the digits, 1/sqrt(eps). The other half is left to the
// condition of the scaled matrix, 1e7 for chains of thousands; with both at their limits a correction is wrong by
// all of itself, and Newton, which contracts by growth * condition * eps, no longer converges.
inline constexpr double largest_growth = 0x1p26;

struct KktReport {
  Status status = Status::ok;  // ok, singular_kkt or not_finite
  Culprit culprit;
  bool indefinite = false;    // more negative pivots than rows: H is not positive definite on the constraints
  int offending_primal = -1;  // a body block with a negative pivot, -1: none or unknown
  double pivot_growth = 1.0;  // see FactorReport; 1: unknown, or the back end chooses its pivots
  int weakest_dual = -1;      // constraint with the smallest pivot relative to its local Schur scale
  double weakest_dual_ratio = std::numeric_limits<double>::infinity();  // infinity: unknown
};

class KktSolver {
 public:
  // Symbolic analysis and all allocation, before anything else. Returns an empty string, or why the back end cannot do
  // it.
  // The system must outlive the solver's use of it.
  std::string attach(const System& system, const KktOptions& options);
  // A second set of numbers on the same analysis (B B^T of a stabilised method, say).
  KktSolver sibling() const;

  // The numbers to be written, by System::evaluate; the proximal term in them is this solver's.
  BlockMatrix& matrix() { return *matrix_; }
  const BlockMatrix& matrix() const { return *matrix_; }
  // Of vectors x below: v_size + lambda_size of the system's layout, primal blocks first.
  int dimension() const { return matrix_->pattern().dimension(); }

  // Sets the proximal term from the Schur scale of the numbers now in the matrix:
  // proximal_r = epsilon sum_j C_rj^2 / H_jj. Call it when the scale of the matrix changes (at start).
  void update_proximal();
  // The term now in the matrix times a factor; by a power of two and back it is the same again, to the bit.
  void scale_proximal(double factor);
  // Instead of the proximal term a compliance of the same form, D_r = epsilon sum_j C_rj^2 / H_jj, which is
  // part of the equations: the caller subtracts D lambda from its rows. Iterations that add up corrections
  // of lambda need it, because a proximal term does not pull the part of lambda back that redundant rows
  // leave open.
  void set_compliance(double epsilon);

  // Factorises the numbers now in the matrix; solve() may follow where the status is ok. Never throws; what is wrong
  // with them stands in the report, with the name of a body or joint.
  KktReport factorize();
  // Fills weakest_dual and weakest_dual_ratio of a report on the numbers now in the matrix by a factorisation of
  // the library's own, where the back end did not tell. Meant for set-up: it analyses the pattern each time.
  void find_weakest_row(KktReport& report) const;
  // The same, and the solution of one right-hand side with it, in one pass where the back end can: x is
  // the right-hand side in and, where the status is ok, the solution out.
  KktReport factorize_and_solve(double* x);
  // The pivoting fallback, where there is one: factorises the same matrix with it until the next
  // factorize(). False: there is none, or it failed as well. Allocates, every time: which entries the factor of an LU
  // has that chooses its pivots follows from the numbers, so that nobody can set its memory aside. Its analysis is
  // made at the first call, because most runs never make it.
  bool factorize_with_fallback();
  bool has_fallback() const { return static_cast<bool>(options_.fallback); }

  // x: right-hand side in, solution out (primal blocks first).
  void solve(double* x);
  // The same with the transposed matrix, for adjoints.
  void solve_transposed(double* x);
  // The same with iterative refinement against the matrix without its proximal term; returns the
  // componentwise backward error omega_1 + omega_2 (Arioli, Demmel, Duff). Where an error above `resistant` is left,
  // as in chains of more than ten thousand hinges, whose softest directions yield less than the proximal term, it
  // factorises again with a hundredth of that term, twice at most; the smaller term stays.
  double solve_refined(double* x);
  // Gives the arrays of solve_refined() back; the next call makes them anew.
  void release_workspace();

  // 'body "link 12"' or 'joint "hip" (spherical)' for component i of a solution or residual.
  std::string owner(int component) const;
  std::string velocity_block_name(int primal) const { return system_->velocity_block_name(primal); }
  // max_i |H_ii| s_i over the numbers now in the matrix.
  double largest_inertia() const;

  std::size_t bytes() const;  // of the matrix, and of the factor where the back end tells
  const char* backend_name() const { return solver_->name(); }

 private:
  static constexpr double resistant = 1e-9;
  void set_diagonal(double proximal, double compliance);
  KktReport interpret(const FactorReport& f);

  const System* system_ = nullptr;
  KktOptions options_;
  std::unique_ptr<BlockMatrix> matrix_;
  std::unique_ptr<LinearSolver> solver_, fallback_;
  bool using_fallback_ = false;
  std::vector<double> rhs_;
  RefinementWorkspace refinement_;
};

}  // namespace catena
