// What the parts of study E share.
#pragma once
#include <catena/output/parts/study.hpp>
#include <catena/studies/detail/rotary_pendulum_runs.hpp>

namespace catena::detail::rotary_pendulum_study {

inline constexpr double period = 1.00120578078;  // T_p [s]

RotaryPendulumParameters maximal();  // in maximal coordinates
Event turning_back();                // terminal, where theta_1 does
// Largest of angles, modulo 2 pi, and rates at the end of two runs.
double difference(const RotaryPendulumRun& a, const RotaryPendulumRun& b);

void errors(StudyReport& report);

}  // namespace catena::detail::rotary_pendulum_study
