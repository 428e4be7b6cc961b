// What a comparison must know about the machine: one core, and a BLAS that is worth comparing with.
#pragma once
#include <dlfcn.h>
#include <sched.h>

#include <string>

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

}  // namespace catena::bench
