// A force along coordinates of its own, as a stepper sees it that takes stiff ones like rows of a joint.
#pragma once
#include <array>

namespace catena {

// At one point: with s(q) the coordinates and D = ds/dq, the force Q(s, s', t) along them acts on the velocities with D^T Q.
struct ForceAlong {
  static constexpr int most = 6;  // coordinates
  using Square = std::array<std::array<double, most>, most>;
  struct Body {
    int block = -1;            // primal block; -1: it does not move
    int first = 0, count = 0;  // its velocities in v
    Square rows{};             // of D: `size` rows, `count` columns
  };
  int size = 0;  // of s
  std::array<Body, 2> body;
  std::array<double, most> force{};   // Q [N, N m]
  Square by_coordinate{}, by_rate{};  // dQ/ds, dQ/ds'
};

}  // namespace catena
