// The runs behind the study of lie_dae: the two-link manipulator of the source, and what its tables list.
#pragma once
#include <catena/problems/two_link_manipulator.hpp>
#include <catena/solvers/lie_dae.hpp>

#include <array>
#include <string>
#include <vector>

namespace catena::detail::lie_dae_study {

inline constexpr std::array<LieDaeOptions::Index, 4> forms = {
    LieDaeOptions::Index::one, LieDaeOptions::Index::two, LieDaeOptions::Index::three,
    LieDaeOptions::Index::stabilized};
std::string name(LieDaeOptions::Index form);  // DAE1, DAE2, DAE3, DAES, as in the source

// Newton's method from V_n and lambda_n, stopped at |dV| < 1e-11 (|dV| < 1e-9 at h = 1e-5, what roundoff allows).
LieDaeOptions as_in_the_source(LieDaeOptions::Index form, double h);

// Along the run, at about a thousand instants.
struct Samples {
  std::vector<double> t, energy, kinetic, potential, gap, rate, acceleration, orthogonality;
  std::array<std::vector<double>, 6> position;  // centres of link 1, link 2 [m]
  std::array<std::vector<double>, 3> elbow, tip;
  std::array<std::vector<double>, 6> lambda;     // [N]
  std::array<std::vector<double>, 18> rotation;  // R_1, R_2 by rows
};

struct Result {
  bool finished = false;
  double energy = 0.0;                                        // delta(H), relative
  double position = 0.0, velocity = 0.0, acceleration = 0.0;  // epsilon of the three levels
  double orthogonality = 0.0;                                 // |R^T R - I| at the instants of the samples
  double iterations = 0.0;                                    // of Newton, a step
  std::vector<double> q, v, lambda;                           // at the end; q: positions and quaternions
  Samples samples;
};

// inertia: moments of both links, null: those of the problem. Velocities of the first step are left out of
// epsilon of the acceleration rows, as in the source.
Result run(const LieDaeOptions& options, double end, double h, const Vec3* inertia = nullptr);

// The primes of the source taken literally: index 3, and behind every step V = V' + B^T mu with B V = 0, which
// never comes back.
struct Literal {
  double energy_of_primed = 0.0, energy_of_projected = 0.0;  // delta(H) with V' and with V
  double rate_of_primed = 0.0, rate_of_projected = 0.0;      // |B V'|, |B V|
};
Literal run_literally(double end, double h);

}  // namespace catena::detail::lie_dae_study
