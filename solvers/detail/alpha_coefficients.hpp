// What generalized_alpha and alpha_rattle share: the coefficients of Chung and Hulbert, and the weights of a first step
// that is solved together with its own start.
#pragma once
namespace catena::detail {

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
  double alpha() const { return alpha_m - alpha_f; }  // a_n belongs to t_n + alpha h
  // theta of a_0 = theta a_1 + (1 - theta) v'_0, which is a_0 = (1 - alpha) v'_0 + alpha v'_1 with v'_1 from a_1.
  double theta_of_start() const { return alpha() * (1.0 - alpha_m) / (1.0 - alpha_f - alpha_m * alpha()); }
};

// How v', v and q of a step change with a_{n+1}, where a_n = theta a_{n+1} + ...; theta = 0 but in a first step.
struct AlphaWeights {
  double mass, gamma, beta;  // dv' = mass da, dv = gamma h da, dq = beta h^2 da
  AlphaWeights(const AlphaCoefficients& c, double theta)
      : mass((1.0 - c.alpha_m + c.alpha_m * theta) / (1.0 - c.alpha_f)),
        gamma(c.gamma + (1.0 - c.gamma) * theta),
        beta(c.beta + (0.5 - c.beta) * theta) {}
};

}  // namespace catena::detail
