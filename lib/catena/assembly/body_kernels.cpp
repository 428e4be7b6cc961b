#include <catena/assembly/detail/body_kernels.hpp>
#include <catena/math/detail/isa_copies.hpp>

namespace catena::detail {

CATENA_ISA_COPIES(body_kernel_table, extern const BodyKernelTable body_kernel_table)

const BodyKernelTable& body_kernels(int level) { return *body_kernel_table_at(level); }

const BodyKernelTable& body_kernels() { return body_kernels(instruction_set()); }

}  // namespace catena::detail
