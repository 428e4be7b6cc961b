// The flexible slider crank of the test set for IVP solvers: a driven crank, a connecting rod that bends and stretches, and a
// slider; springs of up to 3e4 rad/s beside a turn of 150 rad/s, rows that move, nothing that damps.
//
// Sources: B. Simeon, Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs, Mathematical Modelling of
// Systems 2 (1996) 1-18; F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), II.9, without
// its damping and its nonlinear stiffness. pi has eight digits there.
#pragma once
#include <catena/system/coordinate_system.hpp>

#include <cmath>

namespace catena_test {

// (phi_1, phi_2, x_3, q_1 ... q_4): angles of crank and rod [rad], the slider [m], two modes of bending across the rod, and its
// stretch at the middle and at the end [m].
struct FlexibleSliderCrank {
  template <class S, int n>
  using Vec = catena::Vec<S, n>;
  template <class S, int r, int c>
  using Mat = catena::Mat<S, r, c>;

  static constexpr int coordinates = 7;
  static constexpr double crank_length = 0.15, rod_length = 0.3;                 // [m]
  static constexpr double rod_mass = 0.151104, slider_mass = 0.075552;           // [kg]
  static constexpr double crank_inertia = 0.002727, rod_inertia = 0.0045339259;  // [kg m^2]
  static constexpr double density = 7870.0, elasticity = 2e11,
                          side = 0.008;   // [kg/m^3], [N/m^2], [m] of the square section
  static constexpr double omega = 150.0;  // of the crank [rad/s]
  static constexpr double pi = 3.1415927;

  // Of the rod: mass and stiffness of its shape functions, and integrals of them and of their products.
  Mat<double, 4, 4> mass_of_rod = Mat<double, 4, 4>::Zero(), stiffness = mass_of_rod,
                    gyroscopic = mass_of_rod;
  Vec<double, 4> along = Vec<double, 4>::Zero(), across = along, moment_along = along, moment_across = along;

  FlexibleSliderCrank() {
    const double volume = side * side * rod_length, m = density * volume;
    const double k = elasticity * side * side / rod_length, slenderness = side / rod_length;
    const double bending = k * std::pow(pi, 4) * slenderness * slenderness;
    mass_of_rod(0, 0) = mass_of_rod(1, 1) = 0.5 * m;
    mass_of_rod(2, 2) = 8.0 * m;
    mass_of_rod(2, 3) = mass_of_rod(3, 2) = m;
    mass_of_rod(3, 3) = 2.0 * m;
    stiffness(0, 0) = bending / 24.0;
    stiffness(1, 1) = bending * 2.0 / 3.0;
    stiffness(2, 2) = k * 16.0 / 3.0;
    stiffness(2, 3) = stiffness(3, 2) = -k * 8.0 / 3.0;
    stiffness(3, 3) = k * 7.0 / 3.0;
    const double cubic = 8.0 / std::pow(pi, 3);
    gyroscopic(0, 2) = -2.0 * cubic * volume;
    gyroscopic(0, 3) = (cubic - 1.0 / pi) * volume;
    gyroscopic(1, 3) = 0.5 / pi * volume;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) gyroscopic(i, j) = -gyroscopic(j, i);
    along[2] = volume * 2.0 / 3.0;
    along[3] = volume / 6.0;
    across[0] = volume * 2.0 / pi;
    moment_along[2] = rod_length * volume / 3.0;
    moment_along[3] = rod_length * volume / 6.0;
    moment_across[0] = rod_length * volume / pi;
    moment_across[1] = -rod_length * volume * 0.5 / pi;
  }

  template <class S>
  static S product(const Vec<double, 4>& a, const Vec<S, 4>& b) {
    S sum(0.0);
    for (int i = 0; i < 4; ++i) sum += a[i] * b[i];
    return sum;
  }
  template <class S>
  static Vec<S, 4> product(const Mat<double, 4, 4>& a, const Vec<S, 4>& b) {
    Vec<S, 4> x;
    for (int i = 0; i < 4; ++i) {
      x[i] = S(0.0);
      for (int j = 0; j < 4; ++j) x[i] += a(i, j) * b[j];
    }
    return x;
  }
  template <class S>
  static Vec<S, 4> elastic(const Vec<S, 7>& all) {
    return {{all[3], all[4], all[5], all[6]}};
  }

