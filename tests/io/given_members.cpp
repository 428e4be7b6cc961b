// Members of bodies, joints and forces that are given by their paths in place of those of a model file.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/io/parts/yaml_models.hpp>

#include "io/support_models.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

const char* const pendulum = R"(parameters: {m: 2 kg}
gravity: [0, 0, -9.81]
bodies:
  - {name: rod, mass: $m, inertia: [1, 1, 0.5], position: [0, 0, -0.5]}
  - {mass: 3, inertia: [1, 1, 1], position: [0, 0, -1]}
joints:
  - {type: revolute, name: hip, bodies: [ground, rod], point_b: [0, 0, 0.5], axis_a: [0, 1, 0], axis_b: [0, 1, 0]}
  - {type: weld, bodies: [rod, body 1], point_a: [0, 0, -0.5]}
forces:
  - {type: spring_damper, bodies: [ground, rod], point_a: [1, 0, 0], stiffness: 5}
)";

const char* const links = R"(repeat:
  count: 3
  body: {name: "link {i}", mass: 1, inertia: [1, 1, 1], position: [0, 0, -0.5]}
  joint: {type: spherical, name: "ball {i}", point_a: [0, 0, -0.5], point_b: [0, 0, 0.5]}
  first: {type: spherical, name: top, point_b: [0, 0, 0.5]}
  force: {type: spring_damper, name: "s {i}", point_a: [1, 0, 0], point_b: [1, 0, 0], stiffness: 10}
)";

ModelFile read_given(const std::string& text, const Settings& given) {
  return read_model_file(
      "main.yaml", catena_test::builtin_types(), [&](const std::string&) { return text; }, {}, {}, given);
}

