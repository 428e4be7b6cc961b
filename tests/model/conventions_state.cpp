// docs/reference/conventions.md, lines 12 to 14: the state and its perturbations.
#include <catena/builtin/builtin.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include "model/conventions.hpp"
#include "support/mechanisms.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace catena;
using namespace catena::detail;
using namespace convention;

namespace {

Model one_of_each() {
  test::Random random(12);
  Model model;
  model.gravity = {{0.3, -0.2, -9.81}};
  for (int k = 0; k < 3; ++k) model.add(test::random_body(random, k));
  const std::array<BodyId, 2> ab{BodyId{0}, BodyId{1}}, bc{BodyId{1}, BodyId{2}};
  const std::array<BodyId, 1> a{BodyId{0}}, c{BodyId{2}};
  const auto any = [&] { return random.vector(); };
  model.add(SphericalJoint{.bodies = ab, .point_a = any(), .point_b = any()});
  model.add(
      RevoluteJoint{.bodies = bc, .point_a = any(), .point_b = any(), .axis_a = any(), .axis_b = any()});
  model.add(DistanceConstraint{.bodies = {BodyId{2}, BodyId{0}}, .point_a = any(), .point_b = any()});
  model.add(UniversalJoint{ab, any(), any(), any(), any()});
  model.add(CylindricalJoint{bc, any(), any(), any(), any()});
  model.add(PrismaticJoint{ab, any(), any(), any(), any(), any(), any()});
  model.add(PlanarJoint{bc, any(), any(), any(), any()});
  model.add(WeldJoint{ab, any(), any(), any(), any(), any(), any()});
  model.add(PointOnLineJoint{bc, any(), any(), any()});
  model.add(PointInPlaneJoint{ab, any(), any(), any()});
  model.add(ConstantOrientationJoint{bc, any(), any(), any(), any(), any(), any()});
  model.add(
      RowsJoint{.bodies = ab, .rows = {"in_plane", "perpendicular"}, .point_a = any(), .axis_b = any()});
  model.add(KnifeEdge{.bodies = a, .point = any(), .side = any()});
  const RollingDisc disc{.bodies = c, .centre = any(), .axis = any(), .radius = 0.7, .normal = any()};
  model.add(disc);
  model.add(contact_of(disc, any()));
  for (const Axes axes : {Axes::world, Axes::body}) {
    model.add(PointForce{.bodies = a, .point = any(), .force = any(), .axes = axes});
    model.add(Torque{.bodies = c, .torque = any(), .axes = axes});
  }
  model.add(TorsionSpring{
      .bodies = bc, .axis_a = any(), .axis_b = any(), .stiffness = 2.0, .damping = 0.4, .free_angle = 1.0});
  model.add(SpringDamper{.bodies = bc,
                         .point_a = any(),
                         .point_b = any(),
                         .stiffness = 3.0,
                         .damping = 0.7,
                         .rest_length = 0.4});
  // Angles of couplings are about one axis of all their bodies, up to a tenth of a radian: differences of an angle lose
  // digits where the axes are far apart.
  const auto seen_by = [&](int body, const Vec3& axis) {
    return Vec3(to_body_axes(model.body(BodyId{body}).orientation, axis) + 0.1 * norm(axis) * any());
  };
  const Vec3 one = any(), other = any();
  model.add(Screw{.bodies = ab,
                  .point_a = any(),
                  .point_b = any(),
                  .axis_a = seen_by(0, one),
                  .axis_b = seen_by(1, one),
                  .pitch = 0.3});
  model.add(Gear{.bodies = {BodyId{1}, BodyId{0}, BodyId{2}},
                 .axis_1 = seen_by(1, one),
                 .wheel_axis_1 = seen_by(0, one),
                 .axis_2 = seen_by(1, other),
                 .wheel_axis_2 = seen_by(2, other),
                 .ratio = -1.7});
  model.add(RackAndPinion{.bodies = {BodyId{2}, BodyId{0}, BodyId{1}},
                          .point = any(),
                          .point_rack = any(),
                          .axis_rack = any(),
                          .axis_pinion = seen_by(2, one),
                          .wheel_axis = seen_by(0, one),
                          .radius = 0.4});
  model.add(Differential{.bodies = {ground, BodyId{0}, BodyId{1}, BodyId{2}},
                         .axis = one,
                         .axis_case = seen_by(0, one),
                         .axis_1 = seen_by(1, one),
                         .axis_2 = seen_by(2, one)});
  const ConstraintId sleeve = model.add(CylindricalJoint{.bodies = ab,
                                                         .point_a = any(),
                                                         .point_b = any(),
                                                         .axis_a = seen_by(0, other),
                                                         .axis_b = seen_by(1, other)});
  const ConstraintId shaft = model.add(CylindricalJoint{.bodies = {BodyId{2}, BodyId{1}},
                                                        .point_a = any(),
                                                        .point_b = any(),
                                                        .axis_a = seen_by(2, one),
                                                        .axis_b = seen_by(1, one)});
  model.add(JointCoupling{.terms = {{sleeve, JointCoordinate::displacement, -1.3},
                                    {shaft, JointCoordinate::angle, 0.6},
                                    {shaft, JointCoordinate::displacement, 0.8}}});
  const Function wave = functions::Sine{.amplitude = 0.7, .frequency = 0.4, .phase = 0.3, .offset = 0.2};
  const Function hard = functions::Polynomial{{0.1, 0.3, 0.0, 0.2}};
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement}) {
    for (const bool rate : {false, true})
      model.add(JointDrive{.joint = shaft, .coordinate = coordinate, .rate = rate, .target = wave});
    model.add(JointForce{.joint = sleeve,
                         .coordinate = coordinate,
                         .stiffness = 1.2,
                         .damping = 0.3,
                         .free = 0.4,
                         .spring = hard,
                         .damper = hard,
                         .actuator = wave,
                         .friction = 0.5,
                         .friction_rate = 0.6});
    model.add(JointPid{
        .joint = sleeve, .coordinate = coordinate, .target = wave, .proportional = 1.1, .derivative = 0.4});
  }
  model.add(JointFriction{
      .joint = sleeve, .coefficient = 0.4, .radius = 0.3, .speed = 0.3, .light_load = 0.7, .viscous = 0.2});
  model.add(Strut{.bodies = bc,
                  .point_a = any(),
                  .point_b = any(),
                  .stiffness = 1.2,
                  .damping = 0.3,
                  .free = 0.4,
                  .spring = hard,
                  .damper = hard,
                  .actuator = wave,
                  .friction = 0.5,
                  .friction_rate = 0.6});
  Bushing bushing{.bodies = bc,
                  .point_a = any(),
                  .point_b = any(),
                  .axis_a = any(),
                  .axis_b = any(),
                  .side_a = any(),
                  .side_b = any()};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      bushing.stiffness(i, j) = bushing.stiffness(j, i) = (i == j ? 2.0 : 0.3) + 0.1 * i - 0.05 * j;
      bushing.damping(i, j) = 0.2 + 0.03 * i - 0.02 * j;
    }
  model.add(bushing);
  for (const Axes axes : {Axes::world, Axes::body}) {
    model.add(VaryingForce{.bodies = c, .point = any(), .force = any(), .axes = axes, .factor = wave});
    model.add(VaryingTorque{.bodies = a, .torque = any(), .axes = axes, .factor = wave});
  }
  return model;
}

}  // namespace

