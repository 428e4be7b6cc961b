#pragma once
#include <catena/experiment/catalog.hpp>

namespace catena {

// Everything that comes with the library.
Catalog builtin();

}  // namespace catena
