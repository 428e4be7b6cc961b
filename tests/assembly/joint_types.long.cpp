// Every joint of the table, one after the other: derivatives against differences, ten thousand steps at roundoff at its rows,
// and its reaction against statics, with sign, place and axes. Joints that are none of two markers: couplings.cpp, drives.cpp,
// meanings.cpp.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/few_cases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace joint_type_tests {
using namespace catena;

// The directions of A's axes along which a joint bears forces, and moments.
struct Bears {
  const char *forces, *moments;
};

const Vec3 place{{0.4, -0.3, 0.7}};
const Quat askew = normalized(Quat{0.7, 0.4, -0.3, 0.5});
// Columns: side, across, axis of the first marker, in the world.
const Mat3 triad = rotation_matrix(normalized(Quat{0.6, -0.2, 0.5, 0.4}));

Vec3 column(const Mat3& m, int k) { return {{m(0, k), m(1, k), m(2, k)}}; }

// Of a joint with markers at the same place and along the same axes; the axes of a universal joint are at right angles.
template <class Joint>
Joint made(const Model& model, BodyId a, BodyId b) {
  auto joint = joint_at<Joint>(model, a, b,
                               {.point = place, .axis = column(triad, 2), .side = column(triad, 0)}, "it");
  if constexpr (std::is_same_v<Joint, UniversalJoint>)
    joint.axis_b = frame_at(model, b, {.point = place, .axis = column(triad, 0)}).axis;
  return joint;
}

Body brick(const char* name, const Vec3& position, const Quat& orientation) {
  return {.name = name,
          .mass = 1.3,
          .inertia = diagonal(Vec3{{0.3, 0.4, 0.5}}),
          .position = position,
          .orientation = orientation};
}

Vec3 along(const char* axes, const Vec3& amounts) {
  Vec3 sum = Vec3::Zero();
  for (; *axes != '\0'; ++axes) sum = sum + amounts[*axes - 'x'] * column(triad, *axes - 'x');
  return sum;
}

// Two bodies, the first on the ground by springs, the second on the first by the joint and a spring.
template <class Joint>
Model loose() {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId a = model.add(brick("a", {{0.1, 0.2, 0.3}}, normalized(Quat{0.9, 0.1, 0.3, -0.2})));
  const BodyId b = model.add(brick("b", {{0.9, -0.5, 0.6}}, askew));
  model.add(made<Joint>(model, a, b));
  model.add(Bushing{.bodies = {ground, a},
                    .point_a = {{0.1, 0.2, 0.3}},
                    .stiffness = 60.0 * Mat<double, 6, 6>::Identity()});
  model.add(SpringDamper{
      .bodies = {ground, b}, .point_a = {{0.5, 0.5, 1.5}}, .stiffness = 80.0, .rest_length = 1.0});
  model.add(TorsionSpring{.bodies = {ground, b}, .stiffness = 5.0});
  return model;
}

template <class Joint>
void has_right_derivatives() {
  const MultibodySystem system(loose<Joint>());
  const DerivativeCheck check = check_derivatives(system, system.initial_state());
  CHECK(check.points == 3);
  for (const DerivativeFault& fault : check.faults)
    if (fault.of_constraint) MESSAGE(fault.owner << ": " << fault.quantity);
  CHECK(check.faults.empty());
}

template <class Joint>
void keeps_its_rows() {
  const MultibodySystem system(loose<Joint>());
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  std::vector<double> gap(state.lambda.size());
  double largest = 0.0, way = 0.0;
  const Vec3 from = system.body_state(state, BodyId{1}).position;
  const double h = 1e-3;
  const int steps = catena_test::few_cases ? 500 : 10000, looks = 100;
  for (int k = 1; k <= looks; ++k) {
    REQUIRE(run(system, stepper, state, {.step = h, .end = h * steps * k / looks}).status == Status::ok);
    system.evaluate(point_of(state), {.position = gap.data()});
    for (const double g : gap) largest = std::max(largest, std::abs(g));
    way = std::max(way, norm(system.body_state(state, BodyId{1}).position - from));
  }
  // Lengths of the order of 1 m and cosines: some ten roundoffs of 1.1e-16.
  CHECK(largest < 4e-15);
  CHECK(way > 0.1);
}

// A body at rest without gravity on the ground: what is applied along the directions that the joint bears, the joint holds.
template <class Joint>
void bears_its_load(const Bears& bears) {
  Model model;
  const Vec3 force = along(bears.forces, {{3.0, -5.0, 7.0}}),
             moment = along(bears.moments, {{-2.0, 1.5, 0.8}});
  const BodyId b = model.add(brick("b", {{0.9, -0.5, 0.6}}, askew));
  const ConstraintId id = model.add(made<Joint>(model, ground, b));
  const Vec3 at = rotation_matrix(askew).transpose() * (place - model.body(b).position);
  model.add(PointForce{.bodies = {b}, .point = at, .force = force});
  model.add(Torque{.bodies = {b}, .torque = moment});
  const MultibodySystem system(model);
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = 1e-2, .end = 5e-2}).status == Status::ok);
  CHECK(norm(system.body_state(state, b).velocity) < 1e-12);
  const JointReaction r = reaction(system, state, id);
  CHECK(r.body == b);
  if (*bears.forces != '\0') CHECK(norm(r.point - place) < 1e-12);
  // A roundoff of 1 m over h^2 at 1 kg is 1e-12 N.
  CHECK(norm(r.force + force) < 1e-9);
  CHECK(norm(r.torque + moment) < 1e-9);
}

template <class Joint>
void check(const Bears& bears) {
  CAPTURE(std::string(Joint::type_name));
  SUBCASE("derivatives") { has_right_derivatives<Joint>(); }
  SUBCASE("rows") { keeps_its_rows<Joint>(); }
  SUBCASE("reaction") { bears_its_load<Joint>(bears); }
}

TEST_CASE_TEMPLATE_DEFINE("joint", Case, joints) { check<typename Case::Joint>(Case::bears); }

#define JOINT_CASE(name, joint, forces, moments)   \
  struct name {                                    \
    using Joint = joint;                           \
    static constexpr Bears bears{forces, moments}; \
  };
JOINT_CASE(Ball, SphericalJoint, "xyz", "")
JOINT_CASE(Hinge, RevoluteJoint, "xyz", "xy")
JOINT_CASE(Cardan, UniversalJoint, "xyz", "y")  // across both axes, which are z and x
JOINT_CASE(Cylinder, CylindricalJoint, "xy", "xy")
JOINT_CASE(Slider, PrismaticJoint, "xy", "xyz")
JOINT_CASE(Plane, PlanarJoint, "z", "xy")
JOINT_CASE(Fixed, WeldJoint, "xyz", "xyz")
JOINT_CASE(Line, PointOnLineJoint, "xy", "")
JOINT_CASE(Contact, PointInPlaneJoint, "z", "")
JOINT_CASE(Heading, ConstantOrientationJoint, "", "xyz")
#undef JOINT_CASE
TEST_CASE_TEMPLATE_INVOKE(joints, Ball, Hinge, Cardan, Cylinder, Slider, Plane, Fixed, Line, Contact,
                          Heading);

}  // namespace joint_type_tests
