// The sections assemble and initial of model files.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/joint_values.hpp>

#include "io/support_models.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

using namespace catena;
using catena_test::complaints;
using catena_test::read_text;
using catena_test::read_texts;
using catena_test::relative;

namespace {

// A crank on a shaft, a block on a rail along x through (1, 0, 0), a rod between them; all by eye.
const std::string linkage = R"(
bodies:
  - {name: crank, solid: {box: [0.5, 0.02, 0.02], density: 1000}, position: [0.2, 0.2, 0], orientation: {axis: [0, 0, 1], angle: 50 deg}}
  - {name: rod, solid: {box: [1.3, 0.02, 0.02], density: 1000}, position: [1, 0.2, 0.01], orientation: {axis: [0, 0, 1], angle: -20 deg}}
  - {name: block, solid: {box: [0.2, 0.2, 0.2], density: 1000}, position: [1.5, 0.1, 0]}
joints:
  - {type: revolute, name: shaft, bodies: [ground, crank], point_b: [-0.25, 0, 0]}
  - {type: revolute, name: elbow, bodies: [crank, rod], point_a: [0.25, 0, 0], point_b: [-0.65, 0, 0]}
  - {type: spherical, name: pin, bodies: [rod, block], point_a: [0.65, 0, 0]}
  - {type: prismatic, name: rail, bodies: [ground, block], point_a: [1, 0, 0], axis_a: [1, 0, 0], axis_b: [1, 0, 0]}
)";

JointCoordinates start_of(const ModelFile& file, const char* joint) {
  const MultibodySystem system(file.model);
  return coordinate(system, system.initial_state(), file.model.find_joint(joint));
}

bool stays(const ModelFile& file, const char* body, const Vec3& position) {
  const Vec3 now = file.model.body(file.model.find_body(body)).position;
  return now[0] == position[0] && now[1] == position[1] && now[2] == position[2];
}

}  // namespace

TEST_CASE("assemble moves bodies onto their joints; project is its older name") {
  const ModelFile file = read_text("assemble: true\n" + linkage),
                  old = read_text("project: true\n" + linkage);
  CHECK(file.assembled);
  CHECK(file.assembly.status == Status::ok);
  CHECK(file.assembly.moves.size() == 3);
  CHECK_NOTHROW(file.model.check_initial_positions(1e-11));
  CHECK(catena_test::bits_of(file.model) == catena_test::bits_of(old.model));
  const ModelFile off = read_text("assemble: false\nbodies: [{mass: 1, inertia: [1, 1, 1]}]\n");
  CHECK(!off.assembled);
}

TEST_CASE("assemble: bodies that are pinned stay, and weights say who moves") {
  const Vec3 place{{1.5, 0.0, 0.0}};
  const std::string on_rail = [&] {
    std::string text = linkage;
    const std::string off = "[1.5, 0.1, 0]";
    return text.replace(text.find(off), off.size(), "[1.5, 0, 0]");
  }();
  const ModelFile pinned = read_text("assemble: {pin: block}\n" + on_rail);
  CHECK(stays(pinned, "block", place));
  CHECK_NOTHROW(pinned.model.check_initial_positions(1e-11));
  CHECK(!stays(read_text("assemble: {pin: []}\n" + on_rail), "block", place));
  const ModelFile heavy = read_text("assemble: {weights: {block: 1e8}}\n" + on_rail);
  CHECK(!stays(heavy, "block", place));
  CHECK(norm(heavy.model.body(heavy.model.find_body("block")).position - place) < 1e-6);
}

TEST_CASE("initial: coordinates and speeds with their units, by the joint's name") {
  const double degree = std::numbers::pi / 180.0;
  const ModelFile turned = read_text("initial: {shaft: {angle: 30 deg, speed: 60 rpm}}\n" + linkage);
  CHECK(turned.assembled);
  CHECK(start_of(turned, "shaft").angle == relative(30.0 * degree, 1e-12));
  CHECK(start_of(turned, "shaft").angle_rate == relative(2.0 * std::numbers::pi, 1e-12));
  CHECK_NOTHROW(turned.model.check_initial_positions(1e-11));
  const ModelFile slid = read_text("initial: {rail: {displacement: 60 cm, speed: 2}}\n" + linkage);
  CHECK(start_of(slid, "rail").displacement == relative(0.6, 1e-12));
  CHECK(start_of(slid, "rail").displacement_rate == relative(2.0, 1e-12));
  // A speed alone: of the coordinate that its unit measures, or that the joint leaves free.
  CHECK(start_of(read_text("initial: {rail: {speed: 3}}\n" + linkage), "rail").displacement_rate ==
        relative(3.0, 1e-12));
  CHECK(start_of(read_text("initial: {shaft: {speed: 3}}\n" + linkage), "shaft").angle_rate ==
        relative(3.0, 1e-12));
  const std::string tube = R"(
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{type: cylindrical, name: tube, bodies: [ground, a]}]
)";
  const ModelFile both = read_text("initial: {tube: {angle: 0.5, displacement: 0.2, speed: 4 m/s}}\n" + tube);
  CHECK(start_of(both, "tube").angle == relative(0.5, 1e-12));
  CHECK(start_of(both, "tube").displacement == relative(0.2, 1e-12));
  CHECK(start_of(both, "tube").displacement_rate == relative(4.0, 1e-12));
  CHECK(std::abs(start_of(both, "tube").angle_rate) < 1e-14);
}

