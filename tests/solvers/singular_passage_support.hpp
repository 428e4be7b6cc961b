// Runs of the N-four-bar mechanism through its flat positions, where the rows of every window depend on each other.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/n_four_bar.hpp>

#include <algorithm>
#include <cmath>

namespace catena_test {

struct Passage {
  catena::RunResult run;
  // Of the upper ends of all posts against the exact solution, all windows being parallelograms [m].
  double error = 0.0;
};

// To t = 4 s: two turns, four flat positions. Bodies: in which coordinates they are.
template <class Bodies = catena::MultibodySystem>
Passage pass(const catena::NFourBarParameters& parameters, catena::Stepper& stepper, double h) {
  using namespace catena;
  const NFourBar problem(parameters);
  const Bodies system(problem.model());
  State state = system.initial_state();
  Passage passage;
  passage.run = run(system, stepper, state, {.step = h, .end = 4.0});
  std::vector<double> upper;
  for (const Reference& r : problem.references())
    if (r.t == 4.0 && r.subject == "B0" && r.quantity == "position [m]") upper = r.value;
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  for (int k = 0; k <= parameters.n; ++k) {  // posts are bodies 0, 2, 4, ...
    const Vec3 centre =
        bodies[static_cast<std::size_t>(2 * k)].position - static_cast<double>(k) * Vec3::Unit(0);
    for (int i = 0; i < 3; ++i)
      passage.error = std::max(passage.error, std::abs(2.0 * centre[i] - upper[static_cast<std::size_t>(i)]));
  }
  return passage;
}

}  // namespace catena_test
