// Coordinates of forces that are so stiff over a step that a simplified iteration takes them like rows of a joint. The force
// tau along such a coordinate s, with s' = D v, is an unknown of every stage beside its increment, as a multiplier is:
//
//     M W + G^T L - D^T tau = f - D^T Q,   tau = Q(s, s', t)
//
// With K = -dQ/ds, C = -dQ/ds' and an eigenvalue mu of A^-1 / h, Newton's correction of the second, in units of zeta = mu^2 dxi,
//
//     D zeta + mu^2 S dtau = rho,   rho = mu^2 S (Q - tau),   S = (K + mu C)^-1
//
// has a small compliance mu^2 S beside that of the bodies, D M^-1 D^T. A real one takes its place, 1/kappa with
// kappa = (h/g)^2 K + (h/g) C of the real eigenvalue g / h. It is eliminated: one real matrix for all stages,
//
//     [M + D^T kappa D, G^T; G, 0] [zeta; dL] = [r + D^T kappa rho; .],   dtau = kappa (rho - D zeta)
//
// and the iteration contracts by about 1.7 / (kappa D M^-1 D^T). docs/theory/radau.md
#pragma once
#include <catena/system/system.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

namespace catena::detail {

class StiffCoordinates {
 public:
  enum class Found : std::uint8_t {
    soft,     // no coordinate is stiff over the step
    rows,     // some are, so much so that they may be taken like rows; no other one is
    between,  // at least one is stiff, but not so much
  };

  // h^2 K / 16 M + h C / 4 M from which the simplified iteration is slow for it.
  static constexpr double stiff_from = 0.1;

  void attach(const System& system);
  bool any() const { return !forces_.empty(); }
  std::size_t size() const { return size_; }  // of the arrays tau, rho of all coordinates, stiff or not

  // Of a step of size h: which coordinates are stiff at its middle, kappa and S. mass: of that place, in the diagonal blocks.
  Found find(const System& system, const Point& middle, const BlockMatrix& mass, double h);

  void add_to(BlockMatrix& matrix) const;  // D^T kappa D
  // Of a stage: balance += D^T (tau - Q), rest = Q - tau. Zero along coordinates that are not stiff.
  void exchange(const System& system, const Point& stage, const double* tau, double* balance,
                double* rest) const;
  void law(const System& system, const Point& at, double* tau) const;  // Q of all coordinates
  // From Q - tau to rho, of the real eigenvalue and of the complex one (real and imaginary parts).
  void to_rho(double* rest) const;
  void to_rho(double* real, double* imaginary) const;
  void push(const double* rho, double* x) const;                // x += D^T kappa rho
  void force_of(const double* zeta, double* rho) const;         // rho <- dtau
  void subtract_kappa_times(const double* v, double* x) const;  // x -= D^T kappa D v
  void add_damping_times(const double* v, double* x) const;     // x += D^T C D v
  // Of the end of a step, from Q - tau to rho of a motion at rest: how far s is from where Q(s) = tau. The largest
  // |Q - tau| / |tau|.
  double to_gap(const double* tau, double* rest) const;
  double missed(const double* zeta,
                const double* rho) const;  // the largest |rho - D zeta| / |rho| of a force that has a rho

 private:
  using Complex = std::complex<double>;
  struct Force {
    ForceAlong middle;
    std::size_t at = 0;  // in the arrays
    int coupling = -1;   // of its two bodies in the matrix
    bool swapped = false;
    int count = 0;                            // of its stiff coordinates
    std::array<int, ForceAlong::most> row{};  // which they are
    // Of the stiff ones.
    ForceAlong::Square kappa{}, damping{}, gap{}, real{};
    std::array<std::array<Complex, ForceAlong::most>, ForceAlong::most> complex{};
    bool has_gap = false;
  };
  bool choose(Force& f, double h, bool& between) const;
  // Of the stiff coordinates of one force: D v; its numbers in an array of all, and back there; x += D^T y.
  static std::array<double, ForceAlong::most> along(const Force& f, const double* v);
  static std::array<double, ForceAlong::most> taken(const Force& f, const double* all);
  static void put(const Force& f, const std::array<double, ForceAlong::most>& x, double* all);
  static void add_across(const Force& f, const ForceAlong& rows, const double* y, double* x);
  template <class Matrix>
  void add_square_times(const Matrix& matrix, double sign, const double* v, double* x) const;

  std::vector<Force> forces_;
  std::size_t size_ = 0;
  std::vector<double> inverse_mass_;  // by velocities
};

}  // namespace catena::detail