CONVENTION(
    12,
    "seven coordinates, six velocities and three low parts for each moving body, in the order of the model") {
  Model model;
  model.add({.name = "wall", .position = {{9.0, 9.0, 9.0}}, .fixed = true});
  const Body a = some_body();
  const BodyId first = model.add(a);
  const BodyId post = model.add({.name = "post", .position = {{7.0, 0.0, 1e6}}, .fixed = true});
  const Body b{.name = "b",
               .position = {{7.0, 0.0, 1e6}},
               .orientation = exponential(Vec3{{0.1, 0.2, -0.3}}),
               .velocity = {{1.0, 2.0, 3.0}},
               .angular_velocity = {{0.0, -4.0, 5.0}}};
  const BodyId second = model.add(b);
  model.add(SphericalJoint{.bodies = {post, second}});
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  REQUIRE(s.q.size() == 2 * 7 + 2 * 3);
  REQUIRE(s.v.size() == 2 * 6);
  CHECK(system.q_offset(first) == 0);
  CHECK(system.q_offset(second) == 7);
  for (const Body* body : {&a, &b}) {
    const std::size_t q = body == &a ? 0 : 7, v = body == &a ? 0 : 6;
    CHECK(near(part(s.q, q), body->position));
    CHECK(near(s.q[q + 3], body->orientation.w));
    CHECK(near(part(s.q, q + 4), body->orientation.vec()));
    CHECK(near(part(s.v, v), body->velocity));
    CHECK(near(part(s.v, v + 3), body->angular_velocity));
  }
  for (const BodyId fixed : {BodyId{0}, post}) {
    CHECK(system.q_offset(fixed) == -1);
    CHECK(system.v_offset(fixed) == -1);
  }

  // Low parts: zero at first; then what the high parts have no digits for, each at its body and axis.
  for (std::size_t k = 14; k < 20; ++k) CHECK(s.q[k] == 0.0);
  double delta[12] = {};
  delta[1] = 0x1p-60;   // y of the first body, at -1
  delta[8] = 0x1p-200;  // z of the second, at 1e6
  system.retract(s.q.data(), delta, s.q.data());
  CHECK(s.q[1] == -1.0);
  CHECK(s.q[9] == 1e6);
  for (std::size_t k = 14; k < 20; ++k) CHECK(s.q[k] == (k == 15 ? 0x1p-60 : k == 19 ? 0x1p-200 : 0.0));
  CHECK(gap_of(system, s.q)[2] == 0x1p-200);  // joints see high + low
  // The sum stays a high part that is rounded to nearest and a rest below half its last digit.
  delta[1] = 0.25;
  system.retract(s.q.data(), delta, s.q.data());
  CHECK(s.q[1] == -0.75);
  CHECK(s.q[15] == 0x1p-60);
}

