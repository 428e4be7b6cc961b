#pragma once
#include <catena/cli/catalog.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace catena {

// problems, steppers, backends, constraints, forces
const std::vector<std::string>& list_subjects();

// Everything of that kind in the catalog: options with defaults, units, ranges and one line of meaning. Throws
// UsageError for an unknown subject.
void list_command(const std::string& subject, const Catalog& catalog, std::ostream& out);

}  // namespace catena
