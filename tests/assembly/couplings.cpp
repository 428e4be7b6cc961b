// Couplings over two to four bodies: derivatives, many turns, reactions.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/jacobian_check.hpp"
#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace coupling_tests {
using namespace catena;
using namespace catena::detail;

constexpr double pi = std::numbers::pi;
const Vec3 on_a{{0.3, -0.2, 0.5}}, on_b{{-0.4, 0.1, 0.25}}, along{{0.4, -0.3, 0.8}}, askew{{-0.2, 0.9, 0.3}},
    third{{1.0, 0.2, -0.1}};

// Wheels about z on the ground, J about z, each with a torque about z.
Model wheels(const std::vector<double>& inertia, const std::vector<double>& torque) {
  Model model;
  model.gravity = Vec3::Zero();
  for (std::size_t k = 0; k < inertia.size(); ++k) {
    const Vec3 place{{static_cast<double>(k), 0.0, 0.0}};
    const BodyId wheel = model.add(Body{.name = "wheel " + std::to_string(k),
                                        .inertia = diagonal(Vec3{{0.6, 0.6, inertia[k]}}),
                                        .position = place});
    model.add(RevoluteJoint{.bodies = {ground, wheel}, .point_a = place});
    if (torque[k] != 0.0) model.add(Torque{.bodies = {wheel}, .torque = {{0.0, 0.0, torque[k]}}});
  }
  return model;
}

State run_to(const MultibodySystem& system, Stepper& stepper, double h, double end) {
  State s = system.initial_state();
  REQUIRE(run(system, stepper, s, {.step = h, .end = end}).status == Status::ok);
  return s;
}
// Four coordinates in an order of their own; two displacements at one body, at points of their own.
struct Mixed {
  std::array<BodyId, 4> bodies;
  auto made_of() const {
    return rows::coupling(0.4, rows::Slide<0, 1>{on_a, on_b, along, 1.3},
                          rows::Turn<2, 1>{askew, third, -0.6}, rows::Slide<1, 3>{third, on_a, askew, -0.8},
                          rows::Turn<0, 3>{along, askew, 2.1});
  }
};
struct TwoPairs {
  std::array<BodyId, 4> bodies;
  double ratio = 1.0;
  bool as_placed = false;
  double held = 0.25;
  auto made_of() const {
    const Vec3 z = Vec3::Unit(2);
    return rows::coupling(held, rows::Turn<0, 1>{z, z, 1.0}, rows::Turn<2, 3>{z, z, -ratio});
  }
  void placed(const BodyFrame<double>* f) { hold_as_placed(*this, f); }
};
struct TwoSlides {
  std::array<BodyId, 3> bodies;
  Vec3 carrier = Vec3::Zero();
  double ratio = -0.7;
  auto made_of() const {
    const Vec3 x = Vec3::Unit(0), o = Vec3::Zero();
    return rows::coupling(0.0, rows::Slide<0, 1>{carrier, o, x, 1.0},
                          rows::Slide<0, 2>{carrier, o, x, ratio});
  }
};
double spin(const MultibodySystem& system, const State& s, int body) {
  return pose(system, s, BodyId{body}).angular_velocity[2];
}
double gap_of(const MultibodySystem& system, const State& s, ConstraintId joint) {
  std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(point_of(s), wanted);
  const BlockPattern& p = *system.layout().pattern;
  return rows[static_cast<std::size_t>(p.dual_offset[static_cast<std::size_t>(joint)] - p.primal_dimension)];
}

}  // namespace coupling_tests

using namespace coupling_tests;

TEST_CASE("couplings: derivatives are those of the sum of their coordinates") {
  using support::check_derivatives;
  const BodyId b[4] = {BodyId{0}, BodyId{1}, BodyId{2}, BodyId{3}};
  CHECK_NOTHROW(check_derivatives(Screw{.bodies = {b[0], b[1]},
                                        .point_a = on_a,
                                        .point_b = on_b,
                                        .axis_a = along,
                                        .axis_b = askew,
                                        .pitch = 0.7}));
  CHECK_NOTHROW(check_derivatives(Gear{.bodies = {b[0], b[1], b[2]},
                                       .axis_1 = along,
                                       .wheel_axis_1 = askew,
                                       .axis_2 = askew,
                                       .wheel_axis_2 = third,
                                       .ratio = -2.3}));
  CHECK_NOTHROW(check_derivatives(RackAndPinion{.bodies = {b[0], b[1], b[2]},
                                                .point = on_a,
                                                .point_rack = on_b,
                                                .axis_rack = along,
                                                .axis_pinion = askew,
                                                .wheel_axis = third,
                                                .radius = 0.4}));
  CHECK_NOTHROW(check_derivatives(Differential{.bodies = {b[0], b[1], b[2], b[3]},
                                               .axis = along,
                                               .axis_case = askew,
                                               .axis_1 = third,
                                               .axis_2 = on_a,
                                               .weights = {{2.0, -0.7, -1.3}}}));
  CHECK_NOTHROW(check_derivatives(Mixed{{b[0], b[1], b[2], b[3]}}));
}

