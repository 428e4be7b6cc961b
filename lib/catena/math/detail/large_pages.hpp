// Pages of 2 MB in place of 4 KB: fewer address translations for a stream through a large array, and one fault of fresh memory for
// 512.
#pragma once
#include <cstddef>

namespace catena::detail {

inline constexpr std::size_t large_page = std::size_t{1} << 21;  // [bytes]

// For the large pages that lie wholly in memory that was not written yet. Nothing happens where the system has none.
void ask_for_large_pages(void* begin, std::size_t bytes);

}  // namespace catena::detail
