// Assembly of models: scrambled mechanisms, pins, weights and axes.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/problems/four_bar.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"
#include "support/scrambled.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace {

using namespace catena;
using namespace catena::test;
using catena_test::residual;

void check_assembled(const Model& model, const AssemblyReport& report) {
  const MultibodySystem system(model);
  const State start = system.initial_state();
  CHECK(residual(system, start, &Evaluation::position) < 1e-12);  // what was asked for
  CHECK(residual(system, start, &Evaluation::velocity) < 1e-12);
  CHECK(report.state.q == start.q);
  CHECK(report.state.v == start.v);
  // Of numbers up to some hundreds (accelerations of bars of 0.1 m turning at some radians a second).
  CHECK(residual(system, report.state, &Evaluation::acceleration) < 1e-10);
  CHECK(residual(system, report.state, &Evaluation::balance) < 1e-10);
  CHECK_NOTHROW(model.check_initial_positions(1e-11));
}

bool same_poses(const Body& a, const Body& b) {
  bool same = a.orientation.w == b.orientation.w;
  for (int k = 0; k < 3; ++k)
    same = same && a.position[k] == b.position[k] && a.orientation.vec()[k] == b.orientation.vec()[k];
  return same;
}

}  // namespace

TEST_CASE("scrambled mechanisms are assembled, positions, velocities, accelerations and multipliers") {
  const struct {
    const char* name;
    std::function<Model()> make;
  } mechanisms[] = {{"four-bar", [] { return FourBar().model(); }},
                    {"four-bar with a twin", [] { return FourBar({.twin = true}).model(); }},
                    {"three windows", [] { return n_four_bar(3); }},
                    {"slider-crank", slider_crank},
                    {"net", [] { return net(4); }},
                    {"chain of ball joints", [] { return arc<SphericalJoint>(12); }},
                    {"universal joints", [] { return arc<UniversalJoint>(6); }},
                    {"platform on rods", stewart}};
  for (const auto& m : mechanisms)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(m.name);
      CAPTURE(seed);
      const Model closed = m.make();
      REQUIRE_NOTHROW(closed.check_initial_positions(1e-12));
      Model model = scrambled(closed, seed);
      CHECK(!model.open_constraints(1e-3).empty());
      const AssemblyReport report = assemble(model);
      CAPTURE(report.culprit.name);
      CAPTURE(report.iterations);
      REQUIRE(report.status == Status::ok);
      check_assembled(model, report);
      CHECK(report.attempts == 1);
      CHECK(report.iterations <= 10);
      CHECK(report.disagreements.empty());
      REQUIRE(!report.moves.empty());
      CHECK(report.largest_velocity_change > 0.0);
    }
}

TEST_CASE("bodies that are pinned do not move, and heavy ones move little") {
  Model start = FourBar().model();
  const BodyId crank = start.find_body("crank"), coupler = start.find_body("coupler");
  const Quat turn = orientation_from_axis_angle(Vec3::Unit(2), 0.4);  // on its hinge
  start.body(crank).position = rotation_matrix(turn) * start.body(crank).position;
  start.body(crank).orientation = turn * start.body(crank).orientation;
  start.body(coupler).velocity = {{0.3, 0.1, 0.0}};
  const auto moved = [&](const Model& m, BodyId id) {
    return norm(m.body(id).position - start.body(id).position);
  };
  Model pinned = start, free = start, weighted = start;
  const AssemblyReport report = assemble(pinned, {.pins = {crank}});
  REQUIRE(report.status == Status::ok);
  check_assembled(pinned, report);
  CHECK(same_poses(pinned.body(crank), start.body(crank)));
  CHECK(report.moves.size() == 2);
  for (const AssemblyReport::Move& m : report.moves) {
    CHECK(m.body != crank);
    CHECK(m.distance == catena_test::relative(moved(pinned, m.body), 1e-12));
  }
  REQUIRE(assemble(free).status == Status::ok);
  REQUIRE(assemble(weighted, {.weights = {{crank, 1e8}}}).status == Status::ok);
  CHECK(moved(free, crank) > 1e-3);
  CHECK(moved(weighted, crank) < 1e-7);
  CHECK(moved(weighted, coupler) == catena_test::relative(moved(pinned, coupler), 1e-6));
}

TEST_CASE("what moves least in the metric of the masses moves, and where nothing is open nothing does") {
  // Two bodies without turning about it, 0.1 m apart: the shares of the way are as the masses of the other one.
  Model model;
  const BodyId light = model.add(Body{.name = "light", .mass = 1.0, .position = {{0.1, 0.0, 0.0}}}),
               heavy = model.add(Body{.name = "heavy", .mass = 4.0});
  model.add(SphericalJoint{.bodies = {light, heavy}});
  Model closed = model;
  REQUIRE(assemble(closed).status == Status::ok);
  CHECK(closed.body(light).position[0] == catena_test::relative(0.02, 1e-12));
  CHECK(closed.body(heavy).position[0] == catena_test::relative(0.02, 1e-12));
  Model even = model;
  REQUIRE(assemble(even, {.weights = {{light, 4.0}}}).status == Status::ok);
  CHECK(even.body(heavy).position[0] == catena_test::relative(0.05, 1e-12));
  const Model before = closed;
  const AssemblyReport again = assemble(closed);
  CHECK(again.status == Status::ok);
  CHECK(again.iterations == 0);
  CHECK(again.moves.empty());
  for (const BodyId id : {light, heavy}) CHECK(same_poses(closed.body(id), before.body(id)));
}

