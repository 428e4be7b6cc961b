// What libraries read from the environment before main(): the program starts once more with it.
#pragma once
#include <unistd.h>

#include <cstdlib>

// Values that the user has set stay.
inline void start_with_environment(char** argv) {
  struct Variable {
    const char *name, *value;
  };
  constexpr Variable wanted[] = {
      // OpenBLAS, of the supernodal back ends, starts its threads before main(), each with memory of its own; where that is
      // limited (ulimit -v) a thread that gets none waits for it forever, and the process cannot end. Threads here are those
      // of --threads alone.
      {"OPENBLAS_NUM_THREADS", "1"},
      // Memory in large pages: with pages of 4 kB half of a step of 300 000 bodies is waiting for the translation of
      // addresses (docs/howto/study_scaling.md). glibc from 2.35 on; others have no such variable.
      {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"},
  };
  bool changed = false;
  for (const Variable& v : wanted)
    changed = (std::getenv(v.name) == nullptr && setenv(v.name, v.value, 1) == 0) || changed;
  if (changed) execv("/proc/self/exe", argv);  // returns where it fails: the program continues as it is
}
