// The kernels of one instruction set, as a table of functions over the plan.
#pragma once
#include <catena/sparse/detail/block_ldl_plan.hpp>

namespace catena::detail::ldl {

// Every function runs the batches [begin, end) of one task; [end, next): those of the next; scratch: its chunk's
// records, work: its front.
struct Kernels {
  // x != nullptr: the forward sweep too, batch by batch
  void (*factor)(const Plan&, const Numbers&, int begin, int end, int next, double* scratch, double* work,
                 double* x, TaskReport*);
  void (*forward)(const Plan&, const Numbers&, int begin, int end, int next, double* scratch, double* work,
                  double* x);
  void (*backward)(const Plan&, const Numbers&, int begin, int end, int next, double* work, double* x);
};

// Kernels of the instruction set of this processor (math/parts/cpu.hpp).
const Kernels& kernels(bool symmetric);

}  // namespace catena::detail::ldl
