// States that are not steady and elements that linear equations do not describe, each by name.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_pid.hpp>
#include <catena/model/parts/varying_force.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <string>

namespace {

using namespace catena;
using namespace catena::test;

struct HungRod {
  Model model;
  BodyId rod;
  ConstraintId hinge;
  explicit HungRod(const Vec3& at = {{0.0, 0.0, -1.0}}) {
    model.gravity = {{0.0, 0.0, -9.81}};
    rod = model.add(Body{.name = "rod", .position = at});
    hinge = model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}, "hinge"));
  }
  LinearMotion linear() const {
    const MultibodySystem system(model);
    LinearMotion motion = linearize(system, system.initial_state());
    motion.system = nullptr;
    return motion;
  }
};

TEST_CASE("a state that is no equilibrium is refused, with the body and its acceleration") {
  const LinearMotion motion = HungRod(Vec3{{0.6, 0.0, -0.8}}).linear();
  CHECK(motion.status == Status::inconsistent_start);
  CHECK(motion.culprit.name == "body \"rod\"");
  CHECK(motion.culprit.why.find("not an equilibrium") != std::string::npos);
  CHECK(std::abs(motion.culprit.value) == doctest::Approx(9.81 * 0.6 / 2.0));  // of 1 kg and 1 kg m^2 at 1 m
  CHECK(motion.unsteady > 0.1);
  CHECK(find_modes(motion).status == Status::inconsistent_start);
}

TEST_CASE("the state of another system is refused by what looks at it") {
  HungRod p;
  const MultibodySystem system(p.model);
  const QuaternionSystem in_seven(p.model);
  Model two = p.model;
  two.add(Body{.name = "other"});
  const State longer = MultibodySystem(two).initial_state(), other = in_seven.initial_state();
  State shorter = system.initial_state();
  shorter.q.pop_back();
  for (const State& wrong : {State{}, longer, shorter, other}) {
    const auto said = [&](const std::string& text) {
      return text.find("it belongs to another system") != std::string::npos;
    };
    const Equilibrium rest = find_equilibrium(system, wrong);
    CHECK((rest.status == Status::unsupported && said(rest.culprit.name)));
    const LinearMotion motion = linearize(system, wrong);
    CHECK((motion.status == Status::unsupported && said(motion.culprit.name)));
    State state = wrong;
    const Projection projection = project_positions(system, state);
    CHECK((projection.status == Status::unsupported && said(projection.culprit.name)));
    CHECK(state.q == wrong.q);
    CHECK_THROWS_AS((void)system.bodies(wrong), std::invalid_argument);
  }
}

TEST_CASE("a pendulum on its way down is refused: its velocity changes in every frame") {
  HungRod p;
  p.model.body(p.rod).velocity = {{2.0, 0.0, 0.0}};
  p.model.body(p.rod).angular_velocity = {{0.0, -2.0, 0.0}};
  const LinearMotion motion = p.linear();
  CHECK(motion.status == Status::inconsistent_start);
  CHECK(motion.culprit.name == "body \"rod\"");
}

TEST_CASE("a rotor that is not balanced under gravity is refused: its coefficients change along the motion") {
  // About the vertical it is steady, about a level axis gravity acts from another side at every angle.
  for (const bool level : {false, true}) {
    Model model;
    const Vec3 axis = Vec3::Unit(2);
    model.gravity = level ? Vec3{{-9.81, 0.0, 0.0}} : Vec3{{0.0, 0.0, -9.81}};
    const BodyId rotor = model.add(
        Body{.name = "rotor", .inertia = diagonal(Vec3{{0.1, 0.2, 0.3}}), .angular_velocity = 5.0 * axis});
    model.add(joint_at<RevoluteJoint>(model, ground, rotor, {.axis = axis}));
    const BodyId arm = model.add(Body{.name = "arm",
                                      .position = {{0.5, 0.0, 0.0}},
                                      .velocity = {{0.0, 2.5, 0.0}},
                                      .angular_velocity = 5.0 * axis});
    model.add(joint_at<RevoluteJoint>(model, rotor, arm, {.axis = axis}));
    const MultibodySystem system(model);
    const LinearMotion motion = linearize(system, system.initial_state());
    CHECK(motion.status == (level ? Status::inconsistent_start : Status::ok));
    if (level) CHECK(!motion.culprit.name.empty());
  }
}