// The model in the words of a file that has the values written in it.
std::string words(const ModelFile& file) { return write_model(file.model, catena_test::builtin_types()); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// Two pairs of texts in braces would be two texts, each from its begin to its end.
Settings both(const char* key, const char* value, const char* other_key, const char* other_value) {
  Settings two;
  two[key] = value;
  two[other_key] = other_value;
  return two;
}

std::string refusal(const std::string& text, const Settings& given) {
  try {
    read_given(text, given);
    return "none";
  } catch (const FileError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a member that is given by its path counts as though it were written in the file") {
  const auto same = [](const Settings& given, const std::string& from, const std::string& to) {
    CAPTURE(to);
    CHECK(words(read_given(pendulum, given)) == words(read_given(replaced(pendulum, from, to), {})));
    CHECK(words(read_given(pendulum, given)) != words(read_given(pendulum, {})));
  };
  same({{"bodies.rod.mass", "500 g"}}, "parameters: {m: 2 kg}", "parameters: {m: 500 g}");
  same({{"bodies.0.inertia", "[2, 2, 1]"}}, "[1, 1, 0.5]", "[2, 2, 1]");
  same({{"bodies.rod.inertia.z", "0.7"}}, "[1, 1, 0.5]", "[1, 1, 0.7]");
  same({{"bodies.rod.inertia.0", "0.7"}}, "[1, 1, 0.5]", "[0.7, 1, 0.5]");
  same({{"bodies.body 1.mass", "4"}}, "mass: 3", "mass: 4");
  same({{"bodies.1.velocity", "[0, 1, 0]"}}, "mass: 3,", "mass: 3, velocity: [0, 1, 0],");
  same({{"joints.hip.name", "knee"}}, "name: hip", "name: knee");
  same({{"joints.1.name", "foot"}}, "type: weld", "type: weld, name: foot");
  same({{"forces.0.stiffness", "7 N/m"}}, "stiffness: 5", "stiffness: 7");
  same({{"forces.0.damping", "2"}}, "stiffness: 5", "stiffness: 5, damping: 2");
  same({{"gravity", "[0, 1, 0]"}}, "[0, 0, -9.81]", "[0, 1, 0]");
  same({{"gravity.z", "-1.62 m/s^2"}}, "[0, 0, -9.81]", "[0, 0, -1.62]");
  same({{"bodies.rod.mass", "$m"}, {"m", "3"}}, "{m: 2 kg}", "{m: 3}");
}

TEST_CASE("of a repetition one body or element is given by its name or number, all of them by the pattern") {
  const ModelFile one = read_given(
      links, {{"bodies.link 2.mass", "5"}, {"joints.1.name", "knee"}, {"forces.s 3.stiffness", "20"}});
  CHECK(one.model.body(BodyId{0}).mass == 1.0);
  CHECK(one.model.body(BodyId{1}).mass == 5.0);
  CHECK(one.model.body(BodyId{2}).mass == 1.0);
  CHECK(one.model.body(BodyId{2}).position[2] == -2.5);
  const std::string text = words(one);
  CHECK(text.find("stiffness: 20") > text.find("s 2"));
  const ModelFile all = read_given(links, {{"bodies.link {i}.mass", "5"}, {"forces.s {i}.stiffness", "20"}});
  for (const Body& body : all.model.bodies()) CHECK(body.mass == 5.0);
  CHECK(words(all).find("stiffness: 10") == std::string::npos);
  CHECK(
      refusal(links, {{"bodies.link 2.position", "[1, 0, 0]"}})
          .find("a body of a repetition has its own mass, inertia, solid, shape, motion, normal and fixed") !=
      std::string::npos);
}

TEST_CASE("a path that leads nowhere is refused with what is there, a wrong value with its path") {
  const auto says = [](const Settings& given, const std::string& what) {
    const std::string why = refusal(pendulum, given);
    CAPTURE(why);
    CHECK(why.find(what) != std::string::npos);
  };
  says({{"bodies.rood.mass", "2"}},
       "main.yaml: --set bodies.rood.mass=2: there is no body \"rood\" (did you mean \"rod\"?); there are "
       "rod, body 1");
  says({{"joints.knee.name", "a"}}, "there is no joint \"knee\"; there are hip, weld 0");
  says({{"forces.9.stiffness", "1"}}, "there is no force \"9\"; there are spring_damper 0");
  says({{"body.rod.mass", "2"}}, "no section \"body\"; there are bodies, joints, forces, gravity");
  says({{"bodies.rod", "2"}}, "write the member behind the name: bodies.rod.mass say");
  says({{"bodies.rod.mas", "2"}},
       "main.yaml:4:5: body \"rod\": unknown key \"mas\" (did you mean \"mass\"?) (by --set "
       "bodies.rod.mas=2)");
  says(both("gravity", "[0, -5, 0]", "gravity.y", "-1"),
       "--set gravity.y=-1: --set gravity=[0, -5, 0] sets it too: leave one of them out");
  says(both("bodies.0.mass", "2", "bodies.rod.mass", "3"),
       "--set bodies.rod.mass=3: --set bodies.0.mass=2 sets it too: leave one of them out");
  says(both("bodies.rod.inertia.z", "2", "bodies.rod.inertia.2", "3"), "sets it too: leave one of them out");
  says({{"bodies.rod.mass", "-2"}}, "mass must be positive, is -2 (by --set bodies.rod.mass=-2)");
  says({{"bodies.rod.mass", "2 m"}}, "(by --set bodies.rod.mass=2 m)");
  says({{"bodies.rod.mass.x", "2"}}, "\"$m\" has no part \"x\"");
  says({{"bodies.rod.position.q", "2"}},
       "a list of 3 has no part \"q\": they are x, y, z, or numbers from 0");
  says({{"bodies.rod.velocity.x", "2"}}, "the file gives no velocity to change a part of: give all of it");
  says({{"gravity.z", "2 kg"}}, "(by --set gravity.z=2 kg)");
  says({{"bodies.rod.position", "[0, 0"}}, "--set bodies.rod.position=[0, 0");
}

TEST_CASE("a path that is a name and a number of two bodies is refused") {
  const char* const two =
      "bodies:\n  - {name: 1, mass: 1, inertia: [1, 1, 1]}\n"
      "  - {name: b, mass: 1, inertia: [1, 1, 1]}\n";
  CHECK(refusal(two, {{"bodies.1.mass", "2"}}) ==
        "main.yaml: --set bodies.1.mass=2: a name and a number are the same here: two of the bodies have "
        "this path");
  CHECK(read_given(two, {{"bodies.b.mass", "2"}}).model.body(BodyId{1}).mass == 2.0);
}

TEST_CASE("a run knows its given members: in the parameters of its record, its key and its failure") {
  const catena_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "pendulum.yaml").string();
  std::ofstream(path) << pendulum;
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  Scenario scenario{.problem = path, .step = 1e-3, .end = 1e-2};
  const Record standard = run(scenario, catalog);
  const Record heavy = run(scenario.set("bodies.1.mass", "5 kg"), catalog);
  CHECK(heavy.key != standard.key);
  CHECK(heavy.scenario.parameters.at("bodies.1.mass") == "5 kg");
  CHECK(heavy.state.q != standard.state.q);
  CHECK(run(heavy.scenario, catalog).key == heavy.key);
  CHECK(try_run(scenario.set("bodies.7.mass", "5 kg"), catalog).report.error.find("there is no body \"7\"") !=
        std::string::npos);
}
