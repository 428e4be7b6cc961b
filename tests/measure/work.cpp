// Power and work of forces: what they supply closes the energy balance to the order of the method.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/parts/step_integrals.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/joint_force.hpp>

#include "support/allocation_count.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// A force of a user's whose potential is written for double alone, and moves with time: V = k (1 + t) z^2 / 2.
struct RisingFloor {
  static constexpr const char* type_name = "rising_floor";
  std::array<BodyId, 1> bodies;
  double k = 3.0;
  std::string name = "floor";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const {
    return {{S(0.0), S(0.0), -k * (S(1.0) + t) * A.x[2], S(0.0), S(0.0), S(0.0)}};
  }
  double potential(const BodyFrame<double>& A, double t) const {
    return 0.5 * k * (1.0 + t) * A.x[2] * A.x[2];
  }
};

enum class Load { damped, driven, both };

// A rod that swings about the y axis through the origin.
std::shared_ptr<const Model> pendulum(Load load) {
  Model model;
  const BodyId rod = model.add(
      Body{.name = "rod", .mass = 2.0, .inertia = 0.1 * Mat3::Identity(), .position = {{0.5, 0.0, 0.0}}});
  model.add(RevoluteJoint{.bodies = {ground, rod},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1),
                          .name = "pin"});
  if (load != Load::driven)
    model.add(SpringDamper{.bodies = {ground, rod},
                           .point_a = {{0.2, 0.0, -1.0}},
                           .point_b = {{0.3, 0.0, 0.0}},
                           .stiffness = 40.0,
                           .damping = 1.5,
                           .rest_length = 0.4,
                           .name = "damper"});
  if (load != Load::damped) model.add(Torque{.bodies = {rod}, .torque = {{0.0, -4.0, 0.0}}, .name = "motor"});
  if (load == Load::both) model.add(RisingFloor{.bodies = {rod}});
  return std::make_shared<Model>(model);
}

const Catalog& known() {
  static const Catalog catalog = builtin();
  return catalog;
}

Scenario scenario_of(Load load, const std::string& stepper, double h) {
  Scenario scenario{.model = pendulum(load),
                    .stepper = stepper,
                    .step = h,
                    .end = 1.6,
                    .every = 1,
                    .record = "energy/total,forces"};
  if (stepper == "dormand_prince") scenario.option("control", "fixed");
  return scenario;
}

// Largest |E - E(0) - work| over the run [J].
double imbalance(const Record& record) {
  REQUIRE_MESSAGE(record.ok(), termination(record.report));
  const Table& table = record.table;
  std::vector<std::size_t> works;
  std::size_t energy = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].starts_with("forces/work")) works.push_back(c);
    if (table.columns[c] == "energy/total") energy = c;
  }
  REQUIRE(!works.empty());
  double worst = 0.0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double balance = table.at(row, energy) - table.at(0, energy);
    for (const std::size_t c : works) balance -= table.at(row, c);
    worst = std::max(worst, std::abs(balance));
  }
  return worst;
}

}  // namespace

TEST_CASE("kinetic and potential energy minus work are constant to the order of the method") {
  struct Method {
    const char* stepper;
    double h, order;
  };
  for (const Method& method : {Method{"generalized_alpha", 4e-3, 2.0}, Method{"lie_dae", 4e-3, 2.0},
                               Method{"dormand_prince", 4e-2, 4.0}})
    for (const Load load : {Load::damped, Load::driven, Load::both}) {
      const double wide = imbalance(run(scenario_of(load, method.stepper, method.h), known()));
      const double fine = imbalance(run(scenario_of(load, method.stepper, 0.5 * method.h), known()));
      const double order = std::log2(wide / fine);
      CAPTURE(method.stepper);
      CAPTURE(static_cast<int>(load));
      CAPTURE(wide);
      CAPTURE(fine);
      CHECK(order > method.order - 0.25);
    }
}

