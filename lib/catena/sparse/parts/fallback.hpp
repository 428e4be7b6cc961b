// The pivoting solver that a stepper takes for matrices that its own solver refuses, where the program states none.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena {

// KLU in programs that link the component backends, as those do that link catena::catena; empty in others. Every stepper of
// the library that is given no fallback takes it when it is attached.
LinearSolverFactory default_fallback();

// The fallback of a stepper that shall have none: a step whose matrix its own solver refuses is cut.
LinearSolverFactory no_fallback();

namespace detail {

// What a stepper hands to its KKT layer: `given`, the default in place of an empty one, empty in place of no_fallback().
LinearSolverFactory chosen_fallback(const LinearSolverFactory& given);

// Called once, while the program is loaded, by the component that has a pivoting solver.
void set_default_fallback(LinearSolverFactory fallback);

}  // namespace detail
}  // namespace catena
