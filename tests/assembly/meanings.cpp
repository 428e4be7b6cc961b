// What the rows of each joint state about themselves: how a violation is reported, where and on whom reactions act, which
// numbers rows are compared with.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/joints.hpp>

#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace meaning_tests {

using namespace catena;

Quat turned(const Vec3& axis, double angle) {
  const Vec3 e = (std::sin(0.5 * angle) / norm(axis)) * axis;
  return {std::cos(0.5 * angle), e[0], e[1], e[2]};
}

// How far joint `make(a, b)` is open between two bodies, the second one moved and turned.
template <class Make>
std::string violation(const Vec3& place, const Quat& turn, Make&& make) {
  Model model;
  const BodyId a = model.add(Body{.name = "a"}),
               b = model.add(Body{.name = "b", .position = place, .orientation = turn});
  model.add(make(std::array{a, b}));
  const auto open = model.open_constraints();
  return open.empty() ? "closed" : open[0].by;
}

struct DrivenAngle {
  std::array<BodyId, 2> bodies;
  auto made_of() const {
    return rows::angle(Vec3::Unit(2), Vec3::Unit(0), Vec3::Unit(2), Vec3::Unit(0), {0.0, 0.0, 0.0});
  }
};
struct DrivenDisplacement {
  std::array<BodyId, 2> bodies;
  Vec3 a = {{0.2, 0.1, -0.4}}, b = {{-0.3, 0.2, 0.1}};
  auto made_of() const { return rows::displacement(a, b, Vec3{{0.0, 1.0, 0.0}}, {0.0, 0.0, 0.0}); }
};

const Vec3 on_a{{0.2, 0.1, -0.4}}, on_b{{-0.3, 0.2, 0.1}}, along{{0.4, -0.3, 0.8}}, askew{{-0.2, 0.9, 0.3}};

template <class Joint>
Joint at_points(const std::array<BodyId, 2>& bodies) {
  Joint j{};
  j.bodies = bodies;
  if constexpr (requires { j.point_a; }) {
    j.point_a = on_a;
    j.point_b = on_b;
  }
  if constexpr (requires { j.axis_a = along; }) j.axis_a = along;
  if constexpr (requires { j.axis_b = askew; }) j.axis_b = askew;
  return j;
}

// Reactions against G^T lambda, which tests of derivatives check: -G_b^T lambda on the second body about its point, and the
// opposite on the first one where the rows say.
template <class Joint>
void check_reaction(const Joint& joint, const Vec3& point_a, const Vec3& point_b) {
  CAPTURE(typeid(Joint).name());
  test::Random random(4);
  Model model;
  for (int k = 0; k < 2; ++k) model.add(test::random_body(random, k));
  const ConstraintId id = model.add(joint);
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  s.lambda = random.values(system.layout().lambda_size(), 3.0);
  std::vector<double> balance(12);
  Evaluation wanted;
  wanted.balance = balance.data();
  Point at{.q = s.q.data(), .lambda = s.lambda.data(), .forces = false};
  std::vector<double> still(12, 0.0);
  at.v = at.a = still.data();
  system.evaluate(at, wanted);
  const RigidBodyState body[2] = {pose(system, s, BodyId{0}), pose(system, s, BodyId{1})};
  Vec3 force[2], torque[2];  // on the bodies about their centres, world axes
  for (std::size_t i = 0; i < 2; ++i) {
    for (int k = 0; k < 3; ++k) {
      force[i][k] = -balance[6 * i + static_cast<std::size_t>(k)];
      torque[i][k] = -balance[6 * i + 3 + static_cast<std::size_t>(k)];
    }
    torque[i] = rotation_matrix(body[i].orientation) * torque[i];
  }
  const Vec3 place_a = body[0].position + rotation_matrix(body[0].orientation) * point_a,
             place_b = body[1].position + rotation_matrix(body[1].orientation) * point_b;
  const JointReaction r = reaction(system, s, id);
  CHECK(r.body == BodyId{1});
  CHECK(norm(r.point - place_b) < 1e-13);
  CHECK(norm(r.force - force[1]) < 1e-12);
  CHECK(norm(r.torque - (torque[1] - cross(place_b - body[1].position, force[1]))) < 1e-12);
  CHECK(norm(force[1]) + norm(torque[1]) > 0.1);
  for (const RowGroup& group : system.model().pools()[0]->plan().groups) {
    REQUIRE(group.meaning.opposite != Opposite::none);
    if (system.model().pools()[0]->plan().groups.size() > 1) continue;  // each group has a test of its own
    const Vec3& where = group.meaning.opposite == Opposite::at_own_point ? place_a : place_b;
    CHECK(norm(force[0] + r.force) < 1e-12);
    CHECK(norm(torque[0] - cross(where - body[0].position, force[0]) + r.torque) < 1e-12);
  }
}

