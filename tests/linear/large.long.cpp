// A hanging chain of 100 000 masses: its ten lowest modes by iteration.
#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace {

using namespace catena;
using namespace catena::test;

TEST_CASE("the ten lowest modes of a chain of 100 000 masses") {
  constexpr int n = 100000;
  const MultibodySystem system(hanging_chain(n));
  const LinearMotion motion = linearize(system, system.initial_state());
  REQUIRE(motion.status == Status::ok);
  const Modes modes = find_modes(motion, {.count = 10});
  CAPTURE(modes.solves);
  REQUIRE(modes.status == Status::ok);
  CHECK(modes.stability == Stability::neutral);
  REQUIRE(modes.modes.size() == 10);
  const double bessel[] = {2.404825557695773, 5.520078110286311, 8.653727912911013, 11.79153443901428,
                           14.93091770848779};
  for (std::size_t k = 0; k < 10; ++k) {
    // Near j^2 / (4 n + 2), where j are the zeros of J_0.
    const double j = bessel[k / 2], omega = std::sqrt(laguerre_zero(n, j * j / (4.0 * n + 2.0)));
    CHECK(std::abs(omega * omega * n / (0.25 * j * j) - 1.0) < 1e-5);
    // Roundoff of the largest entries of K, 2 n, against omega^2: 1e-16 * 2e5 / 1.4e-5 = 1.5e-6 at worst; entries are off
    // in both directions, which leaves a hundredth of it (1.3e-8 measured).
    CHECK(std::abs(modes.modes[k].eigenvalue.imag() - omega) < 5e-8 * omega);
  }
}

}  // namespace
