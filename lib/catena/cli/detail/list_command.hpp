#pragma once
#include <catena/cli/detail/listing.hpp>
#include <catena/experiment/catalog.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace catena::detail {

// problems, steppers, backends, constraints, forces, quantities, options, statuses, licences, model_file
const std::vector<std::string>& list_subjects();

// Everything of that kind: options with defaults, units, ranges and one line of meaning. "options" are those of the
// command line (list_options). Throws UsageError for an unknown subject.
void list_command(const std::string& subject, const Catalog& catalog, Listing& listing);

// The commands and options of the program, from the grammar that reads them.
void list_options(const CLI::App& app, Listing& listing);

// What does not come from the catalog: every key of a model file, exit codes and statuses, licences of what is linked.
void list_model_file(const Catalog& catalog, Listing& listing);
void list_statuses(Listing& listing);
void list_licences(Listing& listing);

}  // namespace catena::detail