TEST_CASE(
    "a coupling whose shape no joint of the library has is evaluated in lanes, with the bits of one by one") {
  CHECK(rows::plan_of<Mixed>().stages[0].function >= 0);
  CHECK(rows::plan_of<TwoPairs>().stages[0].function >= 0);
  CHECK(rows::plan_of<TwoSlides>().stages[0].function >= 0);
  const auto rows_of = [](int couplings) {  // one alone is the first of a group with seven idle lanes
    test::Random random(3);
    Model model;
    for (int k = 0; k < 12; ++k) model.add(test::random_body(random, k));
    for (int k = 12 - 3 - couplings; k < 12 - 3; ++k)
      model.add(Mixed{{BodyId{k}, BodyId{k + 1}, BodyId{k + 2}, BodyId{k + 3}}});
    const MultibodySystem system(model);
    std::vector<double> rows(static_cast<std::size_t>(couplings));
    Evaluation wanted;
    wanted.position = rows.data();
    system.evaluate(point_of(system.initial_state()), wanted);
    return rows;
  };
  const std::vector<double> eight = rows_of(8);
  CHECK(eight.back() == rows_of(1).back());
  CHECK(eight[0] != eight[7]);
}

TEST_CASE("a gear of an irrational ratio holds over ten turns, with each kind of stepper") {
  const double ratio = -std::sqrt(2.0), J1 = 0.02, J2 = 0.05, M = 1.0;
  Model model = wheels({J1, J2}, {M, 0.0});
  const ConstraintId gear =
      model.add(Gear{.bodies = {ground, BodyId{0}, BodyId{1}}, .ratio = ratio, .name = "gear"});
  const MultibodySystem system(std::move(model));
  // theta_1 = ratio theta_2: (J1 + J2 / ratio^2) theta_1'' = M
  const double a = M / (J1 + J2 / (ratio * ratio));
  const double end = std::sqrt(2.0 * 20.0 * pi / a) + 0.05;  // ten turns of the first wheel and some more
  GeneralizedAlpha alpha;
  DormandPrince dormand_prince;
  for (Stepper* stepper : {static_cast<Stepper*>(&alpha), static_cast<Stepper*>(&dormand_prince)}) {
    const State s = run_to(system, *stepper, 1e-3, end);
    // Newton's tolerance of 1e-10 rad; the solution is a parabola, which both methods follow to roundoff of 1e3 steps.
    CHECK(std::abs(gap_of(system, s, gear)) < 1e-10);
    CHECK(spin(system, s, 0) == doctest::Approx(a * s.t).epsilon(1e-6));
    CHECK(spin(system, s, 1) == doctest::Approx(a * s.t / ratio).epsilon(1e-6));
    const int at = system.discrete_offset(gear);
    REQUIRE(at >= 0);
    const double turned = s.discrete[static_cast<std::size_t>(at)];
    const double other = s.discrete[static_cast<std::size_t>(at) + 1];
    CHECK(turned == doctest::Approx(0.5 * a * s.t * s.t).epsilon(1e-6));
    CHECK(turned > 20.0 * pi);
    CHECK(turned - ratio * other == doctest::Approx(0.0).epsilon(1e-9));
    // lambda is minus the moment on the first wheel: M - lambda = J1 a
    CHECK(multipliers(system, s, gear)[0] == doctest::Approx(M - J1 * a).epsilon(1e-6));
  }
}

