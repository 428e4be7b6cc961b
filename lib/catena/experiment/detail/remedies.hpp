// What to take instead, where a stepper and a problem or a back end do not fit.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/setup.hpp>

#include <string>

namespace catena::detail {

// Why the back end of the setup refuses the system, which others take it, and which choices among the stepper's options
// would help; one sentence. Empty where it does not refuse.
std::string backend_refusal(const System& system, const Setup& setup, const Catalog& catalog);

// Names of all steppers of the catalog that take the problem with their default options, "a, b and c"; else "none in
// the catalog takes it".
std::string steppers_for(const Problem& problem, const Catalog& catalog);

}  // namespace catena::detail
