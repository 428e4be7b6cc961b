// What a comparison must know about the machine: one core, and a BLAS that is worth comparing with.
#pragma once
#include <catena/driver/parts/run_result.hpp>
#include <catena/math/parts/threads.hpp>

#include <dlfcn.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

namespace catena::bench {

// The core this thread happens to run on, from now on the only one. -1: the system refused.
inline int pin_to_one_core() {
  const int core = sched_getcpu();
  if (core < 0) return -1;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(core), &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0 ? core : -1;
}

struct Blas {
  bool optimised = false;  // reference BLAS is several times slower than what a user would install
  std::string config, core;
};

// Asks the BLAS that the linked libraries use, and sets it to one thread.
inline Blas single_threaded_blas() {
  Blas blas;
  auto call = [](const char* symbol) -> std::string {
    auto* f = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, symbol));
    return f == nullptr ? "" : f();
  };
  blas.config = call("openblas_get_config");
  blas.core = call("openblas_get_corename");
  blas.optimised = !blas.config.empty();
  if (auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(1);
  return blas;
}

// A failed run ends the program: its time would be that of something else.
inline void end_unless_ok(const RunResult& r) {
  if (r.status == Status::ok) return;
  std::fprintf(stderr, "failed: %s, %s %s %g\n", to_string(r.reason()), r.culprit.name.c_str(),
               r.culprit.quantity.c_str(), r.culprit.value);
  std::exit(1);
}

struct Count {
  std::string_view key;  // "--bodies"
  int* value;
};

// Reads `key number` pairs, then holds the program to one core and one thread. False, with a sentence, for an unknown
// key and where the rivals would run on reference BLAS.
inline bool ready(int argc, char** argv, std::initializer_list<Count> counts) {
  for (int k = 1; k + 1 < argc; k += 2) {
    bool known = false;
    for (const Count& count : counts)
      if (count.key == argv[k]) {
        *count.value = std::atoi(argv[k + 1]);
        known = true;
      }
    if (known) continue;
    std::fprintf(stderr, "unknown option %s\n", argv[k]);
    return false;
  }
  pin_to_one_core();
  if (single_threaded_blas().optimised) return true;
  std::fprintf(stderr, "refused: the rivals would run on reference BLAS; install libopenblas0\n");
  return false;
}

}  // namespace catena::bench
