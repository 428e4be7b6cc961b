#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/isa_copies.hpp>

namespace catena::detail {

CATENA_ISA_COPIES(array_kernel_table, extern const ArrayKernels array_kernel_table)

const ArrayKernels& array_kernels() {
  static const ArrayKernels& best = *array_kernel_table_at(instruction_set());
  return best;
}

}  // namespace catena::detail
