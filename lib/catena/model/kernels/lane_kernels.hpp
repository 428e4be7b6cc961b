// The kernels that are compiled once per instruction set, for a whole group in eight lanes.
#pragma once
#include <catena/model/kernel_args.hpp>
#include <catena/model/lane_kernel_number.hpp>

namespace catena {

struct LaneKernelTable {
  using Function = void (*)(const KernelArgs&, const ElementGroup&);
  Function group[lane_kernel_count];   // Pack<8>: all lanes at once
  Function scalar[lane_kernel_count];  // double, lane after lane, in the same instruction set
};

// The table of an instruction set (math/cpu.hpp), the highest that this processor offers by default.
// Group functions need ElementGroup::parameters.
const LaneKernelTable& lane_kernels();
const LaneKernelTable& lane_kernels(int instruction_set_level);

}  // namespace catena
