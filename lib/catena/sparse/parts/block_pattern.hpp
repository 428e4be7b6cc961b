// The structure of a KKT system: a hypergraph whose nodes are primal blocks (the velocities of a body)
// and whose edges are dual blocks (the rows of a constraint and the one or more bodies it ties).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace catena {

// The matrix is
//     [ H   B ]     H: primal x primal; diagonal blocks plus couplings
//     [ C  -D ]     B, C: one slot each per incidence; D: diagonal
// Primal blocks are numbered 0 .. primal_size.size()-1, dual blocks likewise, each kind on its own.
struct BlockPattern {
  struct Coupling {  // springs, geometric stiffness: H_ij and H_ji, i != j, at most one entry a pair
    int i, j;
  };
  struct Incidence {  // row block `dual` acts on body block `primal`; at most one entry a pair
    int dual, primal;
  };

  std::vector<int> primal_size;  // unknowns of each primal block, 1 ... about 30
  std::vector<int> dual_size;    // rows of each dual block
  std::vector<Coupling> couplings;
  std::vector<Incidence> incidences;

  // Optional: the place of each incidence and coupling in the storage of its shape (see BlockMatrix), for
  // owners whose kernels write eight neighbouring slots as one pack. Empty: in order of appearance.
  std::vector<int> incidence_place;
  std::vector<int> coupling_place;

  // Optional, one flag a dual block: the norm of a quaternion, one row on one primal block of seven unknowns that sees the last
  // four of them alone, without compliance. Either no block has one or each does. H may vanish along it.
  std::vector<std::uint8_t> norm_row;

  // Optional, one flag each. primal_split: H of the block, of six or seven unknowns, is always c I_3 + one block of the others on
  // its diagonal, and what couples two such blocks is zero in the first three rows and columns. incidence_split: the first three
  // rows of the block are [s I_3 | any], all others [0 | any]. Rigid bodies without springs and joints that begin as a ball joint
  // give both.
  std::vector<std::uint8_t> primal_split, incidence_split;

  // Filled by finish(): position of each block in the solution vector, primal blocks first.
  std::vector<int> primal_offset, dual_offset;
  int primal_dimension = 0, dual_dimension = 0;

  int primal_count() const { return static_cast<int>(primal_size.size()); }
  int dual_count() const { return static_cast<int>(dual_size.size()); }
  bool is_norm(int dual) const { return !norm_row.empty() && norm_row[static_cast<std::size_t>(dual)] != 0; }
  int dimension() const { return primal_dimension + dual_dimension; }
  // The block, numbered among its kind, that component `at` of a solution vector belongs to.
  int block_of(int at) const;

  // Computes the offsets and checks the indices (assert: a wrong pattern is a bug of its owner).
  void finish();
};

}  // namespace catena
