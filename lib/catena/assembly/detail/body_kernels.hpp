// The body kernels of the instruction set that this machine has.
#pragma once
#include <catena/assembly/detail/body_kernel.hpp>

namespace catena::detail {

struct BodyKernelTable {
  // Eight lanes at once.
  void (*evaluate)(const KernelArgs&, const BodyGroup&);
  void (*retract)(int first, int count, const RetractArgs& args);
  void (*inverse_tangent)(int first, int count, const double* increment, const double* delta, double* out);
  void (*tangent)(int first, int count, const double* increment, const double* delta, double* out);
  void (*energies)(int count, const double* inertia, const double* gravity, const double* q, const double* v,
                   BodyEnergies& out);
  // One lane after the other with S = double: the same bits, for tests.
  void (*evaluate_scalar)(const KernelArgs&, const BodyGroup&);
  void (*retract_scalar)(int first, int count, const RetractArgs& args);
};

// level: as instruction_set() of math/parts/cpu.hpp; the table of the machine itself without an argument.
const BodyKernelTable& body_kernels(int level);
const BodyKernelTable& body_kernels();

}  // namespace catena::detail
