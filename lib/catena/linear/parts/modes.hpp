// Eigenvalues and modes of a linearized motion, and what they say about its stability.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

#include <complex>
#include <string>
#include <vector>

namespace catena {

struct Mode {
  std::complex<double>
      eigenvalue;              // s: perturbations grow as exp(s t) [1/s]; of a pair the one above the axis
  double frequency = 0.0;      // |Im s| / (2 pi) [Hz]
  double damping_ratio = 0.0;  // -Re s / |s|; 1 and -1 without oscillation, 0 where s = 0
  // Perturbation of the configuration [v_size], as State::v: displacements in world axes, turns in body axes. The
  // largest component over SystemLayout::scale is 1.
  std::vector<std::complex<double>> shape;
};

enum class Stability : std::uint8_t {
  stable,    // every perturbation dies out
  neutral,   // none grows exponentially, some do not die out: free motions and undamped oscillations
  unstable,  // some grow exponentially
  unknown    // not all eigenvalues were computed
};
const char* to_string(Stability s);

struct ModesOptions {
  int count = 10;      // of modes, those of the smallest |s - shift| first; positive
  double shift = 0.0;  // real [1/s]; only large damped or moving mechanisms need another than 0
  // Mechanisms of more velocities are analysed by iteration: those of up to this many by dense matrices, which give all
  // eigenvalues. The work of the latter grows with the cube, 1 s at 240 (measured).
  int largest_dense = 240;
  int iterations = 300;  // restarts of the iteration, at most; positive
  double tolerance =
      1e-10;  // of the residual of the iteration, relative; symmetric eigenvalues are exact to its square
};

struct Modes {
  Status status =
      Status::ok;  // that of the motion, singular_kkt, not_finite, newton_not_converged: the iteration
  Culprit culprit = {};
  std::vector<Mode> modes;  // zero eigenvalues are not among them
  Stability stability = Stability::unknown;
  int unstable =
      0;  // eigenvalues with a positive real part; at rest without dampers: directions in which K falls
  // Motions that meet no stiffness: 'body "link 3" can turn about (0, 0, 1)'; as many as there are zero eigenvalues that
  // a displacement belongs to.
  std::vector<std::string> free_motions;
  int zeros = 0;  // eigenvalues that vanish
  bool at_least =
      false;  // there may be more than `unstable` and `zeros` count: an iteration finds those near the shift
  bool all = false;    // every eigenvalue is there or counted as zero
  int missing = 0;     // modes of ModesOptions::count that an iteration did not reach
  std::string method;  // "dense symmetric", "dense", "Lanczos", "Arnoldi"
  int solves = 0;      // solutions of linear systems
};

Modes find_modes(const LinearMotion& motion, const ModesOptions& options = {});

// Of what moves in a shape: 'body "link 3" can turn about (0, 0, 1)', 'body "cart" can move along (1, 0, 0)', or 'body "a",
// body "b" and 3 more can move together'.
std::string free_motion(const System& system, const State& state, const std::vector<double>& shape);

}  // namespace catena