TEST_CASE("work at instants inside the steps that a method of high order chooses follows its tolerance") {
  for (const char* stepper : {"dop853", "dormand_prince"}) {
    CAPTURE(stepper);
    Scenario scenario{.model = pendulum(Load::both),
                      .stepper = stepper,
                      .step = 0.01,
                      .tolerance = 1e-8,
                      .end = 1.6,
                      .every = 1,
                      .record = "energy/total,forces"};
    const Record record = run(scenario, known());
    CHECK(record.report.run.steps < 100);  // instants are inside
    CHECK(imbalance(record) < 1e-6);
  }
}

TEST_CASE("the power of a damper is -c l'^2, of a torque T omega, of a spring and of gravity nothing") {
  const auto model = pendulum(Load::both);
  const MultibodySystem system(*model);
  State state = system.initial_state();
  const double speed = -1.75;  // about y [rad/s]
  state.t = 0.5;
  state.v = {0.0, 0.0, -0.5 * speed, 0.0, speed, 0.0};
  const MeasuredSystem measured(system, {});
  Instant at(measured);
  at.move_to(state, {});
  const std::vector<double>& power = at.force_power();
  REQUIRE(power.size() == 3);
  // From (0.2, 0, -1) to (0.8, 0, 0): l = sqrt(0.36 + 1), the point moves with (0, 0, -0.8 speed).
  const double rate = -0.8 * speed / std::sqrt(1.36);
  CHECK(power[0] == doctest::Approx(-1.5 * rate * rate).epsilon(1e-14));
  CHECK(power[1] == doctest::Approx(-4.0 * speed).epsilon(1e-14));
  // What the floor's potential gains by itself: k z^2 / 2, at z = 0 nothing.
  CHECK(std::abs(power[2]) < 1e-10);
  state.q[2] = 0.2;
  at.move_to(state, {});
  // A difference quotient over 6e-6 s: errors of 1e-10.
  CHECK(at.force_power()[2] == doctest::Approx(0.5 * 3.0 * 0.04).epsilon(1e-8));
}

TEST_CASE("the power that a force of the library states is that of its wrenches and its potential") {
  Model model;
  std::array<BodyId, 2> b{};
  for (int k = 0; k < 2; ++k)
    b[static_cast<std::size_t>(k)] =
        model.add(Body{.inertia = Mat3::Identity(), .position = {{0.7 * k, 0.1, 0.4 * k}}});
  const ConstraintId pin = model.add(joint_at<CylindricalJoint>(model, b[0], b[1], {.axis = Vec3::Unit(1)}));
  const Function bend = functions::Polynomial{{0.3, -0.5, 0.7}};
  model.add(SpringDamper{
      .bodies = b, .point_a = {{0.1, 0.3, 0.0}}, .stiffness = 30.0, .damping = 2.0, .rest_length = 0.3});
  model.add(TorsionSpring{.bodies = b,
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1),
                          .stiffness = 30.0,
                          .damping = 2.0,
                          .free_angle = 0.3});
  for (const Axes axes : {Axes::world, Axes::body}) {
    model.add(
        PointForce{.bodies = {b[1]}, .point = {{0.1, 0.2, 0.3}}, .force = {{1.0, 2.0, 3.0}}, .axes = axes});
    model.add(Torque{.bodies = {b[1]}, .torque = {{1.0, 2.0, 3.0}}, .axes = axes});
  }
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement}) {
    model.add(JointForce{.joint = pin,
                         .coordinate = coordinate,
                         .stiffness = 30.0,
                         .damping = 2.0,
                         .free = 0.3,
                         .spring = bend,
                         .damper = bend,
                         .actuator = bend,
                         .friction = 0.7});
    model.add(JointPid{
        .joint = pin, .coordinate = coordinate, .target = bend, .proportional = 3.0, .derivative = 2.0});
  }
  model.add(JointFriction{.joint = pin, .coefficient = 0.7, .radius = 0.4, .viscous = 0.3});
  model.add(Strut{.bodies = b,
                  .point_a = {{0.1, 0.3, 0.0}},
                  .stiffness = 30.0,
                  .damping = 2.0,
                  .free = 0.3,
                  .spring = bend,
                  .damper = bend,
                  .actuator = bend,
                  .friction = 0.7});
  const MultibodySystem system(model);
  const BodyRows rows(system);
  State state = system.initial_state();
  state.t = 0.4;
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
  for (std::size_t k = 0; k < state.lambda.size(); ++k)
    state.lambda[k] = std::cos(2.0 * static_cast<double>(k));
  Point at = point_of(state);
  at.lambda = state.lambda.data();
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k) {
    double size = 0.0;
    const double in_parts = rows.force_power(k, at, &size);
    CAPTURE(model.force_label(ForceId{k}));
    REQUIRE(size > 0.1);
    CHECK(std::abs(rows.force_power(k, at) - in_parts) <= 1e-13 * size);
  }
}

