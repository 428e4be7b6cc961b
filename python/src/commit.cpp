#include "commit.hpp"

namespace catena::python {

const char* commit() { return CATENA_COMMIT; }

}  // namespace catena::python
