// Pivots of rows: closed forms, redundant joints, and the same numbers whatever the coordinates.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/linear/detail/row_pivots.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/helix_chain.hpp>

#include "support/doubled_joint.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace catena;
using namespace catena::detail;

constexpr double enough = 1e12;

std::vector<double> pivots_of(const System& system) {
  return RowPivots(system)(system.initial_state(), enough);
}

TEST_CASE("pivots of rows: of two rods to a centre of mass, the squared sine of the angle between them") {
  for (const double angle : {1.0, 0.1, 1e-3}) {
    Model model;
    const BodyId body = model.add(Body{.position = {{1.0, 0.0, 0.0}}});
    for (const double turn : {0.0, angle})
      model.add(DistanceConstraint{.bodies = {ground, body},
                                   .point_a = {{1.0 - std::cos(turn), -std::sin(turn), 0.0}},
                                   .length = 1.0});
    const std::vector<double> found = pivots_of(MultibodySystem(model));
    REQUIRE(found.size() == 2);
    const double exact = std::sin(angle) * std::sin(angle);
    for (const double pivot : found) CHECK(std::abs(pivot - exact) < 3e-12);  // the proximal term, twice
  }
}

TEST_CASE("pivots of rows: two balls on one bar depend on each other along it") {
  Model model;
  const BodyId bar = model.add(Body{.mass = 2.0, .inertia = 0.1 * Mat3::Identity()});
  for (const double x : {-0.5, 0.5})
    model.add(
        SphericalJoint{.bodies = {ground, bar}, .point_a = {{x, 0.0, 0.0}}, .point_b = {{x, 0.0, 0.0}}});
  const std::vector<double> found = pivots_of(MultibodySystem(model));
  REQUIRE(found.size() == 2);
  for (const double pivot : found) {  // along x S is (1, 1; 1, 1)
    CHECK(pivot >= 1e-12);
    CHECK(pivot < 1e-11);
  }
}

TEST_CASE("pivots of rows: redundant joints have none, their neighbours have") {
  const std::vector<double> found = pivots_of(MultibodySystem(test::chain_with_doubled_joint()));
  int redundant = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k] < 1e-10)
      ++redundant;
    else
      CHECK(found[k] > 1e-3);
  }
  CHECK(redundant == 2);
  for (const double pivot : pivots_of(MultibodySystem(FourBar().model()))) CHECK(pivot < 1e-9);
}

TEST_CASE(
    "pivots of rows: the same in seven coordinates as in six velocities; nothing beyond the operations") {
  HelixChainParameters p;
  p.n = 6;
  const Model model = HelixChain(p).model();
  const MultibodySystem six(model);
  const QuaternionSystem seven(model);
  const std::vector<double> a = pivots_of(six), b = pivots_of(seven);
  REQUIRE(b.size() >= a.size());
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) < 1e-10);
  CHECK(RowPivots(six)(six.initial_state(), 10.0).empty());
}

}  // namespace
