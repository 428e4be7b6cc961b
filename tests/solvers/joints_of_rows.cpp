// What the joints of the table let bodies do, and what they hold: motions and reactions that are known.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace joints_of_rows_tests {

using namespace catena;
using namespace catena::detail;

namespace {

constexpr double g = 9.81, mass = 2.0, end = 0.2;
const Vec3 moments{{0.1, 0.2, 0.3}};

Body box(const Vec3& position) {
  return {.name = "box", .mass = mass, .inertia = diagonal(moments), .position = position};
}
Model under_gravity() {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  return model;
}

struct Moved {
  State state;
  RigidBodyState box;
};
// From the initial positions to `end`; generalized_alpha follows uniform acceleration exactly.
Moved run_to_end(const MultibodySystem& system) {
  GeneralizedAlpha stepper;
  Moved m{system.initial_state(), {}};
  REQUIRE(run(system, stepper, m.state, {.step = 1e-3, .end = end}).status == Status::ok);
  m.box = pose(system, m.state, BodyId{0});
  return m;
}
bool near(const Vec3& a, const Vec3& b, double tolerance) { return norm(Vec3(a - b)) <= tolerance; }

}  // namespace

TEST_CASE("a weld holds a beam: the reaction is its weight upward, and the moment of its weight") {
  Model model = under_gravity();
  const BodyId b = model.add(box({{0.5, 0.0, 0.0}}));
  const ConstraintId weld = model.add(joint_at<WeldJoint>(model, ground, b, {.axis = Vec3::Unit(0)}));
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  CHECK(near(m.box.position, {{0.5, 0.0, 0.0}}, 1e-14));
  const JointReaction r = reaction(system, m.state, weld);
  CHECK(r.body == b);
  CHECK(near(r.point, Vec3::Zero(), 1e-14));
  CHECK(near(r.force, {{0.0, 0.0, mass * g}}, 1e-10));
  CHECK(near(r.torque, {{0.0, -0.5 * mass * g, 0.0}}, 1e-10));  // r x F of the weight is +y 0.5 m g
}

TEST_CASE("a slider on an incline falls with g sin(alpha) and does not turn") {
  const double alpha = 0.4;
  const Vec3 down{{std::cos(alpha), 0.0, -std::sin(alpha)}};
  Model model = under_gravity();
  const BodyId b = model.add(box({{0.0, 0.0, 0.3}}));
  const ConstraintId joint = model.add(joint_at<PrismaticJoint>(model, ground, b, {.axis = down}));
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  const double way = 0.5 * g * std::sin(alpha) * end * end;
  CHECK(near(m.box.position, Vec3{{0.0, 0.0, 0.3}} + way * down, 1e-11));
  CHECK(norm(m.box.angular_velocity) < 1e-12);
  CHECK(coordinate(system, m.state, joint).displacement == doctest::Approx(way).epsilon(1e-9));
  CHECK(std::abs(coordinate(system, m.state, joint).angle) < 1e-13);
}

TEST_CASE("a cylindrical joint along the vertical: free fall and a steady spin at once") {
  Model model = under_gravity();
  Body spinning = box(Vec3::Zero());
  spinning.angular_velocity = {{0.0, 0.0, 3.0}};
  const BodyId b = model.add(spinning);
  model.add(joint_at<CylindricalJoint>(model, ground, b, {.side = Vec3::Unit(0)}));
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  CHECK(near(m.box.position, {{0.0, 0.0, -0.5 * g * end * end}}, 1e-11));
  CHECK(near(m.box.angular_velocity, {{0.0, 0.0, 3.0}}, 1e-11));
}

TEST_CASE("a planar joint holds a box in a horizontal plane where it slides and spins freely") {
  Model model = under_gravity();
  Body sliding = box({{0.1, 0.2, 0.3}});
  sliding.velocity = {{1.0, -2.0, 0.0}};
  sliding.angular_velocity = {{0.0, 0.0, 4.0}};
  const BodyId b = model.add(sliding);
  const ConstraintId joint = model.add(
      between<PlanarJoint>(model.frame(ground, {{0.0, 0.0, 0.3}}), model.frame(b, Vec3::Zero()), "ice"));
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  CHECK(near(m.box.position, Vec3{{0.1, 0.2, 0.3}} + end * sliding.velocity, 1e-11));
  CHECK(near(m.box.angular_velocity, sliding.angular_velocity, 1e-11));
  CHECK(near(reaction(system, m.state, joint).force, {{0.0, 0.0, mass * g}}, 1e-9));
}

TEST_CASE(
    "a bead on a vertical line falls freely, on a horizontal one it stays; a point in a plane likewise") {
  for (const bool line : {true, false})
    for (const bool falls : {true, false}) {
      Model model = under_gravity();
      const BodyId b = model.add(box(Vec3::Zero()));
      // On a line along z, or in a plane with the normal x, it falls; on a line along x, or in a plane normal to z, not.
      const Vec3 axis = Vec3::Unit(line == falls ? 2 : 0);
      if (line)
        model.add(joint_at<PointOnLineJoint>(model, ground, b, {.axis = axis}));
      else
        model.add(joint_at<PointInPlaneJoint>(model, ground, b, {.axis = axis}));
      const MultibodySystem system(model);
      const Moved m = run_to_end(system);
      CHECK(near(m.box.position, {{0.0, 0.0, falls ? -0.5 * g * end * end : 0.0}}, 1e-11));
    }
}

