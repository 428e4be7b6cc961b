#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

namespace generalized_alpha_unstable_long_tests {

using namespace catena;
using namespace catena::detail;

// It is chance whether a run ends before the 2 s, because the motion is chaotic: with 0.94 half of them. The program, which
// has another back end for indefinite matrices, loses it with 21 of 21 values from 0.95 to 0.99, the library with 13 of 15. Of
// those that are lost, in half a joint is found that its velocities miss, else the energy grows beyond all sense.
TEST_CASE("index 3 with rho_inf near 1 loses a chain of 200 hinges: unstable, and the way out is named") {
  HelixChainParameters p;
  p.n = 200;
  p.joint = ChainJoint::revolute;
  const MultibodySystem system(HelixChain(p).model());
  const auto end_of_run = [&](double rho_inf) {
    GeneralizedAlpha stepper({.rho_inf = rho_inf});
    State s = system.initial_state();
    return run(system, stepper, s, {.step = 1e-3, .end = 2.0});
  };
  int lost = 0, by_joint = 0;
  for (const double rho_inf : {0.97, 0.975, 0.98, 0.985, 0.99}) {
    CAPTURE(rho_inf);
    const RunResult result = end_of_run(rho_inf);
    if (result.status == Status::ok) continue;
    ++lost;
    CHECK(result.status == Status::unstable);
    if (result.culprit.name.find("joint") != 0) continue;
    ++by_joint;
    CHECK(result.message.find("index = 2") != std::string::npos);
  }
  CHECK(lost >= 4);
  CHECK(by_joint > 0);
  CHECK(end_of_run(0.8).status == Status::ok);
}

}  // namespace generalized_alpha_unstable_long_tests
