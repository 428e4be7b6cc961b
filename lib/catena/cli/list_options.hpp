// The commands and options of the program, from the grammar that reads them.
#pragma once
#include <catena/cli/listing.hpp>

namespace CLI {
class App;
}

namespace catena {

void list_options(const CLI::App& app, Listing& listing);

}  // namespace catena
