// What a result was computed with, so that it can be computed again.
#pragma once
#include <catena/math/option.hpp>

#include <string>
#include <utility>
#include <vector>

namespace catena {

struct OptionValue;

struct Manifest {
  using Entries = std::vector<std::pair<std::string, std::string>>;
  Entries run = {};                // problem, stepper, back end, command, ...
  Entries parameters = {};         // of the problem, with units
  Entries options = {};            // of the stepper and of the run, with units
  std::string commit = "unknown";  // that the program was built from
};

// Version, commit, compiler and its flags, processor, instruction set, threads, date, host.
Manifest::Entries machine_entries(const std::string& commit);
// "0.8", "0.02 s": values with their units.
Manifest::Entries entries(const std::vector<OptionValue>& options);

// Now, UTC: "2024-05-01T12:00:00Z".
std::string date_now();

}  // namespace catena
