// Counts every allocation of the program, in C libraries too: malloc and its relatives are wrapped.
// Include it in any number of files of a test program. Under a sanitizer, which brings its own malloc,
// counting is off: check allocation_counting_works().
#pragma once
#include "support/sanitizers.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#if __has_include(<mm_malloc.h>)
#include <mm_malloc.h>  // clang declares posix_memalign here without noexcept, which it forgives before ours only
#endif

#if !defined(CATENA_SANITIZED) && !defined(__GLIBC__)
#define CATENA_SANITIZED 1
#endif

namespace catena::test {

inline std::atomic<long> allocation_counter{0};

#ifdef CATENA_SANITIZED
constexpr bool allocation_counting_works() { return false; }
#else
constexpr bool allocation_counting_works() { return true; }
#endif

// Allocations, of all threads, while the function runs.
template <class Function>
long count_allocations(const Function& function) {
  const long before = allocation_counter.load();
  function();
  return allocation_counter.load() - before;
}

}  // namespace catena::test

#ifndef CATENA_SANITIZED
// Weak, so that several files may bring them; the program's own definitions win over the library's.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): names of the C library's own
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
// NOLINTEND(bugprone-reserved-identifier)

__attribute__((weak)) void* malloc(std::size_t size) noexcept {
  catena::test::allocation_counter.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t count, std::size_t size) noexcept {
  catena::test::allocation_counter.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
__attribute__((weak)) void* realloc(void* p, std::size_t size) noexcept {
  catena::test::allocation_counter.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(p, size);
}
__attribute__((weak)) void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  catena::test::allocation_counter.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
__attribute__((weak)) int posix_memalign(void** p, std::size_t alignment, std::size_t size) noexcept {
  catena::test::allocation_counter.fetch_add(1, std::memory_order_relaxed);
  *p = __libc_memalign(alignment, size);
  return *p == nullptr ? ENOMEM : 0;
}
}
#endif
