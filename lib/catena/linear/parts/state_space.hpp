// A linearized motion as ordinary differential equations, for analyses of small mechanisms and for control.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

#include <vector>

namespace catena {

// z' = A z in as many coordinates as perturbations are free; (x, y) = basis z.
struct StateSpace {
  Status status = Status::ok;  // singular_kkt, not_finite, or that of the motion
  Culprit culprit = {};
  int size = 0;                // two for each degree of freedom, less one for each independent velocity row
  std::vector<double> matrix;  // A, by rows, size x size
  // By rows, 2 v_size x size: x above, y below, in the components of State::v and per unit of z. Its columns are orthonormal
  // where x and y are divided by SystemLayout::scale, of translations by the reach at the body's joints where that is larger.
  std::vector<double> basis;
};

// Dense: for up to some hundred bodies. The work grows with the cube of their number.
StateSpace state_space(const LinearMotion& motion);

}  // namespace catena