TEST_CASE("a body of constant orientation flies like a point, whatever torque acts on it") {
  Model model = under_gravity();
  const BodyId b = model.add(box(Vec3::Zero()));
  const ConstraintId joint = model.add(joint_at<ConstantOrientationJoint>(model, ground, b, {}));
  model.add(Torque{.bodies = {b}, .torque = {{1.0, 2.0, 3.0}}});
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  CHECK(near(m.box.position, {{0.0, 0.0, -0.5 * g * end * end}}, 1e-11));
  CHECK(norm(m.box.angular_velocity) < 1e-12);
  CHECK(near(reaction(system, m.state, joint).torque, {{-1.0, -2.0, -3.0}}, 1e-9));
}

TEST_CASE("a universal joint keeps its axes perpendicular and lets the rest turn") {
  Model model = under_gravity();
  Body tilted = box({{0.0, 0.0, -0.5}});
  tilted.angular_velocity = {{1.0, -0.5, 0.0}};
  tilted.velocity = cross(tilted.angular_velocity, Vec3{{0.0, 0.0, -0.5}});
  const BodyId b = model.add(tilted);
  const ConstraintId joint = model.add(UniversalJoint{
      .bodies = {ground, b}, .point_b = {{0.0, 0.0, 0.5}}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(1)});
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);
  const Mat3 R = rotation_matrix(m.box.orientation);
  CHECK(std::abs(R(0, 1)) < 1e-13);  // e_x . R e_y
  CHECK(norm(Vec3(m.box.position + R * Vec3{{0.0, 0.0, 0.5}})) < 1e-13);
  CHECK(std::abs(dot(m.box.angular_velocity, Vec3::Unit(0))) > 0.1);
  CHECK(multipliers(system, m.state, joint).size() == 4);
}

// The first fork turns about z at a given speed; the arm is free to fall about its own y axis.
TEST_CASE(
    "the angle of a universal joint is that of its second axis about the first: it can be measured and "
    "driven") {
  Model model = under_gravity();
  Body arm = box({{0.5, 0.0, 0.0}});
  arm.angular_velocity = {{0.0, 0.0, 3.0}};
  arm.velocity = {{0.0, 1.5, 0.0}};
  const BodyId b = model.add(arm);
  const ConstraintId cross_piece = model.add(UniversalJoint{.bodies = {ground, b},
                                                            .point_b = {{-0.5, 0.0, 0.0}},
                                                            .axis_a = Vec3::Unit(2),
                                                            .axis_b = Vec3::Unit(1)});
  model.add(JointDrive{.joint = cross_piece, .target = functions::Polynomial{{0.0, 3.0}}});
  const MultibodySystem system(model);
  CHECK(coordinate(system, system.initial_state(), cross_piece).angle == 0.0);
  const Moved m = run_to_end(system);
  const JointCoordinates turned = coordinate(system, m.state, cross_piece);
  CHECK(std::abs(turned.angle - 3.0 * end) < 1e-12);
  CHECK(std::abs(turned.angle_rate - 3.0) < 1e-3);  // index 3 holds positions
  const Mat3 R = rotation_matrix(m.box.orientation);
  CHECK(std::abs(std::atan2(-R(0, 1), R(1, 1)) - 3.0 * end) < 1e-12);
  CHECK(R(2, 0) < -0.05);  // the arm falls
  CHECK(std::abs(R(2, 1)) < 1e-13);
}

TEST_CASE("a driven angle turns a crank at its speed, through any number of turns") {
  struct DrivenCrank {
    std::array<BodyId, 2> bodies;
    auto made_of() const {
      return rows::list(
          rows::coincide(Vec3::Zero(), Vec3::Zero()), rows::parallel(Vec3::Unit(2), Vec3::Unit(2)),
          rows::angle(Vec3::Unit(2), Vec3::Unit(0), Vec3::Unit(2), Vec3::Unit(0), {0.0, 50.0, 0.0}));
    }
  };
  Model model;
  Body crank = box(Vec3::Zero());
  crank.angular_velocity = {{0.0, 0.0, 50.0}};
  const BodyId b = model.add(crank);
  model.add(DrivenCrank{{ground, b}});
  const MultibodySystem system(model);
  const Moved m = run_to_end(system);  // 10 rad
  CHECK(near(m.box.angular_velocity, {{0.0, 0.0, 50.0}}, 1e-9));
  const double turned = 2.0 * std::atan2(m.box.orientation.z, m.box.orientation.w);
  CHECK(std::abs(std::remainder(turned - 50.0 * end, 2.0 * 3.141592653589793)) < 1e-12);
}

}  // namespace joints_of_rows_tests
