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

// Between a point of one body and a point of another; their parameters begin with these two points, in the frames of
// their bodies, and positions of the bodies enter by their difference alone.
constexpr bool joins_points(LaneKernel kernel) {
  return kernel == LaneKernel::spherical || kernel == LaneKernel::revolute ||
         kernel == LaneKernel::distance || kernel == LaneKernel::spring_damper;
}

}  // namespace catena
