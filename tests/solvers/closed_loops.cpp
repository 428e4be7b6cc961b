// Closed loops of hinges: a compliance holds their redundant rows, and no joint opens by it.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/revolute_joint.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/sparse/backends/klu.hpp>

#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace catena;

// A regular polygon of bars of 1 m and 1 kg, one corner on the ground, falling about it.
Model ring(int bars) {
  constexpr double pi = 3.14159265358979323846;
  const Vec3 z = Vec3::Unit(2);
  const double radius = 0.5 / std::sin(pi / bars);
  const auto corner = [&](int k) {
    const double angle = 2.0 * pi * k / bars;
    return Vec3{{radius * std::cos(angle), radius * std::sin(angle), 0.0}};
  };
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  std::vector<BodyId> body;
  for (int k = 0; k < bars; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / bars + 0.5 * pi;
    Body b;
    b.name = "bar " + std::to_string(k);
    b.mass = 1.0;
    b.inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
    b.position = 0.5 * (corner(k) + corner(k + 1));
    b.orientation = Quat{std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
    body.push_back(model.add(b));
  }
  const Vec3 left{{-0.5, 0.0, 0.0}}, right{{0.5, 0.0, 0.0}};
  model.add(RevoluteJoint{.bodies = {ground, body[0]},
                          .point_a = corner(0),
                          .point_b = left,
                          .axis_a = z,
                          .axis_b = z,
                          .name = "pin"});
  for (std::size_t k = 0; k < body.size(); ++k)
    model.add(RevoluteJoint{.bodies = {body[k], body[(k + 1) % body.size()]},
                            .point_a = right,
                            .point_b = left,
                            .axis_a = z,
                            .axis_b = z,
                            .name = "hinge " + std::to_string(k)});
  return model;
}

std::vector<std::unique_ptr<Stepper>> index_three() {
  std::vector<std::unique_ptr<Stepper>> all;
  all.push_back(std::make_unique<GeneralizedAlpha>());
  all.push_back(std::make_unique<GeneralizedAlpha>(
      GeneralizedAlphaOptions{.newton = GeneralizedAlphaOptions::Newton::exact}, make_klu));
  all.push_back(std::make_unique<AlphaRattle>());
  all.push_back(std::make_unique<LieDae>());
  all.push_back(std::make_unique<LieDae>(LieDaeOptions{}, make_klu));
  return all;
}

// The largest gap within steps of 1 ms.
double largest_gap(const System& system, Stepper& stepper, int steps) {
  constexpr double h = 1e-3;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  const Outcome start = stepper.start(state, h);
  REQUIRE(start.status == Status::ok);
  CHECK(start.culprit.quantity == "redundant rows suspected");
  double gap = 0.0;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(stepper.step(state, h).status == Status::ok);
    gap = std::max(gap, catena_test::residual(system, state, &Evaluation::position));
  }
  return gap;
}

}  // namespace

// The compliance of 1e-5 alone leaves 2.5e-9 to 5e-9 m in the linkage and 2e-8 m in the ring.
TEST_CASE("joints of closed loops are kept to 1e-12 m by every implicit stepper of index 3") {
  const MultibodySystem linkage(FourBar().model()), polygon(ring(12));
  for (const auto& stepper : index_three()) {
    CAPTURE(stepper->traits().name);
    CHECK(largest_gap(linkage, *stepper, 1000) <= 1e-12);
    CHECK(largest_gap(polygon, *stepper, 500) <= 1e-12);
  }
}

TEST_CASE("the solves that close a ring's joints leave the balance of forces at roundoff") {
  const MultibodySystem system(ring(12));
  GeneralizedAlpha stepper;
  constexpr double h = 1e-3;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < 300; ++k) {
    REQUIRE(stepper.step(state, h).status == Status::ok);
    // Weights and multipliers are of 1e2 N; quasi-Newton leaves h of a correction of 1e-5 of them, squared
    REQUIRE(catena_test::residual(system, state, &Evaluation::balance) <= 1e-7);
  }
}
