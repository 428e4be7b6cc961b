// What a fuzz target says before it ends the process.
#pragma once
#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void broken(const char* claim) {
  std::fprintf(stderr, "broken: %s\n", claim);
  std::abort();
}
