// The numbers of the kernels that are compiled per instruction set for eight lanes.
#pragma once

namespace catena {

// `none` is evaluated lane by lane in double.
enum class LaneKernel : int {
  none = -1,
  spherical,
  revolute,
  distance,
  spring_damper,
  knife_edge,
  disc_contact,
  rolling_disc
};
inline constexpr int lane_kernel_count = 7;

}  // namespace catena
