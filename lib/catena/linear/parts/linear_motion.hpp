// The equations of motion, linearized about a state of rest or a steady motion:
//
//     M w + D y + K x + G^T dlambda = 0,   w = y' - S y,   x' = y - E x,   G x = 0,   A y + N x = 0.
//
// x [v_size] is the perturbation of the configuration, q exp(x), and y that of the velocity, both in the components of
// State::v and with a dash for their rates in a frame in which the motion is steady. That frame turns with an angular velocity
// `turning`, which is found from the accelerations: 0 for straight motion and rest, that of the precession of a top. In it
// the coefficients are constant. E and S follow from the frame alone; both vanish at rest.
#pragma once
#include <catena/math/small.hpp>
#include <catena/sparse/parts/block_matrix.hpp>
#include <catena/system/system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

struct LinearizeOptions {
  // Largest LinearMotion::unsteady, and largest change of the coefficients along the motion over the largest coefficient;
  // positive. Equilibria and steady motions that were computed end below 1e-9;
  // a state that is typed with six digits is off by 1e-6.
  double tolerance = 1e-6;
};

// E x = (shift x x_1, turn x x_2) for the three displacements x_1 and the three turns x_2 of a body; S likewise. Points and planar
// bodies have x_1 alone, the latter of their three components: shift is (0, 0, the rate about the normal).
struct FrameRates {
  Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();      // of E [rad/s], world and body axes
  Vec3 s_shift = Vec3::Zero(), s_turn = Vec3::Zero();  // of S
};

struct LinearMotion {
  // inconsistent_start: the state violates its constraints, or is not steady; unsupported: an element samples the motion;
  // singular_kkt, not_finite. The matrices are there where it is ok.
  Status status = Status::ok;
  Culprit culprit = {};

  const System* system = nullptr;  // must outlive this
  State state = {};                // with its velocities moved onto the constraints, a and lambda
  bool at_rest = false;            // no velocity at all
  Vec3 turning = Vec3::Zero();     // of the frame, world axes [rad/s]
  // By how much the state is not steady. At rest: how far Newton's method would move a body, over its size. In motion: the largest
  // change of a velocity in the frame, relative to the acceleration that the forces would give the same body alone, there or
  // displaced by its own size, or to its squared speed over its size.
  double unsteady = 0.0;
  std::string unsteady_block = {};  // 'body "bob"', whose velocity that is

  // H of them: M, D and K. C of the first: G and A; of the third: N, for all rows.
  std::shared_ptr<BlockMatrix> mass = nullptr, damping = nullptr, stiffness = nullptr;
  std::vector<FrameRates> frame = {};  // one a primal block; empty: E = S = 0
  bool symmetric = false;              // at rest, without D and velocity rows, K symmetric: x'' = -omega^2 x
  // Components of x that nothing acts on and that act on nothing, at rest: the turns of point masses. Analyses leave them out.
  std::vector<std::uint8_t> idle = {};
  int idle_count = 0;
};

// Of a state that is on its constraints, with any consistent velocities. a and lambda of the state are not read: they are
// computed, of redundant rows the smallest multipliers. No exception is thrown.
LinearMotion linearize(const System& system, const State& state, const LinearizeOptions& options = {});

}  // namespace catena
