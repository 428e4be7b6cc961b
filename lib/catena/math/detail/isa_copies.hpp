// The choice among the copies of what a *.isa.cpp file defines, one per instruction set.
#pragma once
#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/isa.hpp>

// Inside namespace catena, in one .cpp file: declares the copies of `name` and a function name_at(level) that
// returns the address of one of them; level as instruction_set() of math/cpu.hpp.
//     CATENA_ISA_COPIES(table, extern const Table table)
//     const Table& best = *table_at(instruction_set());
#if defined(__x86_64__) && !defined(CATENA_ONE_ISA)
#define CATENA_ISA_COPIES(name, ...)                                            \
  inline namespace base {                                                       \
  __VA_ARGS__;                                                                  \
  }                                                                             \
  namespace avx2 {                                                              \
  __VA_ARGS__;                                                                  \
  }                                                                             \
  namespace avx512 {                                                            \
  __VA_ARGS__;                                                                  \
  }                                                                             \
  static auto name##_at(int level) {                                            \
    return level == 2 ? &avx512::name : level == 1 ? &avx2::name : &base::name; \
  }
#else
#define CATENA_ISA_COPIES(name, ...) \
  inline namespace base {            \
  __VA_ARGS__;                       \
  }                                  \
  static auto name##_at(int) { return &base::name; }
#endif
