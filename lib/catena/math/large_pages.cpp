#include <catena/math/detail/large_pages.hpp>

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace catena::detail {

void ask_for_large_pages(void* begin, std::size_t bytes) {
#if defined(__linux__)
  const std::size_t over = reinterpret_cast<std::uintptr_t>(begin) % large_page;
  const std::size_t skipped = over == 0 ? 0 : large_page - over;
  if (bytes < skipped + large_page) return;
  madvise(static_cast<char*>(begin) + skipped, (bytes - skipped) / large_page * large_page, MADV_HUGEPAGE);
#else
  (void)begin, (void)bytes;
#endif
}

}  // namespace catena::detail
