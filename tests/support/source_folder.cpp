#include "support/source_folder.hpp"

namespace catena_test {

std::filesystem::path source_folder() { return CATENA_SOURCE_FOLDER; }

}  // namespace catena_test
