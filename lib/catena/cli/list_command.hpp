#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/cli/listing.hpp>

#include <string>
#include <vector>

namespace catena {

// problems, steppers, backends, constraints, forces, options, statuses, licences, model_file
const std::vector<std::string>& list_subjects();

// Everything of that kind: options with defaults, units, ranges and one line of meaning. "options" are those of the
// command line (list_options.hpp). Throws UsageError for an unknown subject.
void list_command(const std::string& subject, const Catalog& catalog, Listing& listing);

}  // namespace catena
