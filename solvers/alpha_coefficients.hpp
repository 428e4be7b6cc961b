// What generalized_alpha and alpha_rattle share: the coefficients of Chung and Hulbert, the weights of a first step
// that is solved together with its own start, and how constraint rows are scaled.
#pragma once
#include <catena/math/level.hpp>
#include <catena/math/option.hpp>

#include <cmath>

namespace catena {

struct AlphaCoefficients {
  double alpha_m = 0.0, alpha_f = 0.0, beta = 0.0, gamma = 0.0;

  // rho: spectral radius at infinite frequency, [0, 1].
  static AlphaCoefficients of(double rho) {
    AlphaCoefficients c;
    c.alpha_m = (2.0 * rho - 1.0) / (1.0 + rho);
    c.alpha_f = rho / (1.0 + rho);
    c.beta = 0.25 * (1.0 - c.alpha()) * (1.0 - c.alpha());
    c.gamma = 0.5 - c.alpha();
    return c;
  }
  // (sum over n of (h^2 v'_n)^2)^1/2 where q_1 = 1 and q_n = 0 in all other steps: what independent roundoff of
  // positions makes of accelerations. v'_n are the coefficients of (1 + rho)^2 (z - 1)^2 ((2 - rho) z + 2 rho - 1) /
  // (z + rho)^3. rho < 1.
  static double gain_from_positions(double rho);
  double alpha() const { return alpha_m - alpha_f; }  // a_n belongs to t_n + alpha h
  // theta of a_0 = theta a_1 + (1 - theta) v'_0, which is a_0 = (1 - alpha) v'_0 + alpha v'_1 with v'_1 from a_1.
  double theta_of_start() const { return alpha() * (1.0 - alpha_m) / (1.0 - alpha_f - alpha_m * alpha()); }
};

inline double AlphaCoefficients::gain_from_positions(double rho) {
  const double factor = (1.0 + rho) * (1.0 + rho);
  const double ahead[4] = {2.0 - rho, 4.0 * rho - 5.0, 4.0 - 5.0 * rho, 2.0 * rho - 1.0};
  double last[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  for (int n = 0; n < 1000000; ++n) {
    const double next =
        (n < 4 ? factor * ahead[n] : 0.0) - rho * (3.0 * last[0] + rho * (3.0 * last[1] + rho * last[2]));
    last[2] = last[1];
    last[1] = last[0];
    last[0] = next;
    sum += next * next;
    if (n > 4 && std::abs(last[0]) + std::abs(last[1]) + std::abs(last[2]) < 1e-3) break;
  }
  return std::sqrt(sum);
}

// How v', v and q of a step change with a_{n+1}, where a_n = theta a_{n+1} + ...; theta = 0 but in a first step.
struct AlphaWeights {
  double mass, gamma, beta;  // dv' = mass da, dv = gamma h da, dq = beta h^2 da
  AlphaWeights(const AlphaCoefficients& c, double theta)
      : mass((1.0 - c.alpha_m + c.alpha_m * theta) / (1.0 - c.alpha_f)),
        gamma(c.gamma + (1.0 - c.gamma) * theta),
        beta(c.beta + (0.5 - c.beta) * theta) {}
};

// The factor of the constraint rows. natural: 1/(beta h^2) on position rows and 1/(gamma h) on velocity rows, which
// makes the matrix symmetric. The others, as printed in papers, need the whole matrix factorised.
enum class RowScaling { natural, none, over_h, over_h2 };

inline void visit_scaling(OptionVisitor& visitor, RowScaling& scaling) {
  visit_choice(visitor,
               {"scaling", "",
                "factor of the constraint rows; natural: 1/(beta h^2) or 1/(gamma h), a symmetric matrix "
                "whose condition does not depend on h"},
               scaling, {"natural", "none", "1/h", "1/h^2"});
}

// The rows of one kind are this factor times the natural ones.
inline double relative_to_natural(RowScaling scaling, double h, double natural) {
  switch (scaling) {
    case RowScaling::natural:
      return 1.0;
    case RowScaling::none:
      return 1.0 / natural;
    case RowScaling::over_h:
      return 1.0 / (h * natural);
    case RowScaling::over_h2:
      return 1.0 / (h * h * natural);
  }
  return 1.0;
}

enum class MassJacobian { exact, extrapolated };

inline void visit_mass_jacobian(OptionVisitor& visitor, MassJacobian& mass_jacobian) {
  visit_choice(visitor,
               {"mass_jacobian", "",
                "exact: M(q_{n+1}) and its derivative; extrapolated: M(q_n + h v_n), which has none"},
               mass_jacobian, {"exact", "extrapolated"});
}

}  // namespace catena
