// The BLAS of the supernodal back ends with one thread.
#pragma once
#include <unistd.h>

#include <cstdlib>

// OpenBLAS starts its threads before main(), each with memory of its own; where that is limited (ulimit -v) a thread that
// gets none waits for it forever, and the process cannot end. Threads here are those of --threads alone. The variable is
// read when the library is loaded: the program starts once more with it. A value that the user has set stays.
inline void start_with_one_blas_thread(char** argv) {
  constexpr const char* name = "OPENBLAS_NUM_THREADS";
  if (std::getenv(name) != nullptr || setenv(name, "1", 1) != 0) return;
  execv("/proc/self/exe", argv);  // returns where it fails: the program continues as it is
}
