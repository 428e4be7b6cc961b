#include <catena/output/detail/version.hpp>

namespace catena::detail {

const char* version() { return CATENA_VERSION; }

}  // namespace catena::detail
