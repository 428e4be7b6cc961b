// The frame in which a motion is steady, and the motion on along it.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

#include <vector>

namespace catena::detail {

struct SteadyFrame {
  Vec3 turning = Vec3::Zero();  // world axes [rad/s]
  double unsteady = 0.0;        // LinearMotion::unsteady
  int block = 0;                // primal block of the largest change
  double acceleration = 0.0;    // that change [m/s^2, rad/s^2, or of coordinates of their own]
};

// Of a state with its accelerations. The frame's angular velocity w makes a - w x v of all bodies least, with that of their
// angular velocities and the rate of their inertias in the frame; of several the smallest. Systems in their own coordinates
// have no frame.
SteadyFrame find_steady_frame(const System& system, const State& state);

// The largest of the accelerations that the forces would give a body that nothing holds, there and displaced by its own
// size, and of the squared rates of the motion, over SystemLayout::scale [1/s^2]. lambda of the state is read.
double size_of_accelerations(const System& system, const State& state);

// E and S of a frame that turns with w; empty where all vanish.
std::vector<FrameRates> frame_rates(const System& system, const State& state, const Vec3& w);

// The state after `later` seconds of the steady motion: velocities are constant in the frame. a, lambda: zero.
State moved_along(const System& system, const State& state, const Vec3& w, double later);
// x [v_size] <- the components at `to` of the perturbation that is the same in the frame.
void carry(const System& system, const State& from, const State& to, const Vec3& w, double later, double* x);

}  // namespace catena::detail