  template <class S>
  Mat<S, 7, 7> mass(const Vec<S, 7>& x) const {
    using std::cos;
    using std::sin;
    const Vec<S, 4> q = elastic(x), moving = product(mass_of_rod, q), turning = product(gyroscopic, q);
    const S c = cos(x[0] - x[1]), s = sin(x[0] - x[1]);
    Mat<S, 7, 7> M = Mat<S, 7, 7>::Zero();
    M(0, 0) = S(crank_inertia + rod_mass * crank_length * crank_length);
    M(0, 1) = 0.5 * crank_length * rod_length * rod_mass * c +
              density * crank_length * (s * product(across, q) + c * product(along, q));
    M(1, 1) = rod_inertia + 2.0 * density * product(moment_along, q);
    for (int i = 0; i < 4; ++i) M(1, 1) += q[i] * moving[i];
    M(2, 2) = S(slider_mass);
    for (int i = 0; i < 4; ++i) {
      M(0, 3 + i) = density * crank_length * (c * across[i] - s * along[i]);
      M(1, 3 + i) = density * (moment_across[i] - turning[i]);
      for (int j = 0; j < 4; ++j) M(3 + i, 3 + j) = S(mass_of_rod(i, j));
    }
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < i; ++j) M(i, j) = M(j, i);
    return M;
  }
  template <class S>
  Vec<S, 7> force(const Vec<S, 7>& x, const Vec<S, 7>& rates, const S&) const {
    using std::cos;
    using std::sin;
    const Vec<S, 4> q = elastic(x), v = elastic(rates);
    const S c = cos(x[0] - x[1]), s = sin(x[0] - x[1]), crank = rates[0] * rates[0],
            rod = rates[1] * rates[1];
    const Vec<S, 4> moving = product(mass_of_rod, q), turning = product(gyroscopic, v),
                    pulled = product(stiffness, q);
    const double rigid = 0.5 * crank_length * rod_length * rod_mass, arm = density * crank_length;
    Vec<S, 7> f;
    f[0] = rod * (arm * (c * product(across, q) - s * product(along, q)) - rigid * s) -
           2.0 * arm * rates[1] * (c * product(along, v) + s * product(across, v));
    f[1] = crank * (rigid * s + arm * (s * product(along, q) - c * product(across, q))) -
           2.0 * density * rates[1] * product(moment_along, v);
    f[2] = S(0.0);
    for (int i = 0; i < 4; ++i) {
      f[1] -= 2.0 * rates[1] * v[i] * moving[i];
      f[3 + i] = rod * (moving[i] + density * moment_along[i]) +
                 arm * crank * (c * along[i] + s * across[i]) + 2.0 * density * rates[1] * turning[i] -
                 pulled[i];
    }
    return f;
  }
  template <class S>
  Vec<S, 3> gap(const Vec<S, 7>& x, const S& t) const {
    using std::cos;
    using std::sin;
    const S length = rod_length + x[6];
    return {{crank_length * sin(x[0]) + length * sin(x[1]),
             x[2] - crank_length * cos(x[0]) - length * cos(x[1]), x[0] - omega * t}};
  }
  template <class S>
  S potential(const Vec<S, 7>& x) const {
    const Vec<S, 4> q = elastic(x), pulled = product(stiffness, q);
    S sum(0.0);
    for (int i = 0; i < 4; ++i) sum += 0.5 * q[i] * pulled[i];
    return sum;
  }
};

// Near the smooth motion: the start of the test set, with x_3 and the rates of phi_2 and x_3 by the rows.
inline catena::CoordinateSystem<FlexibleSliderCrank> flexible_slider_crank() {
  using C = FlexibleSliderCrank;
  constexpr double q3 = 0.103339863e-4, q4 = 0.169327969e-4, v4 = -0.268938672e-5;
  return catena::CoordinateSystem<C>(C{},
                                     {{0.0, 0.0, C::crank_length + C::rod_length + q4, 0.0, 0.0, q3, q4}},
                                     {{C::omega, -C::crank_length * C::omega / (C::rod_length + q4), v4,
                                       0.444896105, 0.463434311e-2, -0.178591076e-5, v4}});
}

}  // namespace catena_test
