// Options of explicit steppers with an embedded solution.
#pragma once
#include <catena/math/option.hpp>
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/parts/kind_tolerances.hpp>

#include <cstdint>

namespace catena {

struct ExplicitOptions {
  enum class Control : std::uint8_t { adaptive, fixed };
  Control control = Control::adaptive;
  // A step is accepted where the root mean square of error_i / (atol s_i + rtol |y_i|) is at most 1; s_i is the
  // characteristic size of component i (SystemLayout). Bodies have no |q|: there it counts as s_i.
  double rtol_position = 1e-8, atol_position = 1e-8;
  double rtol_velocity = 1e-8, atol_velocity = 1e-8;  // s_i per second
  KindTolerances kinds{};
  double initial_step = 0.0;    // [s] 0: from the first two derivatives
  double max_step = 0.0;        // [s] 0: no limit
  bool stiffness_check = true;  // ends a run whose steps stability limits, not accuracy
  // dependent_rows, pole, jumping_rows, stability, and those of a method of one's own; without stiffness_check stability
  // is off
  GuardOptions guards{};
};
extern const GuardType jumping_rows_guard, stability_guard;

// Lists the options. own: the guards of a method of one's own (ExplicitStepper's constructor).
void visit_explicit(OptionVisitor& visitor, ExplicitOptions& options, const GuardSet& own);
inline void visit(OptionVisitor& visitor, ExplicitOptions& options) { visit_explicit(visitor, options, {}); }

}  // namespace catena
