#include <catena/math/detail/isa_copies.hpp>
#include <catena/sparse/detail/block_ldl_kernels.hpp>

namespace catena::detail {

CATENA_ISA_COPIES(ldl_kernels, const ldl::Kernels& ldl_kernels(bool symmetric))

const ldl::Kernels& ldl::kernels(bool symmetric) { return ldl_kernels_at(instruction_set())(symmetric); }

}  // namespace catena::detail