TEST_CASE("the reactions of a gear act on both wheels and the carrier") {
  const double ratio = -3.0, J1 = 0.02, J2 = 0.05, M = 1.0;
  Model model = wheels({J1, J2}, {M, 0.0});
  const ConstraintId gear = model.add(Gear{.bodies = {ground, BodyId{0}, BodyId{1}}, .ratio = ratio});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 0.1);
  ReactionMeter meter(system);
  std::vector<double> wrench(6 * meter.sides().size());
  meter(s.t, s.q.data(), s.lambda.data(), s.discrete.data(), wrench.data());
  const double a = M / (J1 + J2 / (ratio * ratio));
  int found = 0;
  for (std::size_t k = 0; k < meter.sides().size(); ++k) {
    if (meter.sides()[k].constraint != static_cast<int>(gear)) continue;
    ++found;
    const bool first = meter.sides()[k].body == BodyId{0};
    for (int i = 0; i < 5; ++i) CHECK(std::abs(wrench[6 * k + static_cast<std::size_t>(i)]) < 1e-9);
    CHECK(wrench[6 * k + 5] == doctest::Approx(first ? J1 * a - M : J2 * a / ratio).epsilon(1e-6));
  }
  CHECK(found == 2);  // the carrier does not move
}

TEST_CASE("a wheel that starts behind the seam of its angle is held where it is, and may cross the seam") {
  for (const double start : {3.1, -3.1, 0.5}) {
    Model model;
    model.gravity = Vec3::Zero();
    for (int k = 0; k < 2; ++k) {
      const double angle = k == 0 ? start : -0.4 * start;
      const BodyId wheel =
          model.add(Body{.name = k == 0 ? "a" : "b",
                         .inertia = 0.1 * Mat3::Identity(),
                         .orientation = {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)},
                         .angular_velocity = {{0.0, 0.0, k == 0 ? 3.0 : -1.2}}});
      model.add(RevoluteJoint{.bodies = {ground, wheel}});
    }
    const ConstraintId gear = model.add(Gear{.bodies = {ground, BodyId{0}, BodyId{1}}, .ratio = -2.5});
    const MultibodySystem system(std::move(model));
    CHECK(std::abs(gap_of(system, system.initial_state(), gear)) < 1e-15);
    GeneralizedAlpha stepper;
    for (const double direction : {1.0, -1.0}) {
      State s = system.initial_state();
      for (double& v : s.v) v *= direction;
      REQUIRE(run(system, stepper, s, {.step = 1e-2, .end = 2.0}).status == Status::ok);
      CHECK(std::abs(gap_of(system, s, gear)) < 1e-12);
      CHECK(spin(system, s, 0) == doctest::Approx(3.0 * direction).epsilon(1e-12));
    }
  }
}

TEST_CASE("a rack moves by the radius of its pinion, on a carrier that moves itself") {
  const double radius = -0.2, J = 0.03, m = 2.0, M = 0.5;
  Model model;
  model.gravity = Vec3::Zero();
  const BodyId carrier = model.add(Body{.name = "carrier", .mass = 5.0, .inertia = 0.4 * Mat3::Identity()});
  const BodyId pinion = model.add(
      Body{.name = "pinion", .inertia = diagonal(Vec3{{0.04, 0.05, J}}), .position = {{0.0, 0.3, 0.0}}});
  const BodyId rack = model.add(
      Body{.name = "rack", .mass = m, .inertia = 0.1 * Mat3::Identity(), .position = {{0.0, 0.1, 0.0}}});
  model.add(WeldJoint{.bodies = {ground, carrier}});
  model.add(RevoluteJoint{.bodies = {carrier, pinion}, .point_a = {{0.0, 0.3, 0.0}}});
  model.add(PrismaticJoint{.bodies = {carrier, rack},
                           .point_a = {{0.0, 0.1, 0.0}},
                           .axis_a = Vec3::Unit(0),
                           .axis_b = Vec3::Unit(0)});
  model.add(Torque{.bodies = {pinion}, .torque = {{0.0, 0.0, M}}});
  const ConstraintId joint = model.add(RackAndPinion{.bodies = {carrier, pinion, rack}, .radius = radius});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 2.0);
  const double a = M / (J + m * radius * radius);
  CHECK(std::abs(0.5 * a * s.t * s.t) > 2.0 * pi);
  CHECK(std::abs(gap_of(system, s, joint)) < 1e-12);
  CHECK(pose(system, s, rack).position[0] == doctest::Approx(radius * 0.5 * a * s.t * s.t).epsilon(1e-6));
  const JointReaction on_rack = reaction(system, s, joint);
  CHECK(on_rack.body == rack);
  CHECK(on_rack.force[0] == doctest::Approx(m * radius * a).epsilon(1e-6));
}

