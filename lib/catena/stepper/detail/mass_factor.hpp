// The inverse of a mass matrix alone: for steppers that turn forces into accelerations without the constraints.
// Body by body where masses do not couple bodies, which is so for bodies in maximal coordinates; coupled blocks
// (the joints of a tree in its own coordinates) are factorised as one dense matrix.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

class MassFactor {
 public:
  // All allocation, but for blocks that turn out to be coupled, in the first make() that sees it.
  void attach(std::shared_ptr<const BlockPattern> pattern);
  // Cholesky factors of H, which must hold M. Returns the first block that is not positive definite, or -1.
  int make(const BlockMatrix& matrix);
  bool made() const { return made_; }  // since attach()
  // x := M^-1 x, [primal_dimension].
  void solve(double* x) const;

 private:
  // Blocks that are factorised together.
  struct Group {
    std::vector<int> component;  // of x, in the order of the rows of the factor
    std::vector<int> block;      // of each of them
    std::size_t at = 0;          // in factor_
    int first = -1;              // of its components, where they follow each other; else -1
    int alone = 0;               // as many of the first ones have no mass in common with others
    bool coupled = false;        // more than one block
    bool changed = true;         // there is no factor of the M in factor_
  };
  bool join(const BlockMatrix& matrix);
  void make_groups();
  double* entry(int row_component, int column_component);
  bool take(const ConstBlockRef& H, const Group& group, int place);
  int factorise(Group& group);
  void find_mixed();

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> root_;  // of each block: the first block of its group
  std::vector<Group> groups_;
  std::vector<int> group_of_, place_of_;  // of each component of x
  // Of each group n rows of n + 1 numbers: L on and below the diagonal, with the inverse of its diagonal, and M by
  // columns behind it. M of a body in six velocities stays what it is: it is then not factorised again.
  std::vector<double> factor_;
  // Of the first components of each group, as far as they have no mass in common with others: the inverse root of their mass;
  // of others 1. The groups that have others.
  std::vector<double> inverse_root_;
  std::vector<int> mixed_;
  bool made_ = false;
};

}  // namespace catena::detail
