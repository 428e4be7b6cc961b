#include <catena/math/cpu.hpp>
#include <catena/model/kernels/lane_kernels.hpp>

namespace catena {

inline namespace base {
extern const LaneKernelTable lane_kernel_table;
}
#if defined(__x86_64__)
namespace avx2 {
extern const LaneKernelTable lane_kernel_table;
}
namespace avx512 {
extern const LaneKernelTable lane_kernel_table;
}
#endif

const LaneKernelTable& lane_kernels(int instruction_set_level) {
#if defined(__x86_64__)
  if (instruction_set_level == 2) return avx512::lane_kernel_table;
  if (instruction_set_level == 1) return avx2::lane_kernel_table;
#else
  (void)instruction_set_level;
#endif
  return base::lane_kernel_table;
}

const LaneKernelTable& lane_kernels() {
  static const LaneKernelTable& table = lane_kernels(instruction_set());
  return table;
}

}  // namespace catena
