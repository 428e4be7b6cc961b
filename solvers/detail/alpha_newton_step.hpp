// The Newton iteration of alpha_rattle: the unknown dq / (beta h^2), scaled rows, and the weights of the matrix.
#pragma once
#include <catena/solvers/detail/alpha_coefficients.hpp>
#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/stepper/parts/row_scaling.hpp>

#include <cmath>

namespace catena::detail {

// What the rows of a kind are, over their natural scaling.
inline double relative_scale(RowScaling scaling, const AlphaWeights& w, RowKind kind, double h) {
  const double natural = kind == RowKind::position ? 1.0 / (w.beta * h * h) : 1.0 / (w.gamma * h);
  return relative_to_natural(scaling, h, natural);
}

// The matrix without what is of order h; w: of theta = 0. Its rows and multipliers have factors of their own, and the
// proximal term is quadratic in C. velocity_level: all rows are those of the velocity level.
inline Linearization alpha_mass_and_rows(RowScaling scaling, const AlphaWeights& w, double h,
                                         bool velocity_level) {
  Linearization lin;
  lin.mass = w.mass;
  lin.position_rows.jacobian = std::sqrt(relative_scale(scaling, w, RowKind::position, h));
  lin.velocity_rows.jacobian = std::sqrt(relative_scale(scaling, w, RowKind::velocity, h));
  if (velocity_level) lin.position_rows = lin.velocity_rows;
  return lin;
}

// All but how velocity rows enter the matrix, and the options. held: a compliance holds rows that are redundant from
// the start.
inline NewtonStep alpha_newton_step(RowScaling scaling, const AlphaWeights& w, double h, bool held) {
  const double of_position = relative_scale(scaling, w, RowKind::position, h),
               of_velocity = relative_scale(scaling, w, RowKind::velocity, h);
  NewtonStep step;
  step.h = h;
  step.unit = w.beta * h * h;
  step.position_factor = of_position / (w.beta * h * h);
  step.velocity_factor = of_velocity / (w.gamma * h);
  step.weights.mass = w.mass;
  step.weights.damping = w.gamma * h;
  step.weights.stiffness = w.beta * h * h;
  step.weights.position_rows = {of_position, 0.0, 0.0};
  step.weights.velocity_rows = {0.0, of_velocity, of_velocity * w.beta * h / w.gamma};
  step.closing_solves = held ? closing_solves : 0;
  return step;
}

}  // namespace catena::detail
