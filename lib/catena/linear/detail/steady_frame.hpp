// The frame in which a motion is steady, and the motion on along it.
#pragma once
#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/parts/linear_motion.hpp>

#include <vector>

namespace catena::detail {

// By how much a motion changes in a frame: the accelerations there.
struct Unsteady {
  double by = 0.0;  // the largest, over that of what acts on the same body (BlockAccelerations::size)
  int block = 0;    // its primal block
  double acceleration = 0.0;  // itself [m/s^2, rad/s^2, or of coordinates of their own]
};

// The angular velocity w [rad/s, world axes] of the frame of a state with its accelerations: it makes a - w x v of all bodies
// least, with that of their angular velocities and the rate of their inertias in the frame. It is normal to the planes of planar
// bodies. Systems in their own coordinates have no frame.
struct SteadyFrame {
  Vec3 smallest = Vec3::Zero();  // of several the smallest: a rotor on bearings of the ground
  Vec3 turning = Vec3::Zero();   // and the one that turns with the fastest body: joints that turn with a hub
};
SteadyFrame find_steady_frame(const System& system, const State& state);
// Of a state with its accelerations: those in the frame, in the components of State::v.
std::vector<double> accelerations_in_frame(const System& system, const State& state, const Vec3& w);
Unsteady largest_change(const SystemLayout& layout, const std::vector<double>& change,
                        const BlockAccelerations& sizes);

// The component of a block that is the largest over SystemLayout::scale.
double largest_of(const SystemLayout& layout, const std::vector<double>& change, int block);

// The largest rate of a body or of the frame [rad/s]; of a translation, over the largest size of a body or joint.
double fastest_turn(const System& system, const State& state, const Vec3& w);

// E and S of a frame that turns with w, in the components of State::v; empty where all vanish.
std::vector<FrameRates> frame_rates(const System& system, const State& state, const Vec3& w);

// The state after `later` seconds of the steady motion: velocities are constant in the frame. a, lambda: zero.
State moved_along(const System& system, const State& state, const Vec3& w, double later);
// x [v_size] <- the components at `to` of the perturbation that is the same in the frame.
void carry(const System& system, const State& from, const State& to, const Vec3& w, double later, double* x);

}  // namespace catena::detail
