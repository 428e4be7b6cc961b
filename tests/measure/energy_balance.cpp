// The balance of energy closes to the order of the method: what dampers, friction, torques, drives and controllers supply is
// known in every run.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/detail/work_meter.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>

#include "support/working_linkage.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena_test;

namespace {

// With a step of h against half of it.
double order_of_balance(const Linkage& is, const std::string& stepper, double h) {
  const MonitorResult wide = seen_in(moving_linkage(is, stepper, h)),
                      fine = seen_in(moving_linkage(is, stepper, 0.5 * h));
  CAPTURE(wide.energy_error.value);
  CAPTURE(fine.energy_error.value);
  CHECK(std::abs(wide.work.total()) > 0.5);
  CHECK(wide.energy_error.value < 0.02 * wide.kinetic_max);
  return std::log2(wide.energy_error.value / fine.energy_error.value);
}

// A pulley that a string holds whose free length a controller sets.
struct Winch {
  static constexpr const char* type_name = "winch";
  static constexpr int discrete = 1;
  std::array<BodyId, 1> bodies;
  std::string name = "winch";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&, const double* set) const {
    return {{-50.0 * (A.x[0] - S(set[0])), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)}};
  }
  template <class S>
  S potential(const BodyFrame<S>& A, const S&, const double* set) const {
    const S elongation = A.x[0] - S(set[0]);
    return 25.0 * elongation * elongation;
  }
};

// A damped stop for a body beyond x = 1; it does not say whether it does work.
struct Stop {
  static constexpr const char* type_name = "stop";
  std::array<BodyId, 1> bodies;
  std::string name = "stop";
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    const S depth = A.x[0] - S(1.0);
    const S push = depth < S(0.0) ? S(0.0) : depth * depth * (S(300.0) + 200.0 * A.v[0]);
    return {{-push, S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)}};
  }
  template <class S>
  S potential(const BodyFrame<S>& A, const S&) const {
    const S depth = A.x[0] - S(1.0);
    return depth < S(0.0) ? S(0.0) : 100.0 * depth * depth * depth;
  }
};

struct Winder : Controller {
  double period() const override { return 0.25; }
  void sample(const State& state, double* values, double*) override { values[0] = 0.4 * state.t; }
};

}  // namespace

TEST_CASE("the balance of a damped, driven four-bar converges to zero with the order of the method") {
  struct Method {
    const char* stepper;
    double h, order;
  };
  for (const Method& method : {Method{"generalized_alpha", 4e-3, 2.0}, Method{"hht", 4e-3, 2.0},
                               Method{"lie_dae", 4e-3, 2.0}, Method{"alpha_rattle", 4e-3, 2.0},
                               Method{"discrete_action", 4e-3, 2.0}, Method{"dormand_prince", 1e-2, 4.0}})
    for (const Linkage& is : {Linkage{}, Linkage{.mover = Mover::torque},
                              Linkage{.mover = Mover::drive, .damping = 0.0, .friction = 0.5}}) {
      CAPTURE(method.stepper);
      CAPTURE(static_cast<int>(is.mover));
      CAPTURE(is.friction);
      CHECK(order_of_balance(is, method.stepper, method.h) > method.order - 0.25);
    }
}

TEST_CASE("so does that of a linkage on dry pins, whose friction follows their reactions") {
  struct Method {
    const char* stepper;
    double h, order;
  };
  for (const Method& method : {Method{"generalized_alpha", 4e-3, 2.0}, Method{"hht", 4e-3, 2.0},
                               Method{"lie_dae", 4e-3, 2.0}, Method{"dormand_prince", 1e-2, 4.0}})
    for (const Linkage& is :
         {Linkage{.damping = 0.0, .dry = 0.4}, Linkage{.mover = Mover::torque, .dry = 0.4}}) {
      CAPTURE(method.stepper);
      CAPTURE(static_cast<int>(is.mover));
      CHECK(order_of_balance(is, method.stepper, method.h) > method.order - 0.25);
    }
}

TEST_CASE("so does that with a sampled controller, whose moment jumps at its samples") {
  for (const char* stepper : {"generalized_alpha", "lie_dae"})
    CHECK(order_of_balance({.mover = Mover::pid}, stepper, 4e-3) > 1.75);
  CHECK(order_of_balance({.mover = Mover::pid}, "dormand_prince", 5e-3) > 3.75);
}

