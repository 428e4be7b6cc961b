#include <catena/kkt/detail/contradiction.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/contradicting_dimensions.hpp>

#include <optional>

namespace catena::detail {

namespace {

constexpr const char* remedy =
    "give points, axes and positions with all 16 digits, or put a joint into the loop that leaves the "
    "redundant directions free";

}  // namespace

std::string contradicting_dimensions(const System& system, const State& state, double* gap) {
  const std::optional<Contradiction> open = contradicting_positions(system, state);
  if (!open) return {};
  if (gap != nullptr) *gap = open->amount;
  return "no positions satisfy all rows: " + system.constraint_name(open->constraint) +
         printed(
             " is off by %.2g at the nearest ones, because rows depend on each other and their dimensions do "
             "not fit; ",
             open->amount) +
         remedy;
}

std::string contradicting_dimensions_near(const System& system, const State& state) {
  constexpr double way = 0.3;  // of a body's size: errors of 1e-11 of axes and points leave some 1e-12 of it
  const std::optional<Contradiction> open = contradicting_positions_near(system, state, way);
  if (!open) return {};
  return "rows that depend on each other fit at these positions alone: " +
         system.constraint_name(open->constraint) +
         printed(" is off by %.2g after a motion of %.2g of the size of a body; ", open->amount, way) +
         remedy;
}

}  // namespace catena::detail
