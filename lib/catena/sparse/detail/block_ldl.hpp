// Catena's own factorisation of KKT systems: L D L^T or L D U by blocks, without pivoting, multifrontal,
// eight like fronts at a time in lanes. docs/theory/block_ldl.md: what is eliminated when, and why it is safe.
#pragma once
#include <catena/sparse/detail/chain_ldl.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

// Safe without pivoting when H is positive definite (its symmetric part, for LDU) and the rows of C are
// independent or carry a proximal term; the report shows when that fails. Pivots are the scalars of the
// blocks in elimination order: positive for primal blocks, negative for dual ones.
//
// In the report: weakest_dual_ratio is the smallest |pivot| / scale over the rows, where the scale of a row
// is the sum of the positive terms of its diagonal entry of C H^-1 C^T + D (before other rows are
// eliminated); pivot_growth is the largest |pivot| / scale, at most about one without cancellation.
//
// Rows flagged in BlockPattern::rewrite (c, on one primal block, where H is singular along c): with
// rho = |trace H| / (n b.c), b the column of B, the block H + rho b c^T is factored instead of H. Adding
// rho b times the row  c.x - D l = s  to the equations above gives, exactly,
//     (H + rho b c^T) x + b l' = r + rho b s,   c.x - D/(1 - rho D) l' = s,   l = l'/(1 - rho D);
// the transposed system has b and c exchanged.
//
// The same bits for any number of threads and for AVX2 and AVX-512. factorize() and solve() allocate nothing.
// bytes() counts the factor and its work space, not the shared analysis.
class BlockLdl final : public LinearSolver {
 public:
  BlockLdl();
  ~BlockLdl() override;
  const char* name() const override { return "ldl"; }
  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override;
  std::unique_ptr<LinearSolver> clone_analysis() const override;
  FactorReport factorize(const BlockMatrix& matrix) override;
  void solve(double* x) override;
  void solve_transposed(double* x) override;
  FactorReport factorize_and_solve(const BlockMatrix& matrix, double* x) override;
  double factor_flops() const override;
  std::size_t bytes() const override;

  // How the elimination order was found, for reports.
  const std::string& ordering() const;
  // What threads share: modelled cycles (fronts.hpp) of each chunk of each tier, leaves first. Tiers follow one another,
  // the chunks of a tier are independent of one another.
  std::vector<std::vector<double>> chunk_cycles() const;
  std::size_t analysis_bytes() const;  // of what factors share

 private:
  struct Symbolic;
  struct Numeric;
  struct Given {
    std::shared_ptr<const BlockPattern> pattern;
    Border border = Border::transposed;
    SolverOptions options;
  };
  static std::shared_ptr<const Symbolic> analysis(std::shared_ptr<const BlockPattern> pattern, Border border,
                                                  const SolverOptions& options);
  void analyze_fronts();
  // False: the fronts have to do it, which are analysed by then.
  bool factorize_chain(const BlockMatrix& matrix, double* x, FactorReport& report);

  Given given_;
  std::unique_ptr<ChainLdl> chain_;  // null: the pattern is no chain
  bool by_chain_ = false;            // the last factorisation is its
  // Of the fronts; null for a chain until a matrix needs them.
  std::shared_ptr<const Symbolic> symbolic_;
  std::unique_ptr<Numeric> numeric_;
};

}  // namespace catena::detail
