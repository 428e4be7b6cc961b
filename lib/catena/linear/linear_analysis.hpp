// What a mechanism does near a state of rest or a steady motion: equilibrium, linearized equations, modes, stability.
//
//   const Equilibrium rest = find_equilibrium(system, system.initial_state());
//   const LinearMotion linear = linearize(system, rest.state);
//   const Modes modes = find_modes(linear, {.count = 10});
//   for (const Mode& m : modes.modes) std::cout << m.frequency << " Hz\n";
//
// docs/theory/linear_analysis.md
#pragma once
#include <catena/linear/parts/equilibrium.hpp>
#include <catena/linear/parts/linear_motion.hpp>
#include <catena/linear/parts/modes.hpp>
#include <catena/linear/parts/state_space.hpp>
