// L D L^T or L D U of the KKT system of a chain by segments: what BlockLdl does where the pattern is one. It takes a matrix whose
// pivots have the signs of their kinds, and leaves every other one to the fronts, whose reports it cannot make.
#pragma once
#include <catena/sparse/detail/chain.hpp>
#include <catena/sparse/detail/chain_kernels.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace catena::detail {

class ChainLdl {
 public:
  ChainLdl(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const ldl::Chain> chain);
  std::unique_ptr<ChainLdl> clone() const { return std::make_unique<ChainLdl>(pattern_, chain_); }

  // x: null, or a right-hand side, which becomes the solution. False: the matrix is left to the fronts; x is as it was.
  bool factorize(const BlockMatrix& matrix, double* x, FactorReport& report);
  // transposed: with the transposed matrix.
  void solve(double* x, bool transposed);
  const ldl::Chain& chain() const { return *chain_; }
  std::size_t bytes() const;

 private:
  void sweep_backward();

  std::shared_ptr<const BlockPattern> pattern_;
  std::shared_ptr<const ldl::Chain> chain_;
  ldl::ChainPlan plan_;
  // uncoupled_: for a matrix without couplings; null: there are none for such joints. usual_: for every other matrix. kernels_:
  // those that the last factorisation has taken.
  const ldl::ChainKernels *uncoupled_, *usual_, *kernels_;
  AlignedArray factor_, ends_, nodes_;
  std::vector<ldl::ChainReport> reports_;  // one a part, then that of the nodes
  ldl::ChainNumbers numbers_;
  int parts_;  // groups, and the tail
  std::function<void(int)> factor_part_, forward_part_,
      backward_part_;  // made once, so that a call allocates nothing
};

}  // namespace catena::detail
