// From a problem to the system that a stepper works on, and the check that the two fit.
#pragma once
#include <catena/cli/catalog.hpp>

#include <memory>
#include <string>

namespace catena {

// The problem's own system, or its model in the coordinates wanted. Throws ModelError for a model that makes no
// sense.
std::unique_ptr<System> make_system(const Problem& problem, Coordinates coordinates);

// Names of all steppers of the catalog that take the problem with their default options, "a, b and c"; else "none in
// the catalog takes it".
std::string steppers_for(const Problem& problem, const Catalog& catalog);

}  // namespace catena
