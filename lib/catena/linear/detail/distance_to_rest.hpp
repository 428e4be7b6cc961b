// How far a state is from rest or from a steady motion, with each body measured by what acts on that body: a stiff or a light part
// hides nothing of the others.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/linear/parts/linear_motion.hpp>

#include <vector>

namespace catena::detail {

// Of each primal block the largest of its accelerations over SystemLayout::scale [1/s^2].
struct BlockAccelerations {
  std::vector<double> force;      // that the forces would give a body alone
  std::vector<double> reaction;   // that the multipliers would give it
  std::vector<double> stiffness;  // that its own stiffness would give it, displaced by its own size
  std::vector<double> motion;     // its squared rate
  double largest = 0.0;           // of all but stiffness

  // The largest of all that acts on a block and of its motion. A part of the largest of all blocks counts, whose roundoff is all
  // that accelerates a body on which nothing acts.
  double size(int block) const;
};
// lambda of the state is read.
BlockAccelerations block_accelerations(const System& system, const State& state);

// Of each primal block the largest |force_k| / (M_kk scale_k); `mass` has M.
std::vector<double> by_blocks(const SystemLayout& layout, const BlockMatrix& mass, const double* force);

struct Distance {
  double relative =
      0.0;  // the largest component over SystemLayout::scale; infinity: the matrix is singular or not finite
  int block = 0;  // whose it is
};
// Of a state without velocities, on its constraints and with multipliers: the displacement of Newton's method to the place of
// rest. A motion that meets less stiffness than the forces on the body have over its size counts with that. kkt: attached to
// the system; its numbers are lost.
Distance distance_to_rest(const System& system, const State& state, const BlockAccelerations& sizes,
                          KktSolver& kkt);
// Of a motion with accelerations `change` [v_size] in its frame: the displacement, there, that they give within 1 / rate [s].
Distance distance_to_steady(const LinearMotion& motion, const std::vector<double>& change,
                            const BlockAccelerations& sizes, double rate);

}  // namespace catena::detail