TEST_CASE("a screw advances by its pitch, and its reaction is a force and a moment") {
  const double pitch = 0.05, m = 3.0, J = 0.02, F = 12.0;
  Model model;
  model.gravity = {{0.0, 0.0, -F / m}};
  const BodyId nut = model.add(Body{.name = "nut", .mass = m, .inertia = diagonal(Vec3{{0.03, 0.04, J}})});
  model.add(CylindricalJoint{.bodies = {ground, nut}});
  const ConstraintId screw = model.add(Screw{.bodies = {ground, nut}, .pitch = pitch});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 1.5);
  const double lead = pitch / (2.0 * pi), a = -F / (m + J / (lead * lead));
  const RigidBodyState at = pose(system, s, nut);
  CHECK(at.position[2] == doctest::Approx(0.5 * a * s.t * s.t).epsilon(1e-6));
  CHECK(at.angular_velocity[2] == doctest::Approx(a * s.t / lead).epsilon(1e-6));
  CHECK(std::abs(gap_of(system, s, screw)) < 1e-12);
  const JointReaction r = reaction(system, s, screw);
  CHECK(r.body == nut);
  CHECK(r.force[2] == doctest::Approx(m * a + F).epsilon(1e-6));
  CHECK(r.torque[2] == doctest::Approx(J * a / lead).epsilon(1e-6));
}

TEST_CASE("a differential shares the turns of its case among its shafts") {
  const std::vector<double> J{0.05, 0.02, 0.03};
  Model model = wheels(J, {1.0, 0.0, -0.2});
  const ConstraintId joint =
      model.add(Differential{.bodies = {ground, BodyId{0}, BodyId{1}, BodyId{2}}, .name = "differential"});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 3.0);
  // J_k a_k = M_k - lambda w_k, w . a = 0
  const double w[3] = {2.0, -1.0, -1.0}, M[3] = {1.0, 0.0, -0.2};
  double numerator = 0.0, denominator = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    numerator += w[k] * M[k] / J[k];
    denominator += w[k] * w[k] / J[k];
  }
  const double lambda = numerator / denominator;
  CHECK(multipliers(system, s, joint)[0] == doctest::Approx(lambda).epsilon(1e-6));
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(spin(system, s, static_cast<int>(k)) ==
          doctest::Approx((M[k] - lambda * w[k]) / J[k] * s.t).epsilon(1e-6));
  CHECK(std::abs(gap_of(system, s, joint)) < 1e-10);
}

TEST_CASE("a coupling in one line ties pairs of bodies that have nothing in common, as placed") {
  const std::array<BodyId, 4> b{BodyId{0}, BodyId{1}, BodyId{2}, BodyId{3}};
  CHECK_NOTHROW(support::check_derivatives(TwoPairs{.bodies = b, .ratio = -1.7}));
  CHECK_NOTHROW(support::check_derivatives(TwoSlides{.bodies = {b[0], b[1], b[2]}}));
  // Carriers 0 and 2 on the ground, wheels 1 and 3 on them; wheel 1 is driven.
  const double ratio = -1.7, J1 = 0.02, J2 = 0.05, M = 1.0;
  Model model = wheels({0.4, J1, 0.3, J2}, {0.0, M, 0.0, 0.0});
  const ConstraintId joint = model.add(TwoPairs{.bodies = b, .ratio = ratio, .as_placed = true});
  for (const int carrier : {0, 2})
    model.add(WeldJoint{.bodies = {ground, BodyId{carrier}}, .point_a = {{double(carrier), 0.0, 0.0}}});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 1.5);
  const double a = M / (J1 + J2 / (ratio * ratio));
  CHECK(0.5 * a * s.t * s.t > 4.0 * pi);
  CHECK(spin(system, s, 1) == doctest::Approx(a * s.t).epsilon(1e-6));
  CHECK(spin(system, s, 3) == doctest::Approx(a * s.t / ratio).epsilon(1e-6));
  CHECK(std::abs(gap_of(system, s, joint)) < 1e-10);
  CHECK(multipliers(system, s, joint)[0] == doctest::Approx(M - J1 * a).epsilon(1e-6));
}

