// The inverse of a mass matrix alone, body by body: for steppers that turn forces into accelerations without the
// constraints.
#pragma once
#include <catena/sparse/block_matrix.hpp>

#include <memory>
#include <vector>

namespace catena {

class MassFactor {
 public:
  // All allocation.
  void attach(std::shared_ptr<const BlockPattern> pattern);
  // Cholesky factors of the diagonal blocks of H, which must hold M. Returns the first block that is not positive
  // definite, or -1.
  int make(const BlockMatrix& matrix);
  // x := M^-1 x, [primal_dimension].
  void solve(double* x) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::size_t> at_;  // of each block in factor_
  std::vector<double> factor_;   // L by rows, with the inverse of its diagonal
};

}  // namespace catena
