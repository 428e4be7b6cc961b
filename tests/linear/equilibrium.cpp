// Where mechanisms rest: places, reactions, stability, what moved, and who does not come to rest.
#include <catena/kkt/parts/assemble.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace {

using namespace catena;
using namespace catena::test;

Equilibrium rest_of(const Model& model) {
  const MultibodySystem system(model);
  return find_equilibrium(system, system.initial_state());
}

TEST_CASE("a pendulum that is let go from its side rests below, and its hinge bears its weight") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(
      Body{.name = "rod", .mass = 2.0, .position = {{0.9, 0.0, 0.0}}, .angular_velocity = {{0.0, 1.0, 0.0}}});
  model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}, "hinge"));
  const Equilibrium rest = rest_of(model);
  CAPTURE(rest.culprit.name);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.residual < 1e-14);
  CHECK(std::abs(rest.state.q[0]) < 1e-13);
  CHECK(std::abs(rest.state.q[2] + 0.9) < 1e-13);
  CHECK(std::abs(std::abs(rest.state.lambda[2]) - 2.0 * 9.81) < 1e-12);
  for (const double v : rest.state.v) CHECK(v == 0.0);
  CHECK(rest.modes.stability == Stability::neutral);
  CHECK(rest.modes.unstable == 0);
  REQUIRE(rest.moves.size() == 1);
  CHECK(rest.moves[0].name == "body \"rod\"");
  CHECK(std::abs(rest.moves[0].turn - 0.5 * std::numbers::pi) < 1e-12);
  CHECK(std::abs(rest.moves[0].distance - 0.9 * std::numbers::sqrt2) < 1e-12);
}

TEST_CASE("what no force acts along rests at any place, and neither grows nor dies out") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(
      Body{.name = "rod", .inertia = diagonal(Vec3{{0.1, 0.1, 0.01}}), .position = {{0.3, 0.0, 0.0}}});
  model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(2)}, "pivot"));
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.modes.stability == Stability::neutral);
  CHECK(rest.modes.unstable == 0);
  CHECK(rest.modes.zeros == 2);
}

TEST_CASE("bodies that move together without stiffness are named, those that move most first") {
  Model model;
  for (const char* name : {"a", "b", "c", "d"}) model.add(Body{.name = name});
  const MultibodySystem system(model);
  std::vector<double> shape(24, 0.0);
  const auto named = [&] { return free_motion(system, system.initial_state(), shape); };
  shape[6 * 2] = -1.0;
  CHECK(named() == "body \"c\" can move along (1, 0, 0)");
  shape[6 * 1 + 1] = 0.5;
  CHECK(named() == "body \"c\" and body \"b\" can move together");
  shape[6 * 0] = 0.1;
  CHECK(named() == "body \"c\", body \"b\" and 1 more can move together");
  shape[6 * 3 + 2] = 0.2;
  CHECK(named() == "body \"c\", body \"b\" and 2 more can move together");
}

TEST_CASE("upright a pendulum is at rest, and that is called unstable") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(Body{.name = "rod", .position = {{0.0, 0.0, 0.9}}});
  model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}));
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.moves.empty());
  CHECK(rest.modes.stability == Stability::unstable);
  CHECK(rest.modes.unstable == 1);
}

TEST_CASE(
    "from 3 degrees beside the top a pendulum sinks to the bottom, not to the near unstable equilibrium") {
  const double angle = std::numbers::pi / 60;
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod =
      model.add(Body{.name = "rod", .position = {{0.9 * std::sin(angle), 0.0, 0.9 * std::cos(angle)}}});
  model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}));
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(std::abs(rest.state.q[2] + 0.9) < 1e-12);
  CHECK(rest.modes.unstable == 0);
}

TEST_CASE("a mass on springs: the elongation m g / k, and a chain hangs where its springs and weights say") {
  const double m = 1.5, k = 80.0, g = 9.81;
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  BodyId above = ground;
  for (int i = 0; i < 3; ++i) {
    const BodyId block = model.add(Body{.mass = m, .position = {{0.0, 0.0, -0.5 * (i + 1)}}});
    model.add(joint_at<PrismaticJoint>(model, ground, block, {}));
    model.add(SpringDamper{.bodies = {above, block}, .stiffness = k, .damping = 0.7, .rest_length = 0.5});
    above = block;
  }
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  double place = 0.0;
  for (int i = 0; i < 3; ++i) {
    place -= 0.5 + (3 - i) * m * g / k;
    CHECK(std::abs(rest.state.q[7 * static_cast<std::size_t>(i) + 2] - place) < 1e-13);
  }
  CHECK(rest.modes.stability == Stability::stable);
}

