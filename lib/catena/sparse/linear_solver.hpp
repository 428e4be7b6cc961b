// The contract of every linear solver of the KKT layer: analyze a pattern once, then factorise and solve
// as often as the numbers change.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

namespace catena {

enum class Factorization : std::uint8_t {
  ldlt,  // of the symmetric part: H is read as (H + H^T)/2; needs Border::transposed
  ldu    // of the matrix as it is
};

enum class FactorStatus : std::uint8_t {
  ok,
  singular,    // a pivot vanished: culprit names the block
  not_finite,  // NaN or Inf in the matrix: culprit names the block
  failed       // the library failed for another reason (out of memory)
};

// Findings of a factorisation about the matrix.
struct FactorReport {
  FactorStatus status = FactorStatus::ok;
  bool culprit_is_dual = false;
  int culprit = -1;            // block number of its kind, -1: none
  int negative_pivots = -1;    // inertia, -1: unknown to the back end; expected: dual dimension
  int wrong_sign_primal = -1;  // primal block with a negative pivot (H indefinite there), -1: none
  int weakest_dual = -1;       // dual block with the smallest pivot relative to its local scale
  double weakest_dual_ratio = std::numeric_limits<double>::infinity();
  // Largest |pivot| relative to the local scale of its row; about 1 without cancellation, and 1 for back ends that
  // pivot. A growth of g costs log10(g) digits.
  double pivot_growth = 1.0;
};

struct SolverOptions {
  Factorization factorization = Factorization::ldlt;
  int parts = 0;  // subtrees to cut for threads; 0: chosen from the pattern
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;

  // Symbolic work, once a pattern. Returns an empty string, or the reason why this back end does not support it.
  virtual std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                              const SolverOptions& options) = 0;
  // Another set of numbers on the same analysis (shares the symbolic part).
  virtual std::unique_ptr<LinearSolver> clone_analysis() const = 0;

  // Numeric factorisation of [H B; C -(D + proximal)]. The matrix is not changed and is not needed by solve().
  // Allocates nothing after the first call with a given pattern, where the back end allows it.
  virtual FactorReport factorize(const BlockMatrix& matrix) = 0;
  // x: right-hand side in, solution out; pattern().dimension() values, primal first. After a
  // factorisation with status ok.
  virtual void solve(double* x) = 0;
  // The same with the transposed matrix [H^T C^T; B^T -(D + proximal)], for adjoints.
  virtual void solve_transposed(double* x) = 0;

  // factorize(), then solve() where the status is ok (else x is undefined); back ends that can do both
  // in one pass over the matrix save time on large systems.
  virtual FactorReport factorize_and_solve(const BlockMatrix& matrix, double* x) {
    const FactorReport report = factorize(matrix);
    if (report.status == FactorStatus::ok) solve(x);
    return report;
  }

  virtual double factor_flops() const { return 0.0; }  // symbolic count, 0: unknown
  virtual std::size_t bytes() const { return 0; }      // held by the factor, 0: unknown
};

// Makes one empty solver; the layers above name a back end only through this.
using LinearSolverFactory = std::function<std::unique_ptr<LinearSolver>()>;

}  // namespace catena
