// The multipliers that belong to the positions and velocities of a state, whatever method has brought it there:
//
//     [M G^T; G 0] [a; Lambda] = [f; -bias]  at (t, q, P v),  P v the nearest velocity, in the norm of M, that the rows allow
//
// They have the order of q and v, where those of many methods have a lower one or belong to another instant
// (Traits::lambda_at). Where rows are redundant they are those that the solver's proximal term chooses.
// Redundant rows that contradict each other at q, by the roundoff or the gaps that a method leaves there, have no such
// multipliers: they are those at the nearest q that the rows allow.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/detail/index_1.hpp>

#include <optional>

namespace catena::detail {

class RecomputedMultipliers {
 public:
  // The system outlives it.
  explicit RecomputedMultipliers(const System& system) : system_(system) {}

  // [lambda_size], nan where the rows at the state have no such multipliers. One projection of v and one solution for
  // accelerations. Allocates at the first call. Not for two threads at once.
  const double* operator()(const State& state);

 private:
  bool solve();
  bool solve_on_rows();

  const System& system_;
  KktSolver kkt_;
  std::optional<ConsistentValues> consistent_;
  const double* discrete_ = nullptr;  // that consistent_ reads
  State at_;
  StepperStatistics statistics_;
  std::optional<Index1Equations> equations_;  // where rows have contradicted each other
};

}  // namespace catena::detail