TEST_CASE("a rope of rods between two points hangs as its catenary of links, from a crooked start") {
  // Beads of equal weight on equal rods: the horizontal pull is the same in all rods, and slopes grow by w / H from rod to rod.
  constexpr int rods = 8;
  const double l = 0.5, span = 3.0;
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId before = ground;
  Vec3 at = Vec3::Zero();
  for (int k = 0; k < rods - 1; ++k) {
    const double angle = k % 2 == 0 ? 0.4 : -0.5;
    at = at + l * Vec3{{std::cos(angle), 0.02, std::sin(angle)}};
    const BodyId bead = model.add(Body{.inertia = 1e-2 * Mat3::Identity(), .position = at});
    model.add(DistanceConstraint{.bodies = {before, bead}, .point_a = Vec3::Zero(), .length = l});
    before = bead;
  }
  model.add(DistanceConstraint{.bodies = {before, ground}, .point_b = {{span, 0.0, 0.0}}, .length = l});
  REQUIRE(assemble(model).status == Status::ok);
  const Equilibrium rest = rest_of(model);
  CAPTURE(rest.culprit.name);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.modes.unstable == 0);
  const auto place = [&](int bead) {
    if (bead == 0) return Vec3::Zero();
    if (bead == rods) return Vec3{{span, 0.0, 0.0}};
    const double* q = rest.state.q.data() + 7 * (bead - 1);
    return Vec3{{q[0], q[1], q[2]}};
  };
  double step = 0.0;
  for (int k = 0; k + 1 < rods; ++k) {
    const Vec3 d = place(k + 1) - place(k), next = place(k + 2) - place(k + 1);
    const double growth = next[2] / next[0] - d[2] / d[0];
    if (k == 0) step = growth;
    CHECK(std::abs(growth - step) < 1e-11);
    CHECK(std::abs(place(k + 1)[1]) < 1e-11);
  }
  CHECK(step > 0.0);
}

TEST_CASE("motions that meet no force are held and named; what falls for ever is named too") {
  Model rod_model;
  rod_model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = rod_model.add(
      Body{.name = "rod", .inertia = diagonal(Vec3{{0.3, 0.3, 0.01}}), .position = {{0.5, 0.0, -0.5}}});
  rod_model.add(joint_at<SphericalJoint>(rod_model, ground, rod, {}));
  const Equilibrium held = rest_of(rod_model);
  REQUIRE(held.status == Status::ok);
  CHECK(held.modes.free_motions == std::vector<std::string>{"body \"rod\" can turn about (0, 0, 1)"});

  Model loose;
  loose.gravity = {{0.0, 0.0, -9.81}};
  loose.add(Body{.name = "stone"});
  const Equilibrium falling = rest_of(loose);
  CHECK(falling.status == Status::newton_not_converged);
  CHECK(falling.culprit.name == "body \"stone\"");
  CHECK(falling.culprit.why == "does not come to rest");
}

TEST_CASE("the four-bar with redundant rows comes to rest with its rows closed") {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const Vec3 pivots[] = {{{0.0, 0.0, 0.0}}, {{0.0, 0.3, 0.0}}, {{0.8, 0.7, 0.0}}, {{1.0, 0.0, 0.0}}};
  BodyId before = ground;
  for (int k = 0; k < 3; ++k) {
    const Vec3 middle = 0.5 * (pivots[k] + pivots[k + 1]);
    const BodyId bar = model.add(Body{.inertia = 0.05 * Mat3::Identity(), .position = middle});
    model.add(joint_at<RevoluteJoint>(model, before, bar, {.point = pivots[k]}));
    before = bar;
  }
  model.add(joint_at<RevoluteJoint>(model, before, ground, {.point = pivots[3]}));
  const Equilibrium rest = rest_of(model);
  CAPTURE(rest.culprit.name);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.modes.unstable == 0);
  CHECK(rest.modes.modes.size() == 1);
  // The sum of the weights' works vanishes for the motion that the mode is: the heights have no first derivative.
  double work = 0.0, size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double dy = rest.modes.modes[0].shape[6 * static_cast<std::size_t>(k) + 1].real();
    work += dy, size += std::abs(dy);
  }
  CHECK(std::abs(work) < 1e-10 * std::max(size, 1.0));
}

}  // namespace
