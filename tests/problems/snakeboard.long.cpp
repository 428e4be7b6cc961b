// The conservative snakeboard over long times: what rho_inf does to its energy, which the source names as its next
// step.
#include <catena/problems/snakeboard.hpp>

#include "problems/motion_support.hpp"
#include "support/relative.hpp"

namespace snakeboard_long_tests {

using namespace catena_test;
using Index = AlphaOptions::Index;

namespace {

struct EnergyBehaviour {
  double first = 0.0, second = 0.0;  // largest error of the halves of the run [J]
  double loss = 0.0;                 // mean energy of the first half minus that of the second [J]
};
EnergyBehaviour energy_behaviour(double rho_inf, double h, double end) {
  const Snakeboard problem({.force = 0.0});
  const auto system = problem.own_system();
  const double energy = problem.invariants().at(0).value;
  EnergyBehaviour b;
  AlphaOptions options = tight(Index::two, rho_inf);
  options.engine.newton_tolerance = 1e-10;
  GeneralizedAlpha stepper(options);
  run_and_see(*system, stepper, h, end, [&](const State& s) {
    const double error = system->energy(point_of(s)).total() - energy;
    double& worst = s.t < 0.5 * end ? b.first : b.second;
    worst = std::max(worst, std::abs(error));
    b.loss += (s.t < 0.5 * end ? 2.0 : -2.0) * error * h / end;
  });
  return b;
}

}  // namespace

TEST_CASE("snakeboard without force, rho_inf = 1: over 400 s the energy error is bounded and of order 2") {
  // The motion returns to the largest error again and again, not always to the last per cent of it.
  const EnergyBehaviour coarse = energy_behaviour(1.0, 1e-2, 400.0),
                        fine = energy_behaviour(1.0, 5e-3, 400.0);
  CHECK(coarse.second < 1.05 * coarse.first);
  CHECK(fine.second < 1.05 * fine.first);
  CHECK(std::log2(coarse.first / fine.first) == catena_test::relative(2.0, 0.025));
  CHECK(std::abs(fine.loss) < 0.05 * fine.first);
}

TEST_CASE("snakeboard without force, rho_inf = 3/7: energy is lost at a constant rate of order 3 in h") {
  const EnergyBehaviour coarse = energy_behaviour(3.0 / 7.0, 1e-2, 100.0),
                        fine = energy_behaviour(3.0 / 7.0, 5e-3, 100.0);
  // The means of 50 s see the oscillating error of order 2 averaged over some tens of swings.
  CHECK(std::log2(coarse.loss / fine.loss) == catena_test::relative(3.0, 0.05));
  const EnergyBehaviour longer = energy_behaviour(3.0 / 7.0, 5e-3, 200.0);
  CHECK(longer.loss == catena_test::relative(2.0 * fine.loss, 0.05));
}

TEST_CASE("snakeboard without force: the smaller rho_inf, the more energy is lost") {
  double more = std::numeric_limits<double>::infinity();
  for (const double rho : {0.0, 3.0 / 7.0, 0.8, 1.0}) {
    const double loss = energy_behaviour(rho, 1e-2, 100.0).loss;
    CHECK(loss < more);
    more = loss;
  }
}

}  // namespace snakeboard_long_tests
