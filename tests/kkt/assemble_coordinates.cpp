// Coordinates of joints at first, and contradictions by their names.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/problems/four_bar.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"
#include "support/scrambled.hpp"

#include <doctest/doctest.h>

namespace {

using namespace catena;
using namespace catena::test;
using Names = std::vector<std::string>;

Names sorted_names(const AssemblyReport& report, const AssemblyOptions& options, const Model& model) {
  Names out;
  for (const AssemblyReport::Disagreement& d : report.disagreements)
    out.push_back(name_of(d, options, model));
  std::sort(out.begin(), out.end());
  return out;
}

// A bar between two ball joints `apart` from one another on the ground.
void add_bridge(Model& model, const std::string& name, const Vec3& from, double length, double apart) {
  const BodyId bar = add_rod(model, name, from, from + length * Vec3::Unit(0));
  model.add(joint_at<SphericalJoint>(model, ground, bar, {.point = from}, name + " left"));
  model.add(SphericalJoint{.bodies = {ground, bar},
                           .point_a = from + apart * Vec3::Unit(0),
                           .point_b = 0.5 * length * Vec3::Unit(0),
                           .name = name + " right"});
}

}  // namespace

TEST_CASE("initial coordinates come out as asked, and their joints are free afterwards") {
  for (const double angle : {-2.0, 0.3, 1.0, 2.5, 7.0}) {
    CAPTURE(angle);
    Model model = FourBar().model();
    const ConstraintId a = model.find_joint("a");
    const AssemblyReport report =
        assemble(model, {.coordinates = {{.joint = a, .value = angle, .rate = 6.0}}});
    REQUIRE(report.status == Status::ok);
    const MultibodySystem system(model);
    const JointCoordinates found = coordinate(system, report.state, a);
    CHECK(std::abs(std::remainder(found.angle - angle, 2.0 * std::numbers::pi)) < 1e-12);
    CHECK(found.angle_rate == catena_test::relative(6.0, 1e-12));
    CHECK(system.layout().lambda_size() == 20);  // nothing holds it
    CHECK(catena_test::residual(system, report.state, &Evaluation::position) < 1e-12);
    CHECK(catena_test::residual(system, report.state, &Evaluation::velocity) < 1e-12);
    CHECK(catena_test::residual(system, report.state, &Evaluation::acceleration) < 1e-9);  // of 300 rad/s^2
  }
}

TEST_CASE("a coordinate without a rate leaves the velocity alone, and a rate alone the place") {
  Model model = slider_crank();
  model.body(model.find_body("block")).velocity = {{-1.0, 0.0, 0.0}};
  const ConstraintId rail = model.find_joint("rail"), shaft = model.find_joint("shaft");
  Model placed = model, moving = model;
  const AssemblyReport first = assemble(
      placed, {.coordinates = {{.joint = rail, .coordinate = JointCoordinate::displacement, .value = 0.2}}});
  REQUIRE(first.status == Status::ok);
  const JointCoordinates of_rail = coordinate(MultibodySystem(placed), first.state, rail);
  CHECK(of_rail.displacement == catena_test::relative(0.2, 1e-12));
  CHECK(std::abs(of_rail.displacement_rate) > 1e-3);
  const double before =
      coordinate(MultibodySystem(model), MultibodySystem(model).initial_state(), shaft).angle;
  const AssemblyReport second = assemble(moving, {.coordinates = {{.joint = shaft, .rate = -3.0}}});
  REQUIRE(second.status == Status::ok);
  CHECK(second.moves.empty());
  const JointCoordinates of_shaft = coordinate(MultibodySystem(moving), second.state, shaft);
  CHECK(of_shaft.angle == catena_test::relative(before, 1e-14));
  CHECK(of_shaft.angle_rate == catena_test::relative(-3.0, 1e-12));
}

