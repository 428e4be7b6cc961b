#include <catena/math/isa_copies.hpp>
#include <catena/model/kernels/lane_kernels.hpp>

namespace catena {

CATENA_ISA_COPIES(lane_kernel_table, extern const LaneKernelTable lane_kernel_table)

const LaneKernelTable& lane_kernels(int instruction_set_level) {
  return *lane_kernel_table_at(instruction_set_level);
}

const LaneKernelTable& lane_kernels() {
  static const LaneKernelTable& table = lane_kernels(instruction_set());
  return table;
}

}  // namespace catena
