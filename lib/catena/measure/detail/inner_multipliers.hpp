// Multipliers inside a step, from its t, q and v: for methods whose own are better than a line between the ends of the step.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>

namespace catena::detail {

class InnerMultipliers {
 public:
  // The system outlives it.
  explicit InnerMultipliers(const System& system) : system_(system) {}

  // Those of other methods lie on the line to the order of the method.
  static bool are_needed(const Traits& traits) { return traits.order_lambda > 2; }

  // Replaces accelerations and multipliers of a node by those of the index-1 system at its t, q, v and discrete values, which
  // stay where they are from call to call. Where the matrix is singular they remain. Allocates at the first call.
  void solve(State& node);

 private:
  const System& system_;
  KktSolver kkt_;
  std::optional<ConsistentValues> consistent_;
  bool refused_ = false;  // no back end takes the system
};

}  // namespace catena::detail
