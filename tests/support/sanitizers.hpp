// Sanitizers have a heap of their own, which the C library does not count, and end a process that finds no memory.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CATENA_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CATENA_SANITIZED 1
#endif
#endif

namespace catena_test {

#ifdef CATENA_SANITIZED
inline constexpr bool own_heap = true;
#else
inline constexpr bool own_heap = false;
#endif

}  // namespace catena_test
