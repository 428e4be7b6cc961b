#pragma once
#include <catena/cli/catalog.hpp>

namespace catena {

// Everything that comes with the library.
Catalog builtin();

}  // namespace catena
