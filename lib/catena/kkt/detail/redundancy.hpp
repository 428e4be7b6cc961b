// Finds redundant rows of a system and the constraints to which they belong.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/sparse/detail/rank.hpp>

#include <array>
#include <string>
#include <vector>

namespace catena::detail {

struct Redundancy {
  // Constraints whose rows depend on each other, from one left null space of G.
  struct Dependency {
    int rows = 0;  // how many of their rows are redundant
    std::vector<std::string> constraints;
  };
  bool suspected = false;  // a pivot of the index-1 system is below suspicious_ratio proximal terms
  Culprit weakest;         // the constraint that it belongs to, and their ratio
  bool rank_known = false;
  int rows = 0, rank = 0;  // of G with rows of length 1; rank < rows: redundancy is proven
  std::vector<Dependency> dependencies;
  // Of the rows - rank dependent ones, how many are independent at configurations near by: the state is singular, a taut
  // string or a four-bar in one line, and forces there depend on the method.
  int here_only = 0;

  // Independent rows that miss a dependence by less than 1e-4 of their length, an axis off by as many radians say, and the
  // smallest singular value of the independent rows, in units of the bodies' sizes; 0: not known, or a large system.
  int nearly_dependent = 0;
  double smallest_singular_value = 0.0;
  std::vector<std::string> nearly_among;  // the constraints of those rows and of the dependent ones

  // Multipliers that do not act on any body, one set [lambda_size] for each redundant row; empty where there are too many.
  std::vector<std::vector<double>> null_vectors;
  // What of the reactions of joints they leave open; filled where reactions are known (measure/detail/open_reactions.hpp).
  struct Open {
    int constraint = 0;  // dual block
    std::string name = {};
    bool force[3] = {false, false, false}, torque[3] = {false, false, false};  // along x, y, z
    bool joint_axes =
        false;  // those of the first marker of the joint; else, as of a joint without an axis, of the world
  };
  std::vector<Open> open;  // by constraint, ascending
  // Null: all components of its reaction are unique.
  const Open* open_of(int constraint) const;

  bool proven() const { return rank_known && rank < rows; }
  // Nothing can move, and rows that nearly depend on others are the reason.
  bool locks(int velocities) const { return rank_known && nearly_dependent > 0 && rank == velocities; }
};

// Rows of open chains and trees are independent by their structure (peeled_rows.hpp). Of other systems, checks the pivots of
// [M G^T; G -proximal] at the state, always by the library's own factorisation. Where one is suspicious, the oracle computes
// the rank, and where that is too small, the rank after a small motion that the rows allow; without an oracle the result is
// a suspicion only.
Redundancy find_redundancy(const System& system, const State& state, const RankOracle& rank_of_rows);

// Along x, y, z: three of the force, three of the torque; true: open. redundancy: null where it was not looked for.
std::array<bool, 6> open_components(const Redundancy* redundancy, int constraint);

// '3 of 20 constraint rows are redundant: 3 among joint "a" (revolute), joint "b" (revolute)'; "" without a suspicion.
std::string to_text(const Redundancy& redundancy);
// 'force z, torque x, y'
std::string components(const Redundancy::Open& open);
// That and why a mechanism locks(), with the constraints.
std::string locking_text(const Redundancy& redundancy);
// The part of it after the colon.
std::string dependent_constraints(const Redundancy& redundancy);

}  // namespace catena::detail
