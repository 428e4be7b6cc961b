// Errors of multipliers in tolerances, for steppers that choose their steps by them too (KindTolerances::control_lambda).
#pragma once
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/detail/recomputed_multipliers.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

class MultiplierErrors {
 public:
  // rtol_position: relative tolerance of the positions, that of multipliers where they have none.
  MultiplierErrors(const KindTolerances& kinds, double rtol_position)
      : wanted_(kinds.control_lambda),
        rtol_(kinds.rtol_lambda > 0.0 ? kinds.rtol_lambda : rtol_position),
        atol_(kinds.atol_lambda) {}

  // The system outlives it.
  void attach(const System& system);
  // The system has multipliers, and their errors count.
  bool wanted() const { return recomputed_.has_value(); }

  // Those that belong to t, q and v of a state (recomputed_multipliers.hpp) [lambda_size]. Overwritten at the next call.
  const double* belonging_to(const State& state) { return (*recomputed_)(state); }
  // Of lambda at an end with t, q, a and discrete values of `end`, where `other` is what it should be. Components are numbered
  // behind the velocities.
  LocalError operator()(const State& end, const double* lambda, const double* other);

 private:
  double largest_inertia_force(const State& end);

  bool wanted_ = false;
  double rtol_ = 0.0, atol_ = 0.0;
  const System* system_ = nullptr;
  std::optional<RecomputedMultipliers> recomputed_;
  std::vector<double> inertia_;
};

}  // namespace catena::detail
