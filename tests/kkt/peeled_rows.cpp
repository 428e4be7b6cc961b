// Rows that are independent by structure: trees peel, loops and repeated joints do not.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/detail/peeled_rows.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/model/detail/rows_pool.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/problems.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace {

using namespace catena;
using namespace catena::detail;

BlockMatrix rows_of(const System& system) {
  BlockMatrix matrix(system.layout().pattern, Border::transposed);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  const State state = system.initial_state();
  system.evaluate(point_of(state), wanted);
  return matrix;
}

bool peels(const System& system) { return rows_peel_off(rows_of(system), system.layout().scale); }

// A binary tree of hinges and ball joints, with a body without joints.
Model tree() {
  test::Random random(7);
  Model model;
  std::vector<BodyId> bodies{ground};
  for (int k = 0; k < 20; ++k) {
    const BodyId body = model.add(test::random_body(random, k)), parent = bodies[bodies.size() / 2];
    if (k % 2 == 0)
      model.add(
          SphericalJoint{.bodies = {parent, body}, .point_a = random.vector(), .point_b = random.vector()});
    else
      model.add(
          RevoluteJoint{.bodies = {parent, body}, .point_b = random.vector(), .axis_a = random.vector()});
    bodies.push_back(body);
  }
  model.add(Body{.name = "alone"});
  return model;
}

Model with_second_joint(Model model, BodyId a, BodyId b) {
  model.add(SphericalJoint{.bodies = {a, b}, .point_a = {{0.3, 0.1, 0.2}}, .point_b = {{-0.1, 0.4, 0.2}}});
  return model;
}

}  // namespace

TEST_CASE("the rows of trees peel off, in both kinds of coordinates, whatever the order of their joints") {
  CHECK(peels(MultibodySystem(tree())));
  CHECK(peels(QuaternionSystem(tree())));
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    CHECK(peels(MultibodySystem(HelixChain({.n = 50, .joint = joint}).model())));
}

TEST_CASE("loops, joints that are there twice and rows that repeat each other do not peel off") {
  CHECK_FALSE(peels(MultibodySystem(with_second_joint(tree(), ground, BodyId{12}))));
  CHECK_FALSE(peels(MultibodySystem(with_second_joint(tree(), BodyId{3}, BodyId{8}))));
  Model twice;
  const BodyId body = twice.add(Body{});
  for (int k = 0; k < 2; ++k) twice.add(SphericalJoint{.bodies = {ground, body}});
  CHECK_FALSE(peels(MultibodySystem(twice)));
  Model repeated;  // on_line is two rows of coincide
  repeated.add(Body{});
  repeated.add(RowsJoint{.bodies = {ground, BodyId{0}}, .rows = {"coincide", "on_line"}});
  CHECK_FALSE(peels(MultibodySystem(repeated)));
}

TEST_CASE("a row that is nearly another one, or hardly acts on its body, does not peel off") {
  for (const double angle : {1e-3, 1.0}) {  // a body on two rods
    Model model;
    const BodyId body = model.add(Body{.position = {{1.0, 0.0, 0.0}}});
    for (const double y : {0.0, std::tan(angle)})
      model.add(DistanceConstraint{
          .bodies = {ground, body}, .point_a = {{0.0, y, 0.0}}, .length = std::sqrt(1.0 + y * y)});
    CHECK(peels(MultibodySystem(model)) == (angle == 1.0));
  }
  Model far;  // the arm of the first body is 10^4 times that of the second
  const BodyId a = far.add(Body{}), b = far.add(Body{.position = {{1e4, 0.0, 0.0}}});
  far.add(SphericalJoint{.bodies = {ground, a}});
  far.add(SphericalJoint{.bodies = {a, b}, .point_a = {{1e4, 0.0, 0.0}}});
  CHECK_FALSE(peels(MultibodySystem(far)));
}

TEST_CASE("what peels off has full rank: every problem of the catalog") {
  int peeled = 0, others = 0;
  for (const ProblemEntry& entry : builtin_problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    std::unique_ptr<System> system = problem->own_system();
    if (!system) system = std::make_unique<MultibodySystem>(problem->model());
    if (system->layout().lambda_size() == 0) continue;
    const BlockMatrix matrix = rows_of(*system);
    const bool off = rows_peel_off(matrix, system->layout().scale);
    ++(off ? peeled : others);
    if (!off) continue;
    const RankReport proof = rank_of_rows(matrix, {.tolerance = 1e-8});
    REQUIRE(proof.computed);
    CHECK(proof.rank == proof.rows);
  }
  CHECK(peeled >= 6);
  CHECK(others >= 1);  // the four-bar
}
