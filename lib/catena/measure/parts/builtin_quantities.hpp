// The quantities that come with the library: energies, momenta, residuals, the state, bodies, reactions, points, the
// work of a step and the peaks of a run. docs/reference/quantities.md lists them.
#pragma once
#include <catena/measure/parts/quantity_catalog.hpp>

namespace catena {

QuantityCatalog builtin_quantities();

// The instant itself, the first column of every table [s].
Quantity time_quantity();

}  // namespace catena
