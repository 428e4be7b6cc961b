// The quantities of the library, group by group; builtin_quantities() adds them in the order of tables.
#pragma once
#include <catena/measure/parts/quantity_catalog.hpp>

#include <string>
#include <vector>

namespace catena::detail {

inline const std::vector<std::string> xyz{"x", "y", "z"};  // components of a vector

void add_step(QuantityCatalog& all);                 // time and size of the step
void add_work(QuantityCatalog& all);                 // counts of the stepper
void add_energy(QuantityCatalog& all);               // of the whole system
void add_energy_parts(QuantityCatalog& all);         // gravity, forces
void add_residuals(QuantityCatalog& all);            // largest rows
void add_worst_rows(QuantityCatalog& all);           // which they are
void add_peaks(QuantityCatalog& all);                // largest values of the run so far
void add_state(QuantityCatalog& all);                // q, v, a, lambda, discrete values
void add_bodies(QuantityCatalog& all);               // poses and velocities
void add_points(QuantityCatalog& all);               // that the problem follows
void add_momentum_quantities(QuantityCatalog& all);  // of all bodies
void add_reactions(QuantityCatalog& all);            // of constraints on bodies
void add_joints(QuantityCatalog& all);               // their coordinates
void add_forces(QuantityCatalog& all);               // power and work
void add_drives(QuantityCatalog& all);               // the same of joints that are driven

}  // namespace catena::detail
