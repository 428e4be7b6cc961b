#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/two_link_manipulator.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

void check_vector(const Vec3& got, const Vec3& expected) {
  for (int k = 0; k < 3; ++k) CHECK(std::abs(got[k] - expected[k]) <= 1e-14 * 100.0);  // of 100 rad/s
}

}  // namespace

TEST_CASE("two-link manipulator: inertia, velocities and energy of the source") {
  const Model model = TwoLinkManipulator().model();
  const double pi = std::numbers::pi;
  REQUIRE(model.body_count() == 2);
  for (const Body& b : model.bodies()) {
    CHECK(b.mass == 5.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        CHECK(std::abs(b.inertia(i, j) - (i != j ? 0.0 : i == 2 ? 0.025 : 103.0 / 240.0)) <= 1e-16);
  }
  const Body &first = model.body(BodyId{0}), &second = model.body(BodyId{1});
  check_vector(first.position, {{0.5, 0.0, 0.0}});
  check_vector(first.velocity, Vec3::Zero());
  check_vector(first.angular_velocity, {{10.0 * pi, 0.0, 0.0}});
  check_vector(second.position, {{1.5, 0.0, 0.0}});
  check_vector(second.velocity, {{0.0, 10.0 * pi, -5.0 * pi}});
  check_vector(second.angular_velocity, {{10.0 * pi, 10.0 * pi, 20.0 * pi}});
  // The energy that the source's figures start from, to the digits known.
  CHECK(std::abs(TwoLinkManipulator().invariants().at(0).value - 3768.95518067) <= 0.5e-8);
}

TEST_CASE("two-link manipulator: the rows have the signs of the source") {
  const MultibodySystem system(TwoLinkManipulator().model());
  const State s = system.initial_state();
  std::vector<double> q = s.q, move(12, 0.0), g(6);
  move[0] = 0.125;  // x_1 of Phi_1 = x_1 + R_1 X_10 and of Phi_2 = x_1 + R_1 X_11 - x_2 - R_2 X_21
  move[7] = 0.25;   // y of x_2
  system.retract(s.q.data(), move.data(), q.data());
  Point at;
  at.q = q.data();
  Evaluation wanted;
  wanted.position = g.data();
  system.evaluate(at, wanted);
  const double expected[6] = {0.125, 0.0, 0.0, 0.125, -0.25, 0.0};
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(g[k] - expected[k]) <= 1e-15);
}
