// Bodies that turn far within a step: what is counted of their angles, and what is said of it.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/detail/turn_meter.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/model/parts/torsion_spring.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace far_turns_tests {

using namespace catena;

namespace {

Body disc(const char* name, double speed) {
  return Body{.name = name,
              .mass = 1.0,
              .inertia = 0.1 * Mat3::Identity(),
              .angular_velocity = speed * Vec3::Unit(2)};
}

// Two discs on one axle that turn against each other by 2 speed [rad/s].
Model pair_of_discs(double speed) {
  Model model;
  const BodyId a = model.add(disc("a", -speed)), b = model.add(disc("b", speed));
  model.add(RevoluteJoint{.bodies = {ground, a}, .name = "axle"});
  model.add(RevoluteJoint{.bodies = {a, b}, .name = "between"});
  return model;
}

Record result_of(Model model, const std::string& stepper, double h, double end) {
  Scenario scenario{.model = std::make_shared<const Model>(std::move(model)),
                    .stepper = stepper,
                    .step = h,
                    .end = end,
                    .record = "joints/angle"};
  return run(scenario, builtin());
}

const Remark* remark_on_turns(const Record& record) {
  for (const Remark& remark : record.report.run.remarks)
    if (remark.key == RemarkKey::turn) return &remark;
  return nullptr;
}

}  // namespace

TEST_CASE(
    "the angle of a joint is counted over bodies that turn by more than half a turn against each other") {
  // Within a step by 4.8 rad, and as far as the method lets each of them, half a turn; outputs are inside the steps.
  for (const auto& method :
       {std::pair{"generalized_alpha", 8e-3}, {"alpha_rattle", 8e-3}, {"dop853", 1e-3}, {"radau", 1e-3}}) {
    const char* const stepper = method.first;
    const double h = method.second;
    CAPTURE(stepper);
    const Record record = result_of(pair_of_discs(300.0), stepper, h, 0.2);
    REQUIRE(record.ok());
    CHECK(2.0 * 300.0 * record.report.run.largest_step > 4.0);
    const std::vector<double> angles = record.table.column("joints/angle of joint \"between\" (revolute)");
    const std::vector<double> times = record.table.column("time");
    REQUIRE(angles.size() > 20);
    for (std::size_t k = 0; k < angles.size(); ++k) CHECK(std::abs(angles[k] - 600.0 * times[k]) <= 1e-9);
  }
}

TEST_CASE("no remark is on turns that steps of a method cannot have") {
  // The speed at the end of a step times its length is more than half a turn, the turn is less.
  for (const char* stepper : {"dop853", "dormand_prince", "radau", "lie_bdf"}) {
    CAPTURE(stepper);
    Model model;
    const BodyId a = model.add(disc("a", 0.0));
    model.add(RevoluteJoint{.bodies = {ground, a}, .name = "axle"});
    model.add(Torque{.bodies = {a}, .torque = {{0.0, 0.0, 2.0}}});
    const Record record = result_of(std::move(model), stepper, 1e-3, 4.0);
    REQUIRE(record.ok());
    CHECK(remark_on_turns(record) == nullptr);
    CHECK(record.table.last("joints/angle of joint \"axle\" (revolute)") ==
          doctest::Approx(160.0).epsilon(1e-9));
  }
}

TEST_CASE("a spring that counts turns is named where its bodies turn too far against each other") {
  for (const char* stepper : {"generalized_alpha", "dop853", "radau"}) {
    CAPTURE(stepper);
    for (const double h : {8e-3, 1e-3}) {
      CAPTURE(h);
      Model model = pair_of_discs(300.0);
      model.add(TorsionSpring{.bodies = {BodyId{0}, BodyId{1}}, .stiffness = 1e-9, .name = "spring"});
      Scenario scenario{.model = std::make_shared<const Model>(std::move(model)),
                        .stepper = stepper,
                        .step = h,
                        .end = 0.2};
      if (std::string(stepper) != "generalized_alpha" && h < 8e-3) scenario.options["max_step"] = "1e-3";
      const Record record = run(scenario, builtin());
      REQUIRE(record.ok());
      const Remark* const remark = remark_on_turns(record);
      REQUIRE((remark != nullptr) == (h == 8e-3));
      if (remark == nullptr) continue;
      CHECK(remark->culprit.name == "force \"spring\" (torsion_spring)");
      CHECK(remark->culprit.value > 4.0);
      CHECK(remark->text.find("it counts too few turns: take steps below 0.005") != std::string::npos);
    }
  }
}

TEST_CASE("the largest turn within a step has the time of the step's end, the body and the spring") {
  Model model = pair_of_discs(0.0);
  model.add(TorsionSpring{.bodies = {BodyId{0}, BodyId{1}}, .stiffness = 1.0, .name = "spring"});
  const MultibodySystem system(model);
  State state = system.initial_state();
  detail::TurnMeter meter;
  meter.begin(system);
  // [rad/s] of a and b about z; b is the faster one in the second step of 8 ms.
  for (const auto& [t, a, b] : {std::array{0.0, -100.0, 100.0},
                                {0.008, -300.0, 300.0},
                                {0.016, -310.0, 350.0},
                                {0.024, -10.0, 10.0}}) {
    state.t = t;
    state.v[5] = a;
    state.v[11] = b;
    meter.observe(state);
  }
  CHECK(meter.block() == 1);
  CHECK(meter.largest().t == 0.016);
  CHECK(meter.largest().value == doctest::Approx(0.008 * 325.0).epsilon(1e-14));
  CHECK(meter.label_between() == "force \"spring\" (torsion_spring)");
  CHECK(meter.largest_between().t == 0.016);
  CHECK(meter.largest_between().value == doctest::Approx(0.008 * 630.0).epsilon(1e-14));
}

}  // namespace far_turns_tests