TEST_CASE("a coupling of displacements alone holds their sum far from the origin") {
  const Vec3 far{{1e5, -2e5, 3e5}};
  Model model;
  model.gravity = Vec3::Zero();
  std::array<BodyId, 3> bodies{ground};
  for (int k = 1; k < 3; ++k) {
    bodies[static_cast<std::size_t>(k)] = model.add(Body{.name = k == 1 ? "first" : "second",
                                                         .inertia = 0.1 * Mat3::Identity(),
                                                         .position = far + Vec3{{0.0, 0.5 * k, 0.0}}});
    model.add(PrismaticJoint{.bodies = {ground, bodies[static_cast<std::size_t>(k)]},
                             .point_a = far + Vec3{{0.0, 0.5 * k, 0.0}},
                             .axis_a = Vec3::Unit(0),
                             .axis_b = Vec3::Unit(0)});
  }
  model.add(PointForce{.bodies = {bodies[1]}, .force = {{2.0, 0.0, 0.0}}});
  const ConstraintId joint = model.add(TwoSlides{.bodies = bodies, .carrier = far, .ratio = 0.5});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 0.5);
  // x1 + ratio x2 = 0, m = 1: the rod of the balance moves by F / (m + m / ratio^2)
  CHECK(pose(system, s, bodies[1]).velocity[0] == doctest::Approx(2.0 / (1.0 + 4.0) * s.t).epsilon(1e-6));
  CHECK(std::abs(gap_of(system, s, joint)) < 1e-12);
}

namespace coupling_tests {

// A carrier with two wheels and a rack, turned about; the joints that couplings name.
struct Machine {
  Model model;
  BodyId carrier, wheel, other, rack;
  ConstraintId of_wheel, of_other, of_rack, of_screw;
};
Machine machine() {
  test::Random random(9);
  Machine m;
  for (BodyId* body : {&m.carrier, &m.wheel, &m.other, &m.rack})
    *body = m.model.add(test::random_body(random, static_cast<int>(m.model.body_count())));
  const auto with = [&](BodyId a, BodyId b) {
    return CylindricalJoint{.bodies = {a, b},
                            .point_a = random.vector(),
                            .point_b = random.vector(),
                            .axis_a = along,
                            .axis_b = askew};
  };
  m.of_wheel = m.model.add(with(m.carrier, m.wheel));
  m.of_other = m.model.add(with(m.carrier, m.other));
  m.of_rack = m.model.add(with(m.carrier, m.rack));
  m.of_screw = m.model.add(with(m.wheel, m.other));
  return m;
}

// All numbers that a system gives to steppers, at its initial positions.
std::vector<double> numbers_of(const Model& model) {
  const MultibodySystem system(model);
  const SystemLayout& layout = system.layout();
  State s = system.initial_state();
  test::Random random(5);
  s.lambda = random.values(layout.lambda_size(), 10.0);
  s.a = random.values(layout.v_size());
  const auto n = static_cast<std::size_t>(layout.lambda_size());
  std::vector<double> rows(3 * n), all(static_cast<std::size_t>(layout.v_size()));
  BlockMatrix matrix(layout.pattern, Border::separate);
  matrix.set_zero();
  Linearization lin;
  lin.matrix = &matrix;
  lin.stiffness = 0.7;
  lin.position_rows = {0.5, 0.2, 0.1};
  Evaluation wanted;
  wanted.position = rows.data();
  wanted.velocity = rows.data() + n;
  wanted.acceleration = rows.data() + 2 * n;
  wanted.balance = all.data();
  wanted.linearization = &lin;
  Point at = point_of(s);
  at.a = s.a.data();
  at.lambda = s.lambda.data();
  system.evaluate(at, wanted);
  all.insert(all.end(), rows.begin(), rows.end());
  const auto add = [&](const auto& block) {
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.cols; ++j) all.push_back(block(i, j));
  };
  const BlockMatrix& m = matrix;
  const BlockPattern& p = *layout.pattern;
  for (int k = 0; k < p.primal_count(); ++k) add(m.H(k));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) add(m.H_upper(static_cast<int>(k)));
  for (std::size_t k = 0; k < p.incidences.size(); ++k) add(m.C(static_cast<int>(k)));
  return all;
}

