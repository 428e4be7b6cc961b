// A motor that drives a linkage past its dead point: the run ends by the joints that contradict one another.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/detail/no_position.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/dormand_prince.hpp>

#include "support/methods_with_joints.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

constexpr double crank = 0.5, coupler = 0.6, rocker = 0.5, ground_bar = 1.0;  // [m]
constexpr double dead_at = 0.395;                                             // [s]
const double begin = std::atan(1.0);
const double dead =
    std::acos((crank * crank + ground_bar * ground_bar - (coupler + rocker) * (coupler + rocker)) /
              (2.0 * crank * ground_bar));  // where coupler and rocker are in line: 87.7 degrees

BodyId add_bar(Model& model, const char* name, const Vec3& from, const Vec3& to) {
  const double length = norm(to - from), half = 0.5 * std::atan2(to[1] - from[1], to[0] - from[0]);
  const double across = length * length * length / 12.0;
  return model.add(Body{.name = name,
                        .mass = length,
                        .inertia = diagonal(Vec3{{1e-3, across, across}}),
                        .position = 0.5 * (from + to),
                        .orientation = {std::cos(half), 0.0, 0.0, std::sin(half)}});
}

// elbow: a hinge (three redundant rows) or a ball joint. The motor turns the crank by `turn` a second from its position.
Model linkage(bool hinge_at_elbow, double turn) {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const Vec3 b{{crank * std::cos(begin), crank * std::sin(begin), 0.0}}, d{{ground_bar, 0.0, 0.0}};
  const Vec3 way = d - b;
  const double length = norm(way),
               along = (coupler * coupler - rocker * rocker + length * length) / (2.0 * length),
               across = std::sqrt(coupler * coupler - along * along);
  const Vec3 c = b + (1.0 / length) * (along * way + across * Vec3{{-way[1], way[0], 0.0}});
  const BodyId first = add_bar(model, "crank", Vec3::Zero(), b), second = add_bar(model, "coupler", b, c),
               third = add_bar(model, "rocker", d, c);
  const auto x = [](double s) { return Vec3{{s, 0.0, 0.0}}; };
  const auto hinge = [&](const char* name, BodyId one, const Vec3& p, BodyId other, const Vec3& q) {
    return model.add(RevoluteJoint{.bodies = {one, other},
                                   .point_a = p,
                                   .point_b = q,
                                   .axis_a = Vec3::Unit(2),
                                   .axis_b = Vec3::Unit(2),
                                   .name = name});
  };
  const ConstraintId a = hinge("A", ground, Vec3::Zero(), first, x(-0.5 * crank));
  model.add(JointDrive{
      .joint = a, .target = functions::Polynomial{{0.0, turn}}, .as_placed = true, .name = "motor"});
  hinge("B", first, x(0.5 * crank), second, x(-0.5 * coupler));
  if (hinge_at_elbow)
    hinge("C", second, x(0.5 * coupler), third, x(0.5 * rocker));
  else
    model.add(SphericalJoint{
        .bodies = {second, third}, .point_a = x(0.5 * coupler), .point_b = x(0.5 * rocker), .name = "C"});
  hinge("D", ground, d, third, x(-0.5 * rocker));
  return model;
}

}  // namespace

TEST_CASE("a crank driven past its dead point ends with the joints between which there is no position") {
  for (const bool hinge : {false, true}) {
    const MultibodySystem system(linkage(hinge, (dead - begin) / dead_at));
    for (const std::unique_ptr<Stepper>& stepper : catena_test::methods_with_joints()) {
      CAPTURE(stepper->traits().name);
      CAPTURE(hinge);
      State state = system.initial_state();
      const RunResult r = run(system, *stepper, state, {.step = 1e-3, .end = 1.0});
      CHECK(r.status != Status::ok);
      const std::string text = to_text(r);
      CAPTURE(text);
      CHECK(text.ends_with("no position near t = 0.395 s satisfies A, motor, B, C, D"));
      CHECK(std::abs(r.culprit.value - dead_at) < 1e-6);
    }
  }
}

TEST_CASE("a crank that does not reach its dead point has positions everywhere") {
  const MultibodySystem system(linkage(false, 0.99 * (dead - begin)));
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  const RunResult r = run(system, stepper, state, {.step = 1e-3, .end = 1.0});
  CHECK(r.status == Status::ok);
  CHECK(!no_position(system, state, 1e-4).has_value());  // up to 1.0016 s
  CHECK(no_position(system, state, 1e-3).has_value());   // up to 1.016 s: the dead point is at 1/0.99 s
}

// A kink of a drive ends steps of dop853; its table ends within what a search for lost positions looks at.
TEST_CASE(
    "the end of a table is no end of positions, and the kink that steps fail at is named, not an earlier "
    "one") {
  Model model;
  const BodyId cart = model.add(Body{.name = "cart"});
  const ConstraintId rail = model.add(PrismaticJoint{.bodies = {ground, cart}, .name = "rail"});
  model.add(JointDrive{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .target = functions::Table{.x = {0.0, 0.2, 0.3137, 1.0},
                                                  .y = {0.0, 0.2, 0.3137, 0.3137 - 0.6863},
                                                  .spline = functions::Spline::linear},
                       .name = "drive"});
  const MultibodySystem system(std::move(model));
  for (const bool eighth : {true, false}) {
    Dop853 dop853;
    DormandPrince dormand_prince;
    Stepper& stepper = eighth ? static_cast<Stepper&>(dop853) : dormand_prince;
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 0.05, .end = 0.6});
    CHECK(result.status == Status::step_too_small);
    CAPTURE(result.message);
    CHECK(result.message.find(
              "its target has a kink at t = 0.3137 s, where the rate changes from 1 to -1 m/s") !=
          std::string::npos);
  }
}