TEST_CASE("work is known at instants inside chosen steps, and sums over them") {
  Scenario scenario = scenario_of(Load::both, "dormand_prince", 1e-2);
  scenario.options["control"] = "adaptive";
  scenario.tolerance = 1e-9;
  const Record record = run(scenario, known());
  REQUIRE(record.ok());
  REQUIRE(record.report.run.steps < 150);
  REQUIRE(record.table.rows() == 161);
  CHECK(imbalance(record) < 1e-5);  // of some 10 J; parabolas of power over steps of 0.02 s
  const double last = record.table.last("forces/work of force \"motor\" (torque)");
  CHECK(last == doctest::Approx(-4.0 * run(Scenario{.model = scenario.model,
                                                    .stepper = "dormand_prince",
                                                    .tolerance = 1e-11,
                                                    .end = 1.6,
                                                    .record = "joints/angle"},
                                           known())
                                           .table.last("joints/angle of joint \"pin\" (revolute)"))
                    .epsilon(1e-7));
}

TEST_CASE("a step of integrals allocates nothing after the first") {
  const auto model = pendulum(Load::both);
  const MultibodySystem system(*model);
  const QuantityCatalog quantities = builtin_quantities();
  StepIntegrals integrals(system, select(quantities, "forces/work"), {});
  const auto stepper = known().stepper("generalized_alpha").setup()->make({}, {});
  State state = system.initial_state();
  REQUIRE(stepper->attach(system).status == Status::ok);
  REQUIRE(stepper->start(state, 1e-3).status == Status::ok);
  integrals.begin(system);
  for (int k = 0; k < 3; ++k) {
    const State before = state;
    REQUIRE(stepper->step(state, 1e-3).status == Status::ok);
    const long allocations = test::count_allocations([&] {
      integrals.step({before, state, *stepper});
      integrals.observe(state);
    });
    if (k > 0 && test::allocation_counting_works()) CHECK(allocations == 0);
  }
}

TEST_CASE("the balance of a method of order 8 is as good as its motion, in steps of a tenth of a swing") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId bob =
      model.add(Body{.name = "bob", .inertia = 0.1 * Mat3::Identity(), .position = {{1.0, 0.0, 0.0}}});
  const ConstraintId pin = model.add(joint_at<RevoluteJoint>(model, ground, bob, {.axis = Vec3::Unit(1)}));
  model.add(JointForce{.joint = pin, .damping = 2.0, .name = "damper"});
  const Record record = run(Scenario{.model = std::make_shared<Model>(model),
                                     .stepper = "dop853",
                                     .step = 0.1,
                                     .tolerance = 1e-10,
                                     .end = 3.0},
                            known());
  REQUIRE_MESSAGE(record.ok(), termination(record.report));
  CHECK(record.report.run.steps < 60);
  // 2.6e-5 J by Simpson's rule; the balance itself moves by 4e-11 J with a tolerance of 1e-12.
  CHECK(record.report.monitor.energy_error.value < 1e-8);
}