JointTerm angle_of(ConstraintId joint, double coefficient) {
  return {joint, JointCoordinate::angle, coefficient};
}
JointTerm displacement_of(ConstraintId joint, double coefficient) {
  return {joint, JointCoordinate::displacement, coefficient};
}

}  // namespace coupling_tests

TEST_CASE("a coupling of joints has the bits of the gear, the rack and the screw of the same numbers") {
  const auto same = [](const auto& named, const auto& terms_of) {
    Machine a = machine(), b = machine();
    a.model.add(named(a));
    b.model.add(JointCoupling{.terms = terms_of(b)});
    const std::vector<double> x = numbers_of(a.model), y = numbers_of(b.model);
    return x == y && MultibodySystem(a.model).initial_state().discrete ==
                         MultibodySystem(b.model).initial_state().discrete;
  };
  const auto point_a = [](const Machine& m, ConstraintId joint) {
    rows::Markers markers;
    const Model::ElementRef& ref = m.model.constraints()[static_cast<std::size_t>(joint)];
    REQUIRE(m.model.pools()[static_cast<std::size_t>(ref.pool)]->markers(ref.element, markers));
    return std::array{markers.point_a, markers.point_b};
  };
  const auto gear = [](double ratio) {
    return [ratio](const Machine& m) {
      return Gear{.bodies = {m.carrier, m.wheel, m.other},
                  .axis_1 = along,
                  .wheel_axis_1 = askew,
                  .axis_2 = along,
                  .wheel_axis_2 = askew,
                  .ratio = ratio};
    };
  };
  const auto wheels_by = [](double ratio) {
    return [ratio](const Machine& m) {
      return std::vector{angle_of(m.of_wheel, 1.0), angle_of(m.of_other, -ratio)};
    };
  };
  CHECK(same(gear(-2.3), wheels_by(-2.3)));
  CHECK_FALSE(same(gear(-2.3), wheels_by(2.3)));
  CHECK(same(
      [&](const Machine& m) {
        const auto points = point_a(m, m.of_screw);
        return Screw{.bodies = {m.wheel, m.other},
                     .point_a = points[0],
                     .point_b = points[1],
                     .axis_a = along,
                     .axis_b = askew,
                     .pitch = 0.7};
      },
      [](const Machine& m) {
        return std::vector{displacement_of(m.of_screw, 1.0), angle_of(m.of_screw, -0.7 / (2.0 * pi))};
      }));
}

TEST_CASE("a coupling of joints: four coordinates over four bodies, derivatives are those of its row") {
  Machine m = machine();
  // Two displacements at `other`, at points of their own; `wheel` slides and carries an axis, at two points.
  const ConstraintId joint =
      m.model.add(JointCoupling{.terms = {displacement_of(m.of_wheel, 0.7), displacement_of(m.of_screw, -1.3),
                                          displacement_of(m.of_other, 0.4), angle_of(m.of_rack, 2.0)},
                                .as_placed = false,
                                .held = 0.25});
  const MultibodySystem system(m.model);
  State s = system.initial_state();
  for (const DerivativeFault& fault : check_derivatives(system, s).faults)
    FAIL_CHECK(fault.owner << ": " << fault.quantity);
  test::Random random(2);
  for (int moved = 0; moved < 2; ++moved) {  // the sum of what is measured at the joints
    const double sum = 0.7 * coordinate(system, s, m.of_wheel).displacement -
                       1.3 * coordinate(system, s, m.of_screw).displacement +
                       0.4 * coordinate(system, s, m.of_other).displacement +
                       2.0 * coordinate(system, s, m.of_rack).angle;
    CHECK(gap_of(system, s, joint) == doctest::Approx(sum - 0.25).epsilon(1e-13));
    for (std::size_t k = 0; k < 28; k += 7)
      for (std::size_t i = 0; i < 3; ++i) s.q[k + i] += 0.1 * random.vector()[0];
  }
}