CONVENTION(13, "perturbations act on the right, and the columns of every Jacobian mean them") {
  const MultibodySystem system(one_body(some_body()));
  const State s = system.initial_state();
  const double delta[6] = {0.1, 0.2, 0.3, 0.4, -0.5, 0.6};
  double out[10];
  system.retract(s.q.data(), delta, out);
  CHECK(near(Vec3{{out[0], out[1], out[2]}}, Vec3(some_body().position + Vec3{{0.1, 0.2, 0.3}})));
  const Quat expected = some_body().orientation * exponential(Vec3{{0.4, -0.5, 0.6}});
  const double sign = out[3] * expected.w > 0.0 ? 1.0 : -1.0;
  CHECK(near(sign * out[3], expected.w));
  CHECK(near(Vec3(sign * Vec3{{out[4], out[5], out[6]}}), expected.vec()));

  // Every kind of constraint and force of the catalog at once, none of the bodies where a joint would close.
  const MultibodySystem all(one_of_each());
  std::set<std::string> kinds, known;
  for (const auto& pool : all.model().pools()) kinds.insert(pool->type_name());
  const Catalog catalog = builtin();
  for (const CatalogElement& e : catalog.constraints()) known.insert(e.name);
  for (const CatalogElement& e : catalog.forces()) known.insert(e.name);
  CHECK(kinds == known);

  test::Random random(13);
  State at = all.initial_state();
  const int n = all.layout().v_size(), m = all.layout().lambda_size();
  support::SystemProbe probe(all, 0.3, at.q, at.v, random.values(n), random.values(m));
  using Quantity = support::SystemProbe::Quantity;
  // Differences of fourth order with h = 1e-3: h^4 f^(5) / 30 + 1.5 eps |f| / h < 1e-9 for f^(5) < 3e4 |f|.
  constexpr double tolerance = 1e-9;
  support::Dense G = probe.by_q(Quantity::position);
  const support::Dense A = probe.by(&support::SystemProbe::v, Quantity::velocity);
  const std::vector<int>& first_row = all.layout().pattern->dual_offset;
  for (std::size_t k = 0; k < all.layout().level.size(); ++k) {
    if (all.layout().level[k] != Level::velocity) continue;
    const int end = k + 1 < first_row.size() ? first_row[k + 1] - n : m;
    for (int i = first_row[k] - n; i < end; ++i)
      for (int j = 0; j < n; ++j) G(i, j) = A(i, j);
  }
  CHECK(support::distance(A, G) < tolerance);  // position rows: the rate is G v
  CHECK(support::distance(probe.C(1.0, 0.0), G) < tolerance);
  CHECK(support::distance(probe.B(), probe.by(&support::SystemProbe::lambda, Quantity::balance)) < tolerance);
  probe.lambda.assign(probe.lambda.size(), 0.0);  // without a reaction no friction follows it
  CHECK(support::distance(probe.B(), support::transposed(G)) < tolerance);
  probe.lambda = random.values(m);
  CHECK(support::distance(probe.C(0.0, 1.0), probe.by_q(Quantity::velocity)) < tolerance);
  CHECK(support::distance(probe.H(0.0, 0.0, 1.0), probe.by_q(Quantity::balance)) < tolerance);
  CHECK(support::distance(probe.H(0.0, 1.0, 0.0), probe.by(&support::SystemProbe::v, Quantity::balance)) <
        tolerance);
  CHECK(support::distance(probe.H(1.0, 0.0, 0.0), probe.by(&support::SystemProbe::a, Quantity::balance)) <
        tolerance);
}

CONVENTION(14, "the tangent operator is the right one") {
  const Vec3 xi{{0.4, -1.0, 0.7}}, d{{0.3, 0.5, -0.2}};
  const double h = 1e-4;  // central difference: h^2 |d|^3 ~ 1e-9
  const Quat ahead = conjugate(exponential(xi)) * exponential(xi + h * d);
  const Quat behind = conjugate(exponential(xi)) * exponential(xi - h * d);
  CHECK(near(Vec3((0.5 / h) * (logarithm(ahead) - logarithm(behind))), Vec3(tangent(xi) * d), 1e-8));
}
