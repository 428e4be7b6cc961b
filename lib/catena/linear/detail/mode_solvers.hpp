// Ways to compute modes. Each fills modes, unstable, zeros, free_motions, all, stability, status of a Modes.
#pragma once
#include <catena/linear/parts/modes.hpp>

namespace catena::detail {

// By dense matrices: all eigenvalues. The first for LinearMotion::symmetric, the second for all.
void dense_symmetric_modes(const LinearMotion& motion, Modes& modes);
void dense_modes(const LinearMotion& motion, Modes& modes);

// By iteration with one factorisation a shift: the modes of the smallest |s - shift|. The first for
// LinearMotion::symmetric.
void lanczos_modes(const LinearMotion& motion, const ModesOptions& options, Modes& modes);
void arnoldi_modes(const LinearMotion& motion, const ModesOptions& options, Modes& modes);

// A mode with its frequency and damping ratio; the shape is scaled as Mode says.
Mode make_mode(const System& system, std::complex<double> s, std::vector<std::complex<double>> shape);
// The two of omega^2 = -s^2 with one real shape: a pair, or two real eigenvalues.
void add_square(const System& system, double omega_squared, const std::vector<double>& shape, Modes& modes);
void add_free_motion(const LinearMotion& motion, const std::vector<double>& shape, Modes& modes);

}  // namespace catena::detail
