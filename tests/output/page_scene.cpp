// The model as the page draws it: joints at their places, of bodies that do not move in the world.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>
#include <catena/measure/parts/measured_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/output/detail/page_scene.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>

namespace page_scene_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE(
    "on the page a joint is at one place and at its angle, on a body that does not move as on one that "
    "does") {
  // A post that is turned by half a turn about z, an arm that is not, and a hinge between them.
  Model model;
  const BodyId post = model.add(Body{.name = "post",
                                     .position = {{3.0, 0.0, 0.0}},
                                     .orientation = {0.0, 0.0, 0.0, 1.0},
                                     .fixed = true}),
               arm = model.add(Body{.name = "arm"});
  model.add(joint_at<RevoluteJoint>(model, post, arm, {.point = {{1.0, 2.0, 0.5}}, .axis = Vec3::Unit(2)}));
  model.add(KnifeEdge{.bodies = {arm}});
  const MultibodySystem system(model);
  const nlohmann::json scene = nlohmann::json::parse(page_scene(MeasuredSystem(system, {})));
  const nlohmann::json& hinge = scene["joints"][0];
  CHECK(hinge["level"] == "position");
  CHECK(scene["joints"][1]["level"] == "velocity");
  CHECK(hinge["rows"] == 5);
  CHECK(scene["joints"][1]["rows"] == 1);
  CHECK(hinge["frames"][0]["body"] == -1);
  CHECK(hinge["frames"][1]["body"] == 0);
  // The arm's frame is that of the world. The angle of the joint is that from the first side to the second, about the axis.
  const auto vector = [&](std::size_t frame, const char* what) {
    const nlohmann::json& of = hinge["frames"][frame][what];
    return Vec3{{of[0], of[1], of[2]}};
  };
  CHECK(norm(vector(0, "point") - vector(1, "point")) < 1e-15);
  CHECK(norm(vector(0, "axis") - vector(1, "axis")) < 1e-15);
  const State state = system.initial_state();
  const double angle = coordinates(*marked_joint(model, ConstraintId{0}), system.body_state(state, post),
                                   system.body_state(state, arm))
                           .angle;
  CHECK(std::abs(dot(vector(0, "side"), vector(1, "side")) - std::cos(angle)) < 1e-15);
  CHECK(std::abs(dot(vector(0, "axis"), cross(vector(0, "side"), vector(1, "side"))) - std::sin(angle)) <
        1e-15);
  CHECK(hinge["frames"][1]["point"] == nlohmann::json{1.0, 2.0, 0.5});
}

}  // namespace page_scene_tests
