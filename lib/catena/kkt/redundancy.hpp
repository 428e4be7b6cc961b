// Whether constraints of a system say the same thing twice, and which.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/sparse/rank.hpp>

#include <string>
#include <vector>

namespace catena {

struct Redundancy {
  // Constraints whose rows depend on each other, from one left null space of G.
  struct Dependency {
    int rows = 0;  // how many of their rows are too many
    std::vector<std::string> constraints;
  };
  bool suspected = false;  // a pivot of the index-1 system is next to nothing beside its scale
  Culprit weakest;         // the constraint that it belongs to, and their ratio
  bool rank_known = false;
  int rows = 0, rank = 0;  // of G with rows of length 1; rank < rows: redundancy is proven
  std::vector<Dependency> dependencies;

  bool proven() const { return rank_known && rank < rows; }
};

// Suspects from the pivots of [M G^T; G -proximal] at the state, factorised by the library's own LDL whatever
// solver the steps use, and on suspicion asks the oracle for the rank; an empty oracle leaves it at the
// suspicion. design 4.3
Redundancy find_redundancy(const System& system, const State& state, const RankOracle& rank_of_rows);

// '3 of 20 constraint rows are redundant: 3 among joint "a" (revolute), joint "b" (revolute)'; "" where nothing
// is suspected.
std::string to_text(const Redundancy& redundancy);
// What stands behind the colon.
std::string dependent_constraints(const Redundancy& redundancy);

}  // namespace catena