TEST_CASE("both coordinates of a cylindrical joint, and angles of coupled joints") {
  Model model;
  const BodyId sleeve = model.add(Body{.name = "sleeve", .position = {{0.2, 0.0, 0.0}}});
  const ConstraintId joint = model.add(CylindricalJoint{.bodies = {ground, sleeve}, .name = "guide"});
  const AssemblyReport report = assemble(
      model,
      {.coordinates = {
           {.joint = joint, .value = -1.2, .rate = 2.0},
           {.joint = joint, .coordinate = JointCoordinate::displacement, .value = 0.4, .rate = -0.5}}});
  REQUIRE(report.status == Status::ok);
  const JointCoordinates c = coordinate(MultibodySystem(model), report.state, joint);
  CHECK(c.angle == catena_test::relative(-1.2, 1e-12));
  CHECK(c.angle_rate == catena_test::relative(2.0, 1e-12));
  CHECK(c.displacement == catena_test::relative(0.4, 1e-12));
  CHECK(c.displacement_rate == catena_test::relative(-0.5, 1e-12));

  Model gears;
  const BodyId small = gears.add(Body{.name = "small"}),
               large = gears.add(Body{.name = "large", .position = {{1.0, 0.0, 0.0}}});
  const ConstraintId left = gears.add(RevoluteJoint{.bodies = {ground, small}, .name = "left"}),
                     right = gears.add(
                         RevoluteJoint{.bodies = {ground, large}, .point_a = Vec3::Unit(0), .name = "right"});
  gears.add(JointCoupling{.terms = {{left}, {right, JointCoordinate::angle, -2.0}}, .name = "belt"});
  Model far = gears;
  const AssemblyReport turned =
      assemble(gears, {.coordinates = {{.joint = right, .value = 1.5, .rate = 1.0}}});
  REQUIRE(turned.status == Status::ok);
  const MultibodySystem system(gears);
  CHECK(coordinate(system, turned.state, right).angle == catena_test::relative(1.5, 1e-12));
  CHECK(coordinate(system, turned.state, left).angle == catena_test::relative(3.0, 1e-12));
  CHECK(coordinate(system, turned.state, left).angle_rate == catena_test::relative(2.0, 1e-12));
  // Couplings count angles from less than half a turn at the start: the left one cannot begin at 4 rad.
  const AssemblyOptions too_far{.coordinates = {{.joint = right, .value = 2.0}}};
  const AssemblyReport refused = assemble(far, too_far);
  CHECK(refused.status == Status::newton_not_converged);
  CHECK(sorted_names(refused, too_far, far) ==
        Names{"angle of joint \"right\" (revolute)", "joint \"belt\" (coupling)"});
}

TEST_CASE("joints that contradict one another are named, and no others") {
  Model model = scrambled(n_four_bar(2), 3);
  add_bridge(model, "short", {{0.0, 5.0, 0.0}}, 1.0, 3.0);
  add_bridge(model, "fitting", {{0.0, 7.0, 0.0}}, 1.0, 1.0);
  model.body(model.find_body("fitting")).position += Vec3{{0.1, 0.2, 0.1}};
  const Model before = model;
  const AssemblyOptions options{};
  const AssemblyReport report = assemble(model, options);
  CHECK(report.status == Status::newton_not_converged);
  CHECK(sorted_names(report, options, model) ==
        Names{"joint \"short left\" (spherical)", "joint \"short right\" (spherical)"});
  // 2 m too short: a half at each end, as symmetry has it.
  for (const AssemblyReport::Disagreement& d : report.disagreements) {
    CHECK(d.amount == catena_test::relative(1.0, 1e-3));
    CHECK(d.by == "1 m");
  }
  for (int b = 0; b < model.body_count(); ++b)
    CHECK(norm(model.body(BodyId{b}).position - before.body(BodyId{b}).position) == 0.0);
}

TEST_CASE("a four-bar whose rods are too short names its four joints, a pinned one those of the pin") {
  const auto linkage = [](double coupler) {
    Model model;
    const BodyId crank = add_rod(model, "crank", Vec3::Zero(), {{0.0, 0.3, 0.0}}),
                 middle = add_rod(model, "middle", {{0.0, 0.3, 0.0}}, {{coupler, 0.3, 0.0}}),
                 rocker = add_rod(model, "rocker", {{2.0, 0.0, 0.0}}, {{2.0, 0.3, 0.0}});
    const Vec3 half = 0.15 * Vec3::Unit(0);
    model.add(SphericalJoint{.bodies = {ground, crank}, .point_b = -half, .name = "a"});
    model.add(SphericalJoint{
        .bodies = {crank, middle}, .point_a = half, .point_b = -0.5 * coupler * Vec3::Unit(0), .name = "b"});
    model.add(SphericalJoint{
        .bodies = {middle, rocker}, .point_a = 0.5 * coupler * Vec3::Unit(0), .point_b = half, .name = "c"});
    model.add(SphericalJoint{
        .bodies = {ground, rocker}, .point_a = 2.0 * Vec3::Unit(0), .point_b = -half, .name = "d"});
    return model;
  };
  Model fits = linkage(1.9);
  CHECK(assemble(fits).status == Status::ok);
  Model model = linkage(1.0);
  const AssemblyReport report = assemble(model);
  CHECK(report.status == Status::newton_not_converged);
  CHECK(sorted_names(report, {}, model) == Names{"joint \"a\" (spherical)", "joint \"b\" (spherical)",
                                                 "joint \"c\" (spherical)", "joint \"d\" (spherical)"});
  // A pinned bar off its anchor: no one else can close that joint.
  Model pinned = linkage(1.9);
  const AssemblyOptions options{.pins = {pinned.find_body("crank")}};
  pinned.body(options.pins[0]).position += Vec3{{0.0, 0.0, 0.1}};
  const AssemblyReport held = assemble(pinned, options);
  CHECK(held.status == Status::newton_not_converged);
  CHECK(sorted_names(held, options, pinned) == Names{"joint \"a\" (spherical)"});
  CHECK(held.disagreements.at(0).amount == catena_test::relative(0.1, 1e-12));
}

