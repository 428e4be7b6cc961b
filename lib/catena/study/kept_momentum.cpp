#include <catena/measure/parts/momentum.hpp>
#include <catena/study/detail/kept_momentum.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// Sums of sizes over the bodies: m |v| [kg m/s], and m |x| |v| + |R J Omega| [kg m^2/s].
struct Sizes {
  double linear = 0.0, angular = 0.0;
};

Sizes sizes_of(const Model& model, const std::vector<RigidBodyState>& bodies) {
  Sizes sum;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Body& body = model.bodies()[k];
    if (body.fixed) continue;
    const RigidBodyState& s = bodies[k];
    sum.linear += body.mass * norm(s.velocity);
    sum.angular += body.mass * norm(s.position) * norm(s.velocity) + norm(body.inertia * s.angular_velocity);
  }
  return sum;
}

std::vector<int> axes_within(const Vec3& change, double limit) {
  std::vector<int> axes;
  for (int axis = 0; axis < 3 && limit > 0.0; ++axis)
    if (change[axis] <= limit) axes.push_back(axis);
  return axes;
}

}  // namespace

KeptMomentum momentum_kept_by(const Model& model, const MotionSample& start, const SampledMotion& motion) {
  constexpr double kept = 1e-8;
  const Momentum first = momentum(model, start.bodies);
  Sizes largest = sizes_of(model, start.bodies);
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (const MotionSample& sample : motion.samples) {
    if (!sample.reached) continue;
    const Momentum now = momentum(model, sample.bodies);
    const Sizes sizes = sizes_of(model, sample.bodies);
    largest.linear = std::max(largest.linear, sizes.linear);
    largest.angular = std::max(largest.angular, sizes.angular);
    for (int axis = 0; axis < 3; ++axis) {
      linear[axis] = std::max(linear[axis], std::abs(now.linear[axis] - first.linear[axis]));
      angular[axis] = std::max(angular[axis], std::abs(now.angular[axis] - first.angular[axis]));
    }
  }
  return {.about = axes_within(angular, kept * largest.angular),
          .along = axes_within(linear, kept * largest.linear)};
}

}  // namespace catena::detail
