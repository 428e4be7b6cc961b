// How long the next step should be, from the errors of the last ones: for every stepper that chooses its steps.
#pragma once
#include <algorithm>
#include <cmath>

namespace catena {

// A digital filter of errors e (in tolerances, at most 1 in accepted steps) and step ratios:
//
//     h_next = h safety e_n^-of_error e_{n-1}^-of_error_before (h_n / h_{n-1})^-of_ratio
//
// of_error_before = of_ratio = 0: elementary control, of_error = 1/k where the error falls with h^k. Sources: Hairer,
// Wanner, Solving ODEs II, IV.2 (PI control); Soderlind, ACM Trans. Math. Softw. 29 (2003) 1-26 (digital filters).
struct StepController {
  double of_error = 0.2, of_error_before = 0.0, of_ratio = 0.0;
  double safety = 0.9, smallest_factor = 0.2, largest_factor = 10.0;
  double kept_factor = 1.0;  // a step that would grow by less keeps its size
  // Smaller errors are remembered as this one, also before the first step: they say that a step was far too short, not
  // that the next one may be as much longer (DOPRI5).
  static constexpr double least_error = 1e-4;

  // Hairer, Norsett, Wanner (DOPRI5): the exponent of the last error is 0.04, that of the present one 1/k - 0.75 * 0.04.
  static StepController proportional_integral(int k) { return {1.0 / k - 0.75 * 0.04, -0.04}; }
  // Soderlind's H211b with b = 4: smooth sequences of steps.
  static StepController filter(int k) { return {0.25 / k, 0.25 / k, 0.25}; }

  struct Step {
    double h = 0.0, error = 0.0;        // accepted
    double error_before = least_error;  // of the step before
    double ratio = 1.0;                 // h / h of the step before
    double asked = 0.0, advised = 0.0;  // [s] what the driver wanted, and what the last advice was
    bool rejected = false;              // an attempt at a longer step failed
  };
  // The advice after an accepted step. It does not grow after a rejection; a step that the driver made shorter than the
  // advice says little, and does not shorten the next one.
  double next(const Step& step) const {
    double factor = safety * std::pow(step.error, -of_error) * std::pow(step.error_before, -of_error_before);
    if (of_ratio != 0.0) factor *= std::pow(step.ratio, -of_ratio);
    if (factor > 1.0 && factor < kept_factor) factor = 1.0;
    const double h = step.h * std::clamp(factor, smallest_factor, largest_factor);
    if (step.rejected) return std::min(h, step.h);
    return step.asked < step.advised ? std::max(h, step.advised) : h;
  }
  // The factor after an attempt with this error; one that failed for another reason has none (at most 1).
  double cut(double error) const {
    return error > 1.0 ? std::max(smallest_factor, safety * std::pow(error, -of_error)) : smallest_factor;
  }
};

}  // namespace catena
