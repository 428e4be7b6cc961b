// Steps that pass over a bump in the table of a spring: what is said of them.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/function_shapes.hpp>
#include <catena/model/parts/joint_force.hpp>
#include <catena/model/parts/strut.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

namespace tables_passed_over_tests {

using namespace catena;

namespace {

// A body with 0.5 J in front of a barrier of 2 J between 4.8 and 5.2 m; or, with `height` 0.02, of one that it passes.
Model in_front_of_barrier(bool strut, double height) {
  Model model;
  model.gravity = Vec3::Zero();
  const BodyId a = model.add(Body{.name = "a", .velocity = {{1.0, 0.0, 0.0}}});
  const ConstraintId rail = model.add(PrismaticJoint{
      .bodies = {ground, a}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0), .name = "rail"});
  const double f = 10.0 * height;
  const double from = strut ? 1.0 : 0.0;  // the strut begins at x = -1
  const Function wall =
      functions::Table{.x = {-100.0, 4.8 + from, 4.9 + from, 5.0 + from, 5.1 + from, 5.2 + from, 100.0},
                       .y = {0.0, 0.0, f, 0.0, -f, 0.0, 0.0},
                       .spline = functions::Spline::linear};
  if (strut)
    model.add(Strut{.bodies = {ground, a}, .point_a = {{-1.0, 0.0, 0.0}}, .spring = wall, .name = "wall"});
  else
    model.add(JointForce{
        .joint = rail, .coordinate = JointCoordinate::displacement, .spring = wall, .name = "wall"});
  return model;
}

std::string remark_on_jump(Model model, const std::string& stepper, double step, double max_step) {
  Scenario scenario{.model = std::make_shared<const Model>(std::move(model)),
                    .stepper = stepper,
                    .step = step,
                    .end = 10.0};
  if (max_step > 0.0) scenario.options["max_step"] = std::to_string(max_step);
  const Record record = run(scenario, builtin());
  REQUIRE(record.report.run.status == Status::ok);
  for (const Remark& remark : record.report.run.remarks)
    if (remark.key == RemarkKey::jump) return remark.text;
  return "";
}

}  // namespace

TEST_CASE("a step over a bump in a table is noted, by the force, the time and what to do") {
  for (const bool strut : {false, true})
    for (const char* const stepper : {"dop853", "radau", "lie_bdf"}) {
      CAPTURE(strut);
      CAPTURE(stepper);
      const std::string said = remark_on_jump(in_front_of_barrier(strut, 2.0), stepper, 10.0, 0.0);
      CHECK(said.starts_with("force \"wall\" (" + std::string(strut ? "strut" : "joint_force") +
                             ") jumps at t = "));
      CHECK(said.find("max_step") != std::string::npos);
    }
}

TEST_CASE("steps that see the table pass it, or come back from it, without a remark") {
  for (const bool strut : {false, true})
    for (const double height : {2.0, 0.02}) {
      CAPTURE(strut);
      CAPTURE(height);
      CHECK(remark_on_jump(in_front_of_barrier(strut, height), "generalized_alpha", 1e-3, 0.0).empty());
      CHECK(remark_on_jump(in_front_of_barrier(strut, height), "dop853", 10.0, 0.02).empty());
    }
}

}  // namespace tables_passed_over_tests
