#include <catena/assembly/body_kernels.hpp>
#include <catena/math/cpu.hpp>

namespace catena {

inline namespace base {
extern const BodyKernelTable body_kernel_table;
}
#if defined(__x86_64__)
namespace avx2 {
extern const BodyKernelTable body_kernel_table;
}
namespace avx512 {
extern const BodyKernelTable body_kernel_table;
}
#endif

const BodyKernelTable& body_kernels(int level) {
#if defined(__x86_64__)
  if (level == 2) return avx512::body_kernel_table;
  if (level == 1) return avx2::body_kernel_table;
#endif
  (void)level;
  return base::body_kernel_table;
}

const BodyKernelTable& body_kernels() { return body_kernels(instruction_set()); }

}  // namespace catena
