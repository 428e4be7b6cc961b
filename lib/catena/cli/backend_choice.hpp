// What to do where a back end cannot take the matrices of a stepper.
#pragma once
#include <catena/cli/catalog.hpp>
#include <catena/cli/run_command.hpp>

namespace catena {

// The sentence for the user: why the back end refuses, which others take the system, and which choices among the
// stepper's options would help. Empty where it does not refuse. request: completed, with stepper and options.
std::string backend_refusal(const System& system, const std::string& stepper, const std::string& backend,
                            const RunRequest& request, const Catalog& catalog);

}  // namespace catena
