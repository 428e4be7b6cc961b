#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/cli/listing.hpp>

namespace catena {

// Every key of a model file, from the tables and listings that its reader goes through.
void list_model_file(const Catalog& catalog, Listing& listing);

}  // namespace catena