TEST_CASE(
    "a contradiction is complete where one body is a million times heavier, its gap that much smaller") {
  Model model = slider_crank();
  Body& block = model.body(model.find_body("block"));
  block.mass *= 1e6;
  block.inertia = 1e6 * block.inertia;
  const AssemblyOptions options{
      .coordinates = {
          {.joint = model.find_joint("shaft"), .value = 0.5 * std::numbers::pi},
          {.joint = model.find_joint("rail"), .coordinate = JointCoordinate::displacement, .value = 1.0}}};
  const AssemblyReport report = assemble(model, options);
  CHECK(report.status == Status::newton_not_converged);
  const Names found = sorted_names(report, options, model);
  CHECK(std::find(found.begin(), found.end(), "displacement of joint \"rail\" (prismatic)") != found.end());
  CHECK(std::find(found.begin(), found.end(), "angle of joint \"shaft\" (revolute)") != found.end());
  CHECK(report.disagreements.back().amount < 1e-3 * report.disagreements.front().amount);
}

TEST_CASE("coordinates that contradict one another are named with the joints between them") {
  Model model = FourBar().model();
  const ConstraintId a = model.find_joint("a"), d = model.find_joint("d");
  const AssemblyOptions angles{.coordinates = {{.joint = a, .value = 0.3}, {.joint = d, .value = 0.3}}};
  const AssemblyReport report = assemble(model, angles);
  CHECK(report.status == Status::newton_not_converged);
  const Names found = sorted_names(report, angles, model);
  for (const char* name : {"angle of joint \"a\" (revolute)", "angle of joint \"d\" (revolute)",
                           "joint \"b\" (revolute)", "joint \"c\" (revolute)"}) {
    CAPTURE(name);
    CHECK(std::find(found.begin(), found.end(), name) != found.end());
  }
  const BodyId bob = model.add(Body{.name = "bob", .velocity = {{3.0, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, bob}, .name = "hook"});
  const AssemblyOptions rates{.coordinates = {{.joint = a, .rate = 1.0}, {.joint = d, .rate = 5.0}}};
  const AssemblyReport fast = assemble(model, rates);
  CHECK(fast.status == Status::singular_kkt);
  CHECK(fast.disagreements.at(0).of_rate);
  const Names faster = sorted_names(fast, rates, model);
  for (const char* name : {"speed of joint \"a\" (revolute)", "speed of joint \"d\" (revolute)"}) {
    CAPTURE(name);
    CHECK(std::find(faster.begin(), faster.end(), name) != faster.end());
  }
  CHECK(std::find(faster.begin(), faster.end(), "joint \"hook\" (spherical)") == faster.end());
  // The two rates that fit: with v_b = r_a w_a across the crank, along the coupler, by the method of joints.
  Model moving = model;
  const AssemblyReport one = assemble(moving, {.coordinates = {{.joint = a, .rate = 1.0}}});
  REQUIRE(one.status == Status::ok);
  const double other = coordinate(MultibodySystem(moving), one.state, d).angle_rate;
  Model both = model;
  CHECK(assemble(both, {.coordinates = {{.joint = a, .rate = 1.0}, {.joint = d, .rate = other}}}).status ==
        Status::ok);
}

TEST_CASE("what an assembly cannot be asked for is refused by name") {
  Model model = FourBar().model();
  const ConstraintId a = model.find_joint("a");
  CHECK_THROWS_WITH_AS(
      assemble(model,
               {.coordinates = {{.joint = a, .coordinate = JointCoordinate::displacement, .value = 0.1}}}),
      "joint \"a\" (revolute) holds its displacement itself", ModelError);
  // Off its joint as well, where the rows of the hinge are others.
  Model apart = scrambled(model, 2);
  CHECK_THROWS_AS(
      assemble(apart,
               {.coordinates = {{.joint = a, .coordinate = JointCoordinate::displacement, .value = 0.1}}}),
      ModelError);
  CHECK_THROWS_WITH_AS(assemble(model, {.coordinates = {{.joint = ConstraintId{9}}}}),
                       "joint number 9 does not exist", ModelError);
  CHECK_THROWS_WITH_AS(assemble(model, {.coordinates = {{.joint = a, .value = NAN}}}),
                       "the initial angle of joint \"a\" (revolute) must be finite, is nan", ModelError);
  CHECK_THROWS_WITH_AS(assemble(model, {.weights = {{BodyId{0}, 0.0}}}),
                       "weights: that of body \"crank\" must be positive and finite, is 0", ModelError);
  CHECK_THROWS_WITH_AS(assemble(model, {.pins = {BodyId{3}}}), "pins: body number 3 does not exist",
                       ModelError);
}