// One joint between a body and the next: its layout.
template <class Joint>
MultibodySystem with(const Joint& joint, const Vec3& origin = Vec3::Zero()) {
  test::Random random(6);
  Model model;
  for (int k = 0; k < 4; ++k) {
    Body b = test::random_body(random, k);
    b.position += origin;
    model.add(b);
  }
  model.add(joint);
  return MultibodySystem(std::move(model));
}
constexpr std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};

template <class Joint>
int lengths_of(const Joint& joint) {
  return with(joint).layout().lengths(0);
}
// Whether rows are the same 1e6 m away, where coordinates have steps of 1e-10 m: to what they are made of.
template <class Joint>
double change_far_away(const Joint& joint) {
  const Vec3 far{
      {1048576.0, -524288.0, 262144.0}};  // powers of 2: positions, rounded to 2^-33 m, differ by that alone
  const auto rows = [](const MultibodySystem& system) {
    std::vector<double> r(static_cast<std::size_t>(system.layout().lambda_size()));
    Evaluation wanted;
    wanted.position = r.data();
    system.evaluate(point_of(system.initial_state()), wanted);
    return r;
  };
  const std::vector<double> home = rows(with(joint)), away = rows(with(joint, far));
  double most = 0.0;
  for (std::size_t k = 0; k < home.size(); ++k) most = std::max(most, std::abs(away[k] - home[k]));
  return most;
}

TEST_CASE("violations are reported as people measure them, with their unit") {
  const Vec3 off{{0.3, 0.4, 1.2}};
  const Quat straight = Quat::Identity();
  CHECK(violation(off, straight, [](auto b) { return SphericalJoint{.bodies = b}; }) == "1.3 m");
  CHECK(violation(off, straight, [](auto b) { return PointOnLineJoint{.bodies = b}; }) == "0.5 m");
  CHECK(violation(off, straight, [](auto b) { return PointInPlaneJoint{.bodies = b}; }) == "1.2 m");
  CHECK(violation(off, straight, [](auto b) { return DistanceConstraint{.bodies = b, .length = 1.0}; }) ==
        "0.3 m");
  CHECK(violation(off, straight, [](auto b) { return DistanceConstraint{.bodies = b, .length = 2.0}; }) ==
        "0.7 m");
  CHECK(violation(Vec3::Zero(), turned({{1.0, 2.0, 0.0}}, 0.25),
                  [](auto b) { return RevoluteJoint{.bodies = b}; }) == "0.25 rad");
  CHECK(violation(off, turned({{1.0, 0.0, 0.0}}, 0.25), [](auto b) { return RevoluteJoint{.bodies = b}; }) ==
        "1.3 m and 0.25 rad");
  CHECK(violation(Vec3::Zero(), turned({{1.0, 2.0, 3.0}}, 2.5),
                  [](auto b) { return ConstantOrientationJoint{.bodies = b}; }) == "2.5 rad");
  CHECK(violation(Vec3::Zero(), turned({{1.0, 0.0, 0.0}}, 0.5), [](auto b) {
          return UniversalJoint{.bodies = b, .axis_a = Vec3::Unit(2), .axis_b = Vec3::Unit(1)};
        }) == "0.5 rad");
  CHECK(violation(Vec3::Zero(), turned({{0.0, 0.0, 1.0}}, 0.75), [](auto b) { return DrivenAngle{b}; }) ==
        "0.75 rad");
  CHECK(violation(Vec3{{0.5, 0.65, 7.0}}, straight, [](auto b) { return DrivenDisplacement{b}; }) ==
        "0.75 m");
  CHECK(violation(off, straight,
                  [](auto b) { return Screw{.bodies = b, .as_placed = false, .held = 0.95}; }) == "0.25 m");
  Model disc;
  disc.add(DiscContact{.bodies = {disc.add(Body{.name = "disc", .position = {{0.0, 0.0, 1.25}}})},
                       .axis = Vec3::Unit(1)});
  CHECK(disc.open_constraints().at(0).by == "0.25 m");
}

TEST_CASE("reactions act on the second body at its point, and the opposite where the rows say") {
  check_reaction(at_points<SphericalJoint>(two), on_a, on_b);
  check_reaction(at_points<PointOnLineJoint>(two), on_a, on_b);
  check_reaction(at_points<PointInPlaneJoint>(two), on_a, on_b);
  check_reaction(at_points<DistanceConstraint>(two), on_a, on_b);
  check_reaction(at_points<RevoluteJoint>(two), on_a, on_b);
  check_reaction(at_points<UniversalJoint>(two), on_a, on_b);
  check_reaction(at_points<WeldJoint>(two), on_a, on_b);
  check_reaction(at_points<PrismaticJoint>(two), on_a, on_b);
  check_reaction(ConstantOrientationJoint{.bodies = two}, Vec3::Zero(), Vec3::Zero());
  check_reaction(DrivenAngle{two}, Vec3::Zero(), Vec3::Zero());
  check_reaction(DrivenDisplacement{two}, on_a, on_b);
  check_reaction(at_points<Screw>(two), on_a, on_b);
}

