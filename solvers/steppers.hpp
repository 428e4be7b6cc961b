// The steppers that come with the library. A new one is a file pair, and a line here and in steppers.cpp.
#pragma once
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/hht.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/newmark.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/solvers/rattle.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/stepper/parts/stepper_entry.hpp>
#ifdef CATENA_HAS_SUNDIALS
#include <catena/solvers/ida.hpp>
#endif

#include <vector>

namespace catena {

std::vector<StepperEntry> builtin_steppers();

// Those that this build was configured without.
std::vector<LeftOutStepper> left_out_steppers();

}  // namespace catena
