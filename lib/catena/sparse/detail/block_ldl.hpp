// Catena's own factorisation of KKT systems: L D L^T or L D U by blocks, without pivoting, multifrontal,
// eight like fronts at a time in lanes. docs/theory/block_ldl.md: what is eliminated when, and why it is safe.
#pragma once
#include <catena/sparse/detail/chain_ldl.hpp>
#include <catena/sparse/detail/norm_rows.hpp>
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
// Norm rows of quaternions (BlockPattern::norm_row) are eliminated first, each with the direction that it determines (WithoutNormRows).
//
// The same bits for any number of threads and for AVX2 and AVX-512. factorize() and solve() allocate nothing, but
// for the first matrix without couplings, the first with some, and the first that leaves a chain to the fronts.
// bytes() counts the factor and its work space, not the shared analysis.
class BlockLdl final : public LinearSolver {
 public:
  // by_segments: chains by their kernels (ChainLdl); false: all by fronts, to compare with.
  explicit BlockLdl(bool by_segments = true);
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
  std::shared_ptr<const Symbolic> found_analysis() const;
  const BlockLdl* inner() const;
  const Symbolic& fronts() const;
  // False: the fronts have to do it, which are analysed by then.
  bool factorize_chain(const BlockMatrix& matrix, double* x, FactorReport& report);
  bool is_uncoupled(const BlockMatrix& matrix);
  FactorReport factorize_small(const BlockMatrix& matrix, double* x);

  bool may_by_segments_;
  Given given_;
  std::unique_ptr<ChainLdl> chain_;  // null: the pattern is no chain
  bool by_chain_ = false;            // the last factorisation is its
  // Of the fronts; null for a chain, and where there are couplings, until a matrix needs them. planned_: made for a report.
  std::shared_ptr<const Symbolic> symbolic_;
  mutable std::shared_ptr<const Symbolic> planned_;
  std::unique_ptr<Numeric> numeric_;
  // Where there are norm rows, all else is empty: the system without them, and its factor.
  std::unique_ptr<WithoutNormRows> norms_;
  std::unique_ptr<BlockLdl> small_;
  // Of matrices without couplings where the pattern has some; null until one comes.
  std::unique_ptr<BlockLdl> uncoupled_;
  bool by_uncoupled_ = false;  // the last factorisation is its
};

}  // namespace catena::detail