TEST_CASE("couplings of joints with other kinds of terms do not share lanes") {
  Machine m = machine();
  const auto add = [&](std::vector<JointTerm> terms) {
    return m.model.add(JointCoupling{.terms = std::move(terms), .as_placed = false});
  };
  const ConstraintId first = add({displacement_of(m.of_wheel, 1.0), angle_of(m.of_other, 2.0)}),
                     second = add({angle_of(m.of_wheel, 1.0), displacement_of(m.of_other, 2.0)});
  const MultibodySystem system(m.model);
  const State s = system.initial_state();
  const JointCoordinates wheel = coordinate(system, s, m.of_wheel), other = coordinate(system, s, m.of_other);
  CHECK(gap_of(system, s, first) == doctest::Approx(wheel.displacement + 2.0 * other.angle).epsilon(1e-13));
  CHECK(gap_of(system, s, second) == doctest::Approx(wheel.angle + 2.0 * other.displacement).epsilon(1e-13));
}

TEST_CASE("a coupling of joints counts turns") {
  Model model = wheels({0.02, 0.05}, {1.0, 0.0});
  const ConstraintId joint = model.add(JointCoupling{
      .terms = {angle_of(ConstraintId{0}, std::sqrt(2.0)), angle_of(ConstraintId{1}, 1.0)}, .name = "belt"});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  const State s = run_to(system, stepper, 1e-3, 3.0);
  CHECK(std::abs(gap_of(system, s, joint)) < 1e-10);
  CHECK(spin(system, s, 1) == doctest::Approx(-std::sqrt(2.0) * spin(system, s, 0)).epsilon(1e-9));
  const auto at = static_cast<std::size_t>(system.discrete_offset(joint));
  CHECK(s.discrete[at] > 10.0 * pi);
  CHECK(multipliers(system, s, joint)[0] != 0.0);
}

TEST_CASE("a coupling of joints says which of its terms is wrong, and leaves the model as it was") {
  Machine m = machine();
  const ConstraintId rod = m.model.add(DistanceConstraint{.bodies = {m.wheel, m.rack}, .name = "rod"});
  const std::size_t joints = m.model.constraints().size();
  const auto refused = [&](std::vector<JointTerm> terms) -> std::string {
    try {
      m.model.add(JointCoupling{.terms = std::move(terms), .name = "c"});
    } catch (const ModelError& error) {
      CHECK(error.member() == "terms");
      return error.what();
    }
    return "nothing";
  };
  CHECK(refused({}) == "joint \"c\" (coupling): terms must be two to four coordinates of joints, are 0");
  CHECK(refused({angle_of(m.of_wheel, 1.0), angle_of(ConstraintId{77}, 1.0)}) ==
        "joint \"c\" (coupling): terms: joint number 77 does not exist");
  CHECK(refused({angle_of(m.of_wheel, 1.0), angle_of(rod, 1.0)}) ==
        "joint \"c\" (coupling): terms: joint \"rod\" (distance) has no angle; name a joint between two "
        "markers");
  CHECK(refused({angle_of(m.of_wheel, 1.0), angle_of(m.of_wheel, 2.0)}) ==
        "joint \"c\" (coupling): terms: the angle of joint \"cylindrical 0\" (cylindrical) is there twice");
  CHECK(refused({angle_of(m.of_wheel, 1.0), displacement_of(m.of_wheel, 0.0)}) ==
        "joint \"c\" (coupling): terms: the coefficient of joint \"cylindrical 0\" (cylindrical) must be "
        "finite and "
        "not zero, is 0");
  const BodyId fifth = m.model.add(Body{.name = "fifth"});
  const ConstraintId more = m.model.add(RevoluteJoint{.bodies = {ground, fifth}});
  CHECK(refused({angle_of(m.of_wheel, 1.0), angle_of(m.of_rack, 1.0), angle_of(more, 1.0)}) ==
        "joint \"c\" (coupling): terms: their joints connect 5 bodies; a coupling has at most four, the "
        "ground among "
        "them");
  CHECK(m.model.constraints().size() == joints + 1);
}

TEST_CASE("couplings say what is wrong with their numbers") {
  Model model = wheels({0.1, 0.1}, {0.0, 0.0});
  CHECK_THROWS_WITH_AS(model.add(Gear{.bodies = {ground, BodyId{0}, BodyId{1}}, .ratio = 0.0, .name = "g"}),
                       "joint \"g\" (gear): ratio must not be zero", ModelError);
  const ConstraintId gear = model.add(
      Gear{.bodies = {ground, BodyId{0}, BodyId{1}}, .as_placed = false, .held = 0.25, .name = "g"});
  const auto open = model.open_constraints();
  REQUIRE(open.size() == 1);
  CHECK(open[0].id == gear);
  CHECK(open[0].by == "0.25 rad");
}
