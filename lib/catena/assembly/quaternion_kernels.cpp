#include <catena/assembly/detail/quaternion_kernels.hpp>
#include <catena/math/detail/isa_copies.hpp>

namespace catena::detail {

CATENA_ISA_COPIES(quaternion_kernel_table, extern const QuaternionKernelTable quaternion_kernel_table)

const QuaternionKernelTable& quaternion_kernels() { return *quaternion_kernel_table_at(instruction_set()); }

}  // namespace catena::detail
