#include <catena/output/version.hpp>

namespace catena {

const char* version() { return CATENA_VERSION; }

}  // namespace catena
