// Bytes to a file or a pipe, by as many calls of the system as that takes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace catena::detail {

// Return how many bytes were written; where that is less than size, errno says why.
std::size_t write_fully(int file, const void* bytes, std::size_t size);
std::size_t write_fully_at(int file, const void* bytes, std::size_t size, std::uint64_t at);

}  // namespace catena::detail