TEST_CASE("a drive that will move and a force that depends on time are refused by name") {
  HungRod driven;
  // At rest at t = 0, with no acceleration either.
  driven.model.add(JointDrive{.joint = driven.hinge,
                              .target = functions::Polynomial{.coefficients = {0.0, 0.0, 0.0, 1.0}},
                              .as_placed = true,
                              .name = "motor"});
  const LinearMotion by_drive = driven.linear();
  CHECK(by_drive.status == Status::inconsistent_start);
  CHECK(by_drive.culprit.name == "joint \"motor\" (drive)");

  HungRod pushed;
  pushed.model.add(
      VaryingForce{.bodies = {pushed.rod}, .force = {{1.0, 0.0, 0.0}}, .factor = functions::Ramp{.to = 1.0}});
  const LinearMotion by_force = pushed.linear();
  CHECK(by_force.status == Status::inconsistent_start);
  CHECK(by_force.culprit.name == "body \"rod\"");
  CHECK(by_force.culprit.why.find("depends on time") != std::string::npos);
}

TEST_CASE("a controller that samples or integrates is refused by name, one that does not takes part") {
  const auto look = [](double period, double integral) {
    HungRod p;
    p.model.add(JointPid{.joint = p.hinge,
                         .proportional = 20.0,
                         .integral = integral,
                         .derivative = 1.0,
                         .period = period,
                         .name = "servo"});
    const MultibodySystem system(p.model);
    const Equilibrium rest = find_equilibrium(system, system.initial_state());
    const LinearMotion motion = p.linear();
    CHECK(rest.status == motion.status);
    CHECK(rest.culprit.name == motion.culprit.name);
    CHECK(rest.culprit.quantity == motion.culprit.quantity);
    return motion;
  };
  CHECK(look(0.0, 0.0).status == Status::ok);
  const LinearMotion samples = look(0.01, 0.0), adds_up = look(0.0, 1.0);
  CHECK(samples.status == Status::unsupported);
  CHECK(samples.culprit.name == "force \"servo\" (pid)");
  CHECK(samples.culprit.quantity == "sampling period");
  CHECK(samples.culprit.value == 0.01);
  CHECK(adds_up.status == Status::unsupported);
  CHECK(adds_up.culprit.name == "force \"servo\" (pid)");
  CHECK(adds_up.culprit.why ==
        "has an integral over the time, which positions do not show: equations of the bodies with "
        "constant coefficients do not describe it");
}

// A push whose derivatives are no numbers.
struct BlindPush {
  static constexpr const char* type_name = "blind_push";
  std::array<BodyId, 1> bodies;
  std::string name = {};
  Vec<double, 6> wrench(const BodyFrame<double>&, double) const { return Vec<double, 6>::Zero(); }
  void derivatives(const BodyFrame<double>*, double, Mat<double, 6, 6>* K, Mat<double, 6, 6>*) const {
    K[0] = Mat<double, 6, 6>::Constant(std::numeric_limits<double>::quiet_NaN());
  }
};

TEST_CASE("derivatives that are no numbers are refused with the body that they are of") {
  HungRod p;
  p.model.add(BlindPush{.bodies = {p.rod}});
  const LinearMotion motion = p.linear();
  CHECK(motion.status == Status::not_finite);
  CHECK(motion.culprit.name == "body \"rod\"");
}

TEST_CASE("open joints are refused by name") {
  HungRod p;
  p.model.body(p.rod).position = {{0.0, 0.0, -1.1}};
  const MultibodySystem closed(HungRod().model);
  State open = closed.initial_state();
  open.q[2] = -1.1;
  const LinearMotion motion = linearize(closed, open);
  CHECK(motion.status == Status::inconsistent_start);
  CHECK(motion.culprit.name == "joint \"hinge\" (revolute)");
}

}  // namespace
