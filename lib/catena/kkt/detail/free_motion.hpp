// What the constraints of a system let move at a state.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <vector>

namespace catena::detail {

// A motion that differs in all components before it is projected, in the metric of the masses, onto G v = drift; its largest
// component is 1 in units of the layout's scale. drift [lambda_size]; null: none. False: the rows allow no motion. kkt is
// factorised with the masses (evaluate_mass_and_rows).
bool allowed_motion(const System& system, KktSolver& kkt, const double* drift, std::vector<double>& v);

struct FreeMotion {
  bool known = false;     // false: the matrix of the masses and rows has no factorisation
  bool driven = false;    // some constraint moves by itself
  bool any = false;       // something can move, freely or because a drive moves it
  std::vector<int> held;  // blocks of velocities that cannot move while others can, ascending
  bool at_rest = false;   // no velocity, and no acceleration
};

// At the positions of the state. Drives and forces are looked at in 17 instants from the state's to `end` [s], so that a drive
// that begins later counts; one that is at rest in all of them does not.
FreeMotion find_free_motion(const System& system, const State& state, double end);

}  // namespace catena::detail
