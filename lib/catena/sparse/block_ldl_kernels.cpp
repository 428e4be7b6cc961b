#include <catena/math/cpu.hpp>
#include <catena/math/isa.hpp>
#include <catena/sparse/block_ldl_kernels.hpp>

namespace catena {

inline namespace base {
const ldl::Kernels& ldl_kernels(bool symmetric);
}
#if defined(__x86_64__)
namespace avx2 {
const ldl::Kernels& ldl_kernels(bool symmetric);
}
namespace avx512 {
const ldl::Kernels& ldl_kernels(bool symmetric);
}
#endif

const ldl::Kernels& ldl::kernels(bool symmetric) {
#if defined(__x86_64__)
  if (instruction_set() == 2) return avx512::ldl_kernels(symmetric);
  if (instruction_set() == 1) return avx2::ldl_kernels(symmetric);
#endif
  return base::ldl_kernels(symmetric);
}

}  // namespace catena
