// One run of one pair of the audit, recorded at instants that all step sizes share.
#pragma once
#include <catena/studies/detail/audit_subject.hpp>

namespace catena::detail::audit_detail {

// Of every step of a run.
struct WorstResiduals {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
  double velocity_rows = 0.0;  // the part of `velocity` that belongs to rows at velocity level
  // Each relative to what it is made of in its own step: 1 + |q|, 1 + |v|, and 1 + |a| + |v|^2 + (1 + |v|)/h.
  double relative_position = 0.0, relative_velocity = 0.0, relative_acceleration = 0.0;
};

struct Trace {
  std::string failure;  // empty: it reached its end
  Culprit culprit;      // of the failure
  std::vector<Sample> samples;
  State end;
  WorstResiduals residuals;
  int steps = 0;
  double smallest_step = 0.0;  // [s]
  double largest_q = 0.0, largest_v = 0.0, largest_a = 0.0, largest_energy = 0.0;
  // Largest part of a multiplier that changes its sign from step to step, a quarter of the second difference; behind
  // the first sample, where what a start excites has gone.
  double alternating_lambda = 0.0;
};

// Of methods of high order, whose steps are few.
constexpr int samples_per_run = 20, samples_of_high_order = 4;

// From the initial state, or from `from` where it is given, which is started anew. steps: a multiple of
// 2 samples_of_high_order; one of 2 samples_per_run is sampled so often. uneven: steps are longer and shorter by this part
// in turn.
Trace run_trace(const Subject& subject, Stepper& stepper, double end, int steps, double uneven = 0.0,
                const State* from = nullptr);
// Equal steps without a look at instants between: residuals, largest values and the end alone.
Trace run_coarse(const Subject& subject, Stepper& stepper, double end, int steps);

}  // namespace catena::detail::audit_detail
