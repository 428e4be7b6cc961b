#include <catena/measure/detail/quantity_groups.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/instant.hpp>

namespace catena {
using namespace detail;

Quantity time_quantity() {
  return {.name = "time",
          .unit = "s",
          .meaning = "of the instant",
          .evaluate = [](const Instant& at, double* out) { *out = at.t(); }};
}

QuantityCatalog builtin_quantities() {
  QuantityCatalog all;
  add_step(all);
  add_energy(all);
  add_momentum_quantities(all);
  add_residuals(all);
  add_work(all);
  add_energy_parts(all);
  add_worst_rows(all);
  add_state(all);
  add_bodies(all);
  add_reactions(all);
  add_joints(all);
  add_forces(all);
  add_drives(all);
  add_points(all);
  add_peaks(all);
  return all;
}

}  // namespace catena
