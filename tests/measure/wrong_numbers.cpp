// Numbers of joints and bodies that the model does not have, and bodies at rest under a load.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/radau.hpp>

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

namespace wrong_numbers_tests {

using namespace catena;

namespace {

struct Pull {
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(4567.0);
    w[1] = S(-9810.0);
    return w;
  }
};

// Held by a hinge and a ball that leave it no motion.
MultibodySystem held_body(bool loaded) {
  Model model;
  Mat3 inertia = Mat3::Zero();
  inertia(0, 0) = 0.1;
  inertia(1, 1) = 0.2;
  inertia(2, 2) = 0.25;
  const BodyId body =
      model.add(Body{.name = "plate", .mass = 3.0, .inertia = inertia, .position = {{0.3, 0.1, 0.7}}});
  model.add(joint_at<RevoluteJoint>(
      model, ground, body, WorldFrame{.point = {{0.3, 0.4, 0.7}}, .axis = {{0.0, 0.6, 0.8}}}, "hinge"));
  model.add(joint_at<SphericalJoint>(model, ground, body, WorldFrame{.point = {{1.3, 0.1, 0.2}}}, "ball"));
  if (loaded) model.add(Pull{{body}});
  return MultibodySystem(model);
}

}  // namespace

TEST_CASE("numbers of another model are refused where values of joints and bodies are asked for") {
  const MultibodySystem system = held_body(false);
  const State state = system.initial_state();
  CHECK_THROWS_WITH_AS(pose(system, state, BodyId{3}),
                       "body number 3 does not exist; the model has 1 body (number 0)", ModelError);
  CHECK_THROWS_AS(pose(system, state, BodyId{-7}), ModelError);
  CHECK_NOTHROW(pose(system, state, ground));
  CHECK_THROWS_WITH_AS(reaction(system, state, ConstraintId{2}),
                       "joint number 2 does not exist; the model has 2 joints (numbers 0 to 1)", ModelError);
  CHECK_THROWS_AS(multipliers(system, state, ConstraintId{2}), ModelError);
  CHECK_THROWS_AS(coordinate(system, state, ConstraintId{-1}), ModelError);
  CHECK_THROWS_AS(system.model().constraint_label(ConstraintId{2}), ModelError);
  CHECK_THROWS_AS(system.model().constraint_name(ConstraintId{2}), ModelError);
  CHECK_THROWS_AS(system.model().force_label(ForceId{0}), ModelError);
  CHECK_THROWS_AS(system.discrete_offset(ForceId{0}), ModelError);
  CHECK_THROWS_AS(pose(system, State{}, BodyId{0}), std::invalid_argument);
  CHECK_THROWS_AS(reaction(system, State{}, ConstraintId{0}), std::invalid_argument);
}

TEST_CASE("a body at rest under a load exchanges roundoff, and no balance of energy is broken") {
  const MultibodySystem system = held_body(true);
  DormandPrince explicitly;
  Radau radau;
  LieBdf bdf;
  for (Stepper* const stepper :
       {static_cast<Stepper*>(&explicitly), static_cast<Stepper*>(&radau), static_cast<Stepper*>(&bdf)}) {
    CAPTURE(stepper->traits().name);
    State state = system.initial_state();
    const RunResult result = run(system, *stepper, state, {.step = 1e-3, .end = 0.5});
    CHECK(result.status == Status::ok);
    for (const Remark& remark : result.remarks) CHECK(remark.key != RemarkKey::energy);
  }
}

}  // namespace wrong_numbers_tests
