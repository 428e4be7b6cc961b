#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/problems/helix_chain.hpp>

#include "support/mechanisms.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace project_tests {

namespace {

using namespace catena;
using namespace catena::detail;

MultibodySystem helix(int n) { return MultibodySystem(HelixChain({.n = n}).model()); }

}  // namespace

TEST_CASE("a chain whose links were moved by centimetres is closed again, and velocities fit the joints") {
  const MultibodySystem system = helix(20);
  State s = system.initial_state();
  catena::test::Random random(3);
  const std::vector<double> shake = random.values(system.layout().v_size(), 0.02);
  system.retract(s.q.data(), shake.data(), s.q.data());
  for (double& v : s.v) v = random();
  CHECK(catena_test::residual(system, s, &Evaluation::position) > 1e-3);
  CHECK(catena_test::residual(system, s, &Evaluation::velocity) > 1e-1);
  const Projection p = project_positions(system, s);
  CHECK(p.status == Status::ok);
  CHECK(p.largest_position_change > 1e-3);
  CHECK(p.largest_velocity_change > 1e-1);
  CHECK(catena_test::residual(system, s, &Evaluation::position) < 1e-12);  // the tolerance asked for
  CHECK(catena_test::residual(system, s, &Evaluation::velocity) <
        1e-12);  // one linear solve with refinement, velocities of size 1
}

TEST_CASE("a state that fits already does not move") {
  const MultibodySystem system = helix(20);
  State s = system.initial_state();
  const State before = s;
  const Projection p = project_positions(system, s, 1e-10);
  CHECK(p.status == Status::ok);
  CHECK(p.largest_position_change == 0.0);
  CHECK(s.q == before.q);
}

TEST_CASE("joints that no position can close are named, and the state stays") {
  Model model;
  Body b;
  b.name = "short rod";
  const BodyId rod = model.add(b);
  // Two anchors 3 m apart, the points of the rod 1 m apart: out of reach.
  model.add(SphericalJoint{
      .bodies = {ground, rod}, .point_a = {{0, 0, 0}}, .point_b = {{-0.5, 0, 0}}, .name = "left"});
  model.add(SphericalJoint{
      .bodies = {ground, rod}, .point_a = {{3, 0, 0}}, .point_b = {{0.5, 0, 0}}, .name = "right"});
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  const State before = s;
  const Projection p = project_positions(system, s);
  CHECK(p.status != Status::ok);
  const bool named =
      p.culprit.name.find("left") != std::string::npos || p.culprit.name.find("right") != std::string::npos;
  CHECK(named);
  CHECK(s.q == before.q);
}

}  // namespace project_tests
