// Which components of linear and angular momentum a motion keeps.
#pragma once
#include <catena/model/model.hpp>
#include <catena/study/detail/motion_samples.hpp>

#include <vector>

namespace catena::detail {

// Axes of the world, 0 to 2, about which the angular momentum is kept, and along which the linear one is.
struct KeptMomentum {
  std::vector<int> about = {}, along = {};
};

// Those that stay within 1e-8 of the sum of the sizes over all bodies, at the instants that the motion has reached: a motion
// known to 1e-10 shows forces without a moment, and a component that is not kept changes by its own size. None where all bodies
// rest.
KeptMomentum momentum_kept_by(const Model& model, const MotionSample& start, const SampledMotion& motion);

}  // namespace catena::detail
