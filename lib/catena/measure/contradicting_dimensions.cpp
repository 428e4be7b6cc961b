#include <catena/kkt/detail/contradiction.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/contradicting_dimensions.hpp>

#include <optional>

namespace catena::detail {

std::string contradicting_dimensions(const System& system, const State& state, double* gap) {
  const std::optional<Contradiction> open = contradicting_positions(system, state);
  if (!open) return {};
  if (gap != nullptr) *gap = open->amount;
  return "no positions satisfy all rows: " + system.constraint_name(open->constraint) +
         printed(
             " is off by %.2g at the nearest ones, because rows depend on each other and their dimensions do "
             "not fit; "
             "give points, axes and positions with all 16 digits, or put a joint into the loop that leaves "
             "the redundant "
             "directions free",
             open->amount);
}

}  // namespace catena::detail
