// The kernels of compiled_kernels.hpp as functions of a whole group, one copy per instruction set.
#pragma once
#include <catena/model/detail/kernel_args.hpp>

namespace catena::detail {

// Evaluates the elements of a group; needs ElementGroup::parameters.
using GroupFunction = void (*)(const KernelArgs&, const ElementGroup&);

struct LaneFunctions {
  int count = 0;
  const GroupFunction* group = nullptr;   // Pack<8>: all lanes at once
  const GroupFunction* scalar = nullptr;  // double, lane after lane, in the same instruction set
};

// Of an instruction set (math/parts/cpu.hpp), the highest that this processor offers by default; by the number of a kernel in
// CompiledKernels.
const LaneFunctions& lane_functions();
const LaneFunctions& lane_functions(int instruction_set_level);

}  // namespace catena::detail
