// Where the sources of the project lie, for tests that read its files.
#pragma once
#include <filesystem>

namespace catena_test {

std::filesystem::path source_folder();

}  // namespace catena_test