TEST_CASE("axes that point anywhere are brought together, and not against each other") {
  for (const double degrees : {60.0, 89.0, 90.0, 91.0, 120.0, 149.0}) {
    CAPTURE(degrees);
    Model model;
    BodyId before = ground;
    for (int k = 0; k < 3; ++k) {
      const Vec3 foot{{1.0 * k, 0.0, 0.0}};
      const BodyId bar = add_rod(model, "bar " + std::to_string(k), foot, foot + Vec3::Unit(0));
      model.add(joint_at<RevoluteJoint>(model, before, bar, {.point = foot}));
      before = bar;
    }
    const Quat turn = orientation_from_axis_angle({{0.6, 0.8, 0.0}}, degrees * std::numbers::pi / 180.0);
    model.body(BodyId{1}).orientation = turn * model.body(BodyId{1}).orientation;
    const AssemblyReport report = assemble(model);
    REQUIRE(report.status == Status::ok);
    check_assembled(model, report);
    for (int b = 0; b < 3; ++b)
      CHECK(rotation_matrix(model.body(BodyId{b}).orientation)(2, 2) == catena_test::relative(1.0, 1e-12));
  }
  // Nearly against each other: meant so.
  Model model;
  const BodyId wheel = model.add(Body{.name = "wheel",
                                      .position = {{0.1, 0.0, 0.0}},
                                      .orientation = orientation_from_axis_angle(Vec3::Unit(0), 0.3)});
  model.add(RevoluteJoint{.bodies = {ground, wheel}, .axis_b = -Vec3::Unit(2)});
  REQUIRE(assemble(model).status == Status::ok);
  CHECK(rotation_matrix(model.body(wheel).orientation)(2, 2) == catena_test::relative(1.0, 1e-12));
}

TEST_CASE("axes of a loop that end against each other are no assembly") {
  // Reached through the ball joint, so that the hinge does not turn it before.
  const auto door = [](double degrees) {
    Model model;
    const BodyId leaf = model.add(
        Body{.name = "leaf",
             .orientation = orientation_from_axis_angle(Vec3::Unit(0), degrees * std::numbers::pi / 180.0)});
    model.add(SphericalJoint{.bodies = {ground, leaf}, .name = "ball"});
    model.add(CylindricalJoint{.bodies = {ground, leaf}, .name = "hinge"});
    return model;
  };
  Model turned = door(120.0);
  const AssemblyReport report = assemble(turned);
  REQUIRE(report.status == Status::ok);
  CHECK(rotation_matrix(turned.body(BodyId{0}).orientation)(2, 2) == catena_test::relative(1.0, 1e-12));
  Model never = door(120.0);
  const AssemblyReport once = assemble(never, {.attempts = 1});
  CHECK(once.status == Status::newton_not_converged);
  REQUIRE(once.disagreements.size() == 1);
  CHECK(name_of(once.disagreements[0], {}, never) == "joint \"hinge\" (cylindrical)");
  CHECK(once.disagreements[0].by == "3.14159 rad: its axes point against each other");
}

TEST_CASE("a rod whose ends coincide, and an axis at right angles, have no gradient where they begin") {
  Model model;
  const BodyId ball = model.add(Body{.name = "ball"});
  model.add(DistanceConstraint{.bodies = {ground, ball}, .length = 0.5, .name = "rod"});
  const AssemblyReport report = assemble(model);
  REQUIRE(report.status == Status::ok);
  CHECK(report.attempts == 2);
  CHECK(norm(model.body(ball).position) == catena_test::relative(0.5, 1e-12));
}

TEST_CASE("velocity rows do not hold positions") {
  Model model;
  const BodyId skate = model.add(Body{.name = "skate", .position = {{0.0, 0.3, 0.0}}});
  model.add(KnifeEdge{.bodies = {skate}});  // along x
  model.add(PointInPlaneJoint{.bodies = {ground, skate}, .axis_a = Vec3::Unit(1)});
  const AssemblyReport report = assemble(model);
  REQUIRE(report.status == Status::ok);
  CHECK(report.iterations <= 2);
  CHECK(std::abs(model.body(skate).position[1]) < 1e-12);
}

TEST_CASE(
    "a straight chain folds between anchors that are too near, and takes the same steps in millimetres") {
  const auto chain = [](double unit, double part) {
    constexpr int n = 40;
    Model model;
    BodyId before = ground;
    for (int k = 0; k < n; ++k) {
      const Vec3 foot{{unit * k, 0.0, 0.0}};
      const BodyId bar = add_rod(model, "bar " + std::to_string(k), foot, foot + unit * Vec3::Unit(0));
      model.body(bar).mass = 1.0;
      model.body(bar).inertia = unit * unit / 12.0 * diagonal(Vec3{{0.1, 1.0, 1.0}});
      model.add(joint_at<RevoluteJoint>(model, before, bar, {.point = foot, .axis = Vec3::Unit(1)}));
      before = bar;
    }
    model.add(SphericalJoint{.bodies = {before, ground},
                             .point_a = 0.5 * unit * Vec3::Unit(0),
                             .point_b = unit * Vec3{{part * n, 0.0, 0.5}}});
    return model;
  };
  Model metres = chain(1.0, 0.8), millimetres = chain(1e3, 0.8);
  const AssemblyReport report = assemble(metres), scaled = assemble(millimetres, {.tolerance = 1e-9});
  REQUIRE(report.status == Status::ok);
  REQUIRE(scaled.status == Status::ok);
  CHECK_NOTHROW(metres.check_initial_positions(1e-11));
  CHECK(report.attempts == 1);
  CHECK(report.iterations > 10);  // Newton's own steps do not do it
  CHECK(scaled.iterations == report.iterations);
  // Where the chain folds roundoff grows, to 5e-8 of its length (measured).
  for (int b = 0; b < metres.body_count(); ++b)
    CHECK(norm(millimetres.body(BodyId{b}).position - 1e3 * metres.body(BodyId{b}).position) < 1e-6 * 40e3);
}