TEST_CASE("work has the sign and the size of the field, of forces and of drives by themselves") {
  // A disc of 2 kg m^2 at 3 rad/s with a damper of 0.5 N m s: -J w^2 / 2 (1 - exp(-2 c t / J)).
  Model disc;
  const BodyId wheel = disc.add(
      Body{.name = "wheel", .inertia = 2.0 * Mat3::Identity(), .angular_velocity = {{0.0, 0.0, 3.0}}});
  const ConstraintId axle = disc.add(joint_at<RevoluteJoint>(disc, ground, wheel, {}, "axle"));
  disc.add(JointForce{.joint = axle, .damping = 0.5});
  const auto wheel_model = std::make_shared<const Model>(std::move(disc));
  const MonitorResult damped =
      seen_in({.model = wheel_model, .stepper = "generalized_alpha", .step = 1e-3, .end = 1.5});
  // Trapezoidal rule: h^2 / 12 (2 c / J)^2 of it, 2e-8.
  CHECK(damped.work.forces == doctest::Approx(-9.0 * (1.0 - std::exp(-0.75))).epsilon(1e-6));
  CHECK(damped.work.drives == 0.0);
  // A load of 3 kg lifted along z by t / 2 + 3 t^2 / 4: m g z + m (z'^2 - z'(0)^2) / 2.
  Model lift;
  lift.gravity = {{0.0, 0.0, -9.81}};
  const BodyId load =
      lift.add(Body{.name = "load", .mass = 3.0, .inertia = Mat3::Identity(), .velocity = {{0.0, 0.0, 0.5}}});
  const ConstraintId guide = lift.add(joint_at<PrismaticJoint>(lift, ground, load, {}, "guide"));
  lift.add(JointDrive{.joint = guide,
                      .coordinate = JointCoordinate::displacement,
                      .target = functions::Polynomial{{0.0, 0.5, 0.75}}});
  const auto lift_model = std::make_shared<const Model>(std::move(lift));
  const MonitorResult driven =
      seen_in({.model = lift_model, .stepper = "generalized_alpha", .step = 1e-3, .end = 1.0});
  CHECK(driven.work.drives == doctest::Approx(3.0 * 9.81 * 1.25 + 1.5 * (4.0 - 0.25)).epsilon(1e-6));
  CHECK(driven.work.forces == 0.0);
}

TEST_CASE(
    "what was conserved has the figure that it had: springs and gravity do no work, and nothing is "
    "integrated") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId a = model.add(Body{.name = "a", .inertia = Mat3::Identity(), .position = {{1.0, 0.0, 0.0}}});
  const ConstraintId pin = model.add(
      joint_at<RevoluteJoint>(model, ground, a, {.point = {{0.5, 0.0, 0.0}}, .axis = Vec3::Unit(1)}, "pin"));
  model.add(SpringDamper{.bodies = {ground, a}, .stiffness = 40.0, .rest_length = 0.5});
  model.add(JointForce{.joint = pin, .stiffness = 3.0});
  model.add(PointForce{.bodies = {a}, .force = {{1.0, 2.0, 3.0}}});
  CHECK_FALSE(WorkMeter::is_wanted(MultibodySystem(model)));
  Monitor monitor;
  const MultibodySystem system(model);
  monitor.begin(system);
  CHECK_FALSE(monitor.wants_steps());
  // One that acts later than all that a look at the start can see.
  model.add(JointForce{.joint = pin,
                       .stiffness = 1.0,
                       .actuator = functions::SmoothStep{.from = 0.0, .to = 1.0, .start = 0.5, .end = 0.75}});
  CHECK(WorkMeter::is_wanted(MultibodySystem(model)));
}

TEST_CASE("work of a force that sleeps at the start is counted when it wakes") {
  Model model;
  const BodyId wheel = model.add(
      Body{.name = "wheel", .inertia = 2.0 * Mat3::Identity(), .angular_velocity = {{0.0, 0.0, 1.0}}});
  const ConstraintId axle = model.add(joint_at<RevoluteJoint>(model, ground, wheel, {}, "axle"));
  model.add(JointForce{.joint = axle,
                       .stiffness = 0.5,
                       .actuator = functions::SmoothStep{.from = 0.0, .to = 4.0, .start = 0.5, .end = 0.75}});
  const auto shared = std::make_shared<const Model>(std::move(model));
  const MonitorResult seen =
      seen_in({.model = shared, .stepper = "generalized_alpha", .step = 1e-3, .end = 1.0});
  CHECK(seen.work.forces > 1.0);
  CHECK(seen.energy_error.value < 1e-5);

  Model thrown;
  const BodyId stone =
      thrown.add(Body{.name = "stone", .inertia = Mat3::Identity(), .velocity = {{2.0, 0.0, 0.0}}});
  thrown.add(Stop{.bodies = {stone}});
  const auto stopped = std::make_shared<const Model>(std::move(thrown));
  const MonitorResult stop =
      seen_in({.model = stopped, .stepper = "generalized_alpha", .step = 1e-3, .end = 1.5});
  CHECK(stop.work.forces < -0.1);
  CHECK(stop.energy_error.value < 1e-4);
}

TEST_CASE("what a controller changes of a potential is work") {
  Model model;
  const BodyId body = model.add(Body{.name = "body", .inertia = Mat3::Identity()});
  model.add(Winch{.bodies = {body}});
  const auto shared = std::make_shared<const Model>(std::move(model));
  const auto look = [&](double h) {
    Winder winder;
    return seen_in({.model = shared, .stepper = "generalized_alpha", .step = h, .end = 2.0},
                   {.controllers = {&winder}});
  };
  const MonitorResult wide = look(4e-3), fine = look(2e-3);
  CHECK(fine.work.forces > 0.1);
  CHECK(fine.energy_error.value < 1e-3);
  CHECK(std::log2(wide.energy_error.value / fine.energy_error.value) > 1.75);
}
