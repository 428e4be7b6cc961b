// The energy of RATTLE over a million steps: bounded, and without a drift.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/rattle.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rattle_long_tests {

using namespace catena;

TEST_CASE("the energy of rattle has no drift over a million steps of 1 ms") {
  constexpr int steps = 1000000, every = 20;
  for (const int n : {1, 2}) {  // a pendulum in space, and two bars whose motion is chaotic
    CAPTURE(n);
    const MultibodySystem chain(HelixChain({.n = n}).model());
    Rattle stepper;
    State state = chain.initial_state();
    REQUIRE(stepper.attach(chain).status == Status::ok);
    REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
    const double begin = chain.energy(point_of(state)).total();
    double kinetic = 0.0;
    std::vector<double> means;  // of hundredths of the run: the error of a step has died out in them
    for (int part = 0; part < 100; ++part) {
      double sum = 0.0;
      for (int k = 0; k < steps / 100; ++k) {
        if (stepper.step(state, 1e-3).status != Status::ok) FAIL("a step failed");
        if (k % every != 0) continue;
        const Energy energy = chain.energy(point_of(state));
        kinetic = std::max(kinetic, energy.kinetic);
        sum += energy.total() - begin;
      }
      means.push_back(sum * 100.0 * every / steps);
    }
    double largest = 0.0, slope = 0.0, spread = 0.0, mean = 0.0, squares = 0.0;
    for (std::size_t k = 0; k < means.size(); ++k) mean += means[k] / 100.0;
    for (std::size_t k = 0; k < means.size(); ++k) {
      const double from_middle = static_cast<double>(k) - 49.5;
      largest = std::max(largest, std::abs(means[k]));
      slope += from_middle * means[k];
      squares += from_middle * from_middle;
    }
    slope /= squares;
    for (std::size_t k = 0; k < means.size(); ++k) {
      const double off = means[k] - mean - slope * (static_cast<double>(k) - 49.5);
      spread += off * off / 98.0;
    }
    CAPTURE(mean);
    CAPTURE(slope);
    CAPTURE(largest);
    MESSAGE("bars " << n << ": kinetic energy to " << kinetic << " J, largest mean error " << largest
                    << " J, slope " << slope << " +- " << std::sqrt(spread / squares) << " J a hundredth");
    // The slope over the run is below three of its standard errors, or below 1e-9 of what is exchanged.
    CHECK(std::abs(slope) <= 3.0 * std::sqrt(spread / squares) + 1e-11 * kinetic);
    CHECK(largest <= 1e-4 * kinetic);
  }
}

}  // namespace rattle_long_tests