TEST_CASE(
    "the multiplier of a ball joint is the force itself, without a torque about the point, to the last bit") {
  const MultibodySystem system = with(at_points<SphericalJoint>(two));
  State s = system.initial_state();
  s.lambda = {1.0 / 3.0, -0.7, 1e-3};
  const JointReaction r = reaction(system, s, ConstraintId{0});
  for (int k = 0; k < 3; ++k) {
    CHECK(r.force[k] == -s.lambda[static_cast<std::size_t>(k)]);
    CHECK(r.torque[k] == 0.0);
  }
}

TEST_CASE("the reaction of a blade acts at the blade, across it") {
  Model model;
  model.add(
      KnifeEdge{.bodies = {model.add(Body{.name = "skate", .orientation = turned({{0.0, 0.0, 1.0}}, 0.5)})},
                .point = {{0.25, 0.0, 0.0}}});
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  s.lambda = {2.0};
  const JointReaction r = reaction(system, s, ConstraintId{0});
  CHECK(norm(r.point - 0.25 * Vec3{{std::cos(0.5), std::sin(0.5), 0.0}}) < 1e-15);
  CHECK(norm(r.force + 2.0 * Vec3{{-std::sin(0.5), std::cos(0.5), 0.0}}) < 1e-15);
  CHECK(norm(r.torque) < 1e-15);
}

TEST_CASE("rows in metres are compared with lengths, all others with cosines") {
  CHECK(lengths_of(at_points<SphericalJoint>(two)) == 3);
  CHECK(lengths_of(at_points<PointOnLineJoint>(two)) == 2);
  CHECK(lengths_of(at_points<PointInPlaneJoint>(two)) == 1);
  CHECK(lengths_of(at_points<DistanceConstraint>(two)) == 1);
  CHECK(lengths_of(at_points<RevoluteJoint>(two)) == 3);
  CHECK(lengths_of(at_points<UniversalJoint>(two)) == 3);
  CHECK(lengths_of(at_points<WeldJoint>(two)) == 3);
  CHECK(lengths_of(ConstantOrientationJoint{.bodies = two}) == 0);
  CHECK(lengths_of(DrivenAngle{two}) == 0);
  CHECK(lengths_of(DrivenDisplacement{two}) == 1);
  CHECK(lengths_of(at_points<Screw>(two)) == 1);
  CHECK(lengths_of(Gear{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}}) == 0);
  CHECK(lengths_of(RackAndPinion{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}}) == 1);
  CHECK(lengths_of(Differential{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}, BodyId{3}}}) == 0);
}

TEST_CASE("no joint between bodies sees places, and discs do") {
  const auto sees_places = [](const auto& joint) { return !with(joint).layout().place_rows.empty(); };
  CHECK_FALSE(sees_places(at_points<SphericalJoint>(two)));
  CHECK_FALSE(sees_places(at_points<PointOnLineJoint>(two)));
  CHECK_FALSE(sees_places(at_points<PointInPlaneJoint>(two)));
  CHECK_FALSE(sees_places(at_points<DistanceConstraint>(two)));
  CHECK_FALSE(sees_places(at_points<RevoluteJoint>(two)));
  CHECK_FALSE(sees_places(at_points<UniversalJoint>(two)));
  CHECK_FALSE(sees_places(ConstantOrientationJoint{.bodies = two}));
  CHECK_FALSE(sees_places(DrivenAngle{two}));
  CHECK_FALSE(sees_places(at_points<Screw>(two)));
  CHECK_FALSE(sees_places(Gear{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}}));
  CHECK_FALSE(sees_places(RackAndPinion{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}}));
  CHECK(sees_places(DiscContact{.bodies = {BodyId{0}}}));
  // Differences of rounded positions: 2^-33 m each.
  CHECK(change_far_away(at_points<SphericalJoint>(two)) < 4.0 * 0x1p-33);
  CHECK(change_far_away(ConstantOrientationJoint{.bodies = two}) == 0.0);
}

TEST_CASE("points and rods set the length that rows are compared with") {
  const auto length = [](const auto& joint) { return with(joint).layout().roundoff_length; };
  const Vec3 far_point{{0.0, 30.0, 40.0}};
  CHECK(length(SphericalJoint{.bodies = two, .point_a = far_point}) == 200.0);
  CHECK(length(PointOnLineJoint{.bodies = two, .point_b = far_point}) == 200.0);
  CHECK(length(PointInPlaneJoint{.bodies = two, .point_a = far_point, .point_b = far_point}) == 400.0);
  CHECK(length(DistanceConstraint{.bodies = two, .point_b = far_point, .length = 25.0}) == 300.0);
  CHECK(length(Screw{.bodies = two, .point_b = far_point}) == 200.0);
  CHECK(length(RackAndPinion{.bodies = {BodyId{0}, BodyId{1}, BodyId{2}}, .point_rack = far_point}) == 200.0);
}

}  // namespace meaning_tests