TEST_CASE("initial: a joint of the including file replaces that of the included one") {
  const ModelFile file =
      read_texts({{"main.yaml", "include: part.yaml\ninitial: {shaft: {angle: 0.9}}\n"},
                  {"part.yaml", "initial: {shaft: {angle: 0.2}, elbow: {speed: 1}}\n" + linkage}});
  CHECK(start_of(file, "shaft").angle == relative(0.9, 1e-12));
  CHECK(start_of(file, "elbow").angle_rate == relative(1.0, 1e-12));
}

TEST_CASE("assemble and initial: what cannot be is refused at its place") {
  const struct {
    const char* section;
    const char* complaint;
  } cases[] = {
      {"assemble: {pin: crnk}",
       "main.yaml:1:17: assemble: there is no body \"crnk\" (did you mean \"crank\"?)"},
      {"assemble: {pin: ground}", "main.yaml:1:17: assemble: pin: the ground does not move"},
      {"assemble: {weights: {rod: 0}}", "main.yaml:1:27: assemble: weights must be positive, is 0"},
      {"assemble: {weights: 3}",
       "main.yaml:1:21: assemble: weights: a map of bodies and numbers belongs here, not \"3\""},
      {"assemble: {wieghts: {rod: 2}}",
       "main.yaml:1:12: assemble: unknown key \"wieghts\" (did you mean \"weights\"?)"},
      {"assemble: [crank]", "main.yaml:1:11: assemble: true, false or a map belongs here, not a list of 1"},
      {"initial: {shaft: {angle: 1 m}}",
       "main.yaml:1:26: initial: \"shaft\": angle: needs the unit rad, has \"m\""},
      {"initial: {shaft: {displacement: 1}}",
       "main.yaml:1:33: initial: \"shaft\": joint \"shaft\" (revolute) holds its displacement itself"},
      {"initial: {shaft: {}}",
       "main.yaml:1:11: initial: \"shaft\": angle, displacement or speed belongs here"},
      {"initial: {shaft: 3}",
       "main.yaml:1:18: initial: \"shaft\": a map of keys and values belongs here, not \"3\""},
      {"initial: [shaft]", "main.yaml:1:10: initial: a map of joints belongs here, not a list of 1"},
      {"initial: {shaft: {angle: 1}, shaft: {angle: 2}}",
       "main.yaml:1:30: initial: the key \"shaft\" is given twice"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.section);
    CHECK(complaints(c.section + ("\n" + linkage)) == c.complaint);
  }
  CHECK(complaints("initial: {shft: {angle: 1}}\n" + linkage).find("did you mean \"shaft\"?") !=
        std::string::npos);
  CHECK(complaints("assemble: true\nproject: true\n" + linkage) ==
        "main.yaml:2:10: project: an older name of assemble, which is given as well");
  CHECK(complaints("assemble: false\ninitial: {shaft: {angle: 1}}\n" + linkage) ==
        "main.yaml:2:10: initial: these coordinates need an assembly, and assemble: false forbids it");
}

TEST_CASE("initial: coordinates that contradict one another are named, each at its place") {
  const std::string said =
      complaints("initial: {shaft: {angle: 90 deg}, rail: {displacement: 2}}\n" + linkage);
  CAPTURE(said);
  for (const char* part :
       {"main.yaml:1:10: initial: no positions were found that satisfy ",
        "angle of joint \"shaft\" (revolute)", "displacement of joint \"rail\" (prismatic)", " together\n",
        "main.yaml:1:26: angle of joint", "main.yaml:1:56: displacement of joint",
        " at the nearest positions"})
    CHECK(said.find(part) != std::string::npos);
  const std::string faster =
      complaints("initial: {shaft: {angle: 90 deg, speed: 1}, elbow: {speed: -9}}\n" + linkage);
  CAPTURE(faster);
  CHECK(faster.find("no velocities were found that satisfy ") != std::string::npos);
  CHECK(faster.find(" rad/s at the nearest velocities") != std::string::npos);
}
