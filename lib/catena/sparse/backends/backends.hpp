// The linear solvers by name: the explicit list behind `--backend`.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include <string_view>
#include <vector>

namespace catena {

struct BackendInfo {
  const char* name;
  const char* meaning;         // one line
  bool ldlt, ldu;              // factorizations it offers
  bool indefinite_H;           // correct for any inertia of H
  bool couplings;              // takes blocks H_ij
  bool reuses_pivots = false;  // of earlier matrices, where they suffice: a resumed run has other last bits
};

// All back ends, the default first.
const std::vector<BackendInfo>& backends();

// A solver by its name, or null when there is none of that name.
std::unique_ptr<LinearSolver> make_backend(std::string_view name);

// The fallback that the command line and every scenario of builtin() hand to a stepper, KLU: for matrices that the stepper's
// own back end refuses. For programs that make a stepper themselves: GeneralizedAlpha stepper({}, {}, pivoting_fallback()).
LinearSolverFactory pivoting_fallback();

}  // namespace catena
