// What `catena equilibrium`, `linearize` and `modes` say in words, and which numbers they take.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace linear_text_tests {

using catena_test::Answer;
using catena_test::ask;
using Json = nlohmann::json;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string model(const catena_test::TemporaryFolder& folder, const std::string& text) {
  const std::string file = (folder.path() / "model.yaml").string();
  std::ofstream(file) << text;
  return file;
}

// An arm of 1 kg on a level hinge through the origin, its centre 0.5 m from it.
std::string arm(const std::string& position, const std::string& more) {
  return "gravity: [0, 0, -9.81]\n"
         "bodies:\n"
         "  - {name: arm, mass: 1, inertia: [0.01, 0.1, 0.1], position: " +
         position +
         "}\n"
         "joints:\n"
         "  - {type: revolute, name: hinge, bodies: [ground, arm], at: [0, 0, 0], axis: y}\n" +
         more;
}

TEST_CASE("numbers of modes, linearize and equilibrium are read as those of all options") {
  const std::vector<std::vector<std::string>> wrong = {
      {"modes", "--shift", "nan", "\"nan\" is not a number"},
      {"modes", "--shift", "1e400", "\"1e400\" is not a number"},
      {"modes", "--steady", "inf", "\"inf\" is not a number"},
      {"modes", "--steady", "0x10", "\"0x10\" is not a number"},
      {"linearize", "--steady", "0", "0 is out of range above 0"},
      {"linearize", "--steady", "1e-6s", "\"1e-6s\" is not a number"},
      {"modes", "--count", "0x10", "\"0x10\" is not a whole number"},
      {"modes", "--count", "1e1", "\"1e1\" is not a whole number"},
      {"modes", "--count", "0", "0 is out of range at least 1"}};
  for (const std::vector<std::string>& w : wrong) {
    const Answer a = ask({w[0], "heavy_top", w[1], w[2]});
    CHECK(a.code == 2);
    CHECK(a.err == "catena: " + w[1] + ' ' + w[2] + ": " + w[3] + '\n');
  }
  const Answer all = ask({"modes", "heavy_top", "--shift", "x", "--count", "-1", "--set", "no=1"});
  CHECK(all.code == 2);
  CHECK(says(all.err, "--shift x"));
  CHECK(says(all.err, "--count -1"));
  CHECK(says(all.err, "--set no=1"));
  // The one other number that the grammar of the command line read by itself.
  CHECK(ask({"compare", "heavy_top", "--repeat", "0x2"}).err ==
        "catena: --repeat 0x2: this is a whole number from 1\n");
}

TEST_CASE("files that cannot be written are refused before the work") {
  const catena_test::TemporaryFolder folder;
  const std::string none = (folder.path() / "none" / "file").string();
  for (const char* command : {"modes", "linearize", "equilibrium"}) {
    const Answer a = ask({command, "heavy_top", "--json", none});
    CHECK(a.code == 3);
    CHECK(says(a.err, "there is no folder"));
  }
  CHECK(ask({"equilibrium", "heavy_top", "--output", none}).code == 3);
  CHECK(ask({"equilibrium", "rotary_pendulum", "--output", (folder.path() / "file").string()}).code == 2);
}

TEST_CASE("the equilibrium is recommended to what falls, and to nothing else") {
  const catena_test::TemporaryFolder folder;
  const Answer falls = ask({"modes", model(folder, arm("[0.5, 0, 0]", ""))});
  CHECK(falls.code == 1);
  CHECK(says(falls.out, "--equilibrium, or catena equilibrium, looks for a place where it rests\n"));
  // At rest at t = 0, and not later, wherever it is.
  const Answer later = ask(
      {"modes",
       model(folder, arm("[0, 0, -0.5]",
                         "forces:\n  - {type: varying_torque, name: wave, bodies: arm, torque: [0, 1, 0], "
                         "factor: {type: sine, frequency: 0.3, amplitude: 1}}\n"))});
  CHECK(later.code == 1);
  CHECK(says(later.out, "depends on time"));
  CHECK_FALSE(says(later.out, "--equilibrium"));
}

TEST_CASE("dry friction, which holds nothing at rest, is named") {
  const catena_test::TemporaryFolder folder;
  // 20 N m would hold the weight of 4.905 N m.
  const std::string file = model(
      folder,
      arm("[0.5, 0, 0]", "forces:\n  - {type: joint_force, name: brake, joint: hinge, friction: 20}\n"));
  const std::string remark = "remark: dry friction of force \"brake\" (joint_force) holds nothing at rest: ";
  const Answer falls = ask({"modes", file});
  CHECK(falls.code == 1);
  CHECK(says(falls.out, remark));
  const Answer sinks = ask({"equilibrium", file, "--json", "-"});
  CHECK(sinks.code == 0);
  CHECK(says(sinks.err, remark));
  const Json json = Json::parse(sinks.out);
  CHECK(json["remarks"].size() == 1);
  CHECK(std::abs(json["equilibrium"]["moves"][0]["turn"].get<double>() - std::acos(0.0)) < 1e-9);
  // Without dry friction nothing is said.
  CHECK_FALSE(says(ask({"equilibrium", model(folder, arm("[0, 0, -0.5]",
                                                         "forces:\n  - {type: joint_force, joint: hinge, "
                                                         "damping: 20}\n"))})
                       .out,
                   "remark"));
}

TEST_CASE("an equilibrium says by how much each body has moved, in metres, and turned, in radians") {
  const catena_test::TemporaryFolder folder;
  // From its side to below the hinge: a quarter of a turn at 0.5 m.
  const Answer rest = ask({"equilibrium", model(folder, arm("[0.5, 0, 0]", ""))});
  CHECK(rest.code == 0);
  CHECK(says(rest.out, "moved       body \"arm\" by 0.707107 m and 1.5708 rad\n"));
}

TEST_CASE("sentences have no roundoff and say what is left out") {
  const catena_test::TemporaryFolder folder;
  // Both components of the reaction but one are roundoff of the weight.
  const Answer rest = ask({"equilibrium", model(folder, arm("[0.3, 0, -0.4]", ""))});
  CHECK(rest.code == 0);
  CHECK(says(rest.out, "on body \"arm\": (0, 0, 9.81) N, (0, 0, 0) N m\n"));

  // A motion that meets a damper and no stiffness.
  const Answer slides = ask({"modes", model(folder,
                                            "bodies:\n  - {name: cart, mass: 2, inertia: [1, 1, 1]}\n"
                                            "joints:\n  - {type: prismatic, name: rail, bodies: [ground, "
                                            "cart], at: [0, 0, 0], axis: x}\n"
                                            "forces:\n  - {type: joint_force, joint: rail, coordinate: "
                                            "displacement, damping: 3}\n")});
  CHECK(slides.code == 0);
  CHECK(says(slides.out, "free        body \"cart\" can move along (1, 0, 0) without stiffness\n"));
  CHECK(says(slides.out, "zeros       1 eigenvalue vanishes\n"));
  CHECK(says(slides.out, "    1               -1.5                  0                0          1\n"));

  const Answer six =
      ask({"modes",
           model(folder,
                 "bodies:\n  - {name: a, mass: 1, motion: point}\n"
                 "  - {name: b, mass: 1, motion: point}\n"
                 "forces:\n  - {type: bushing, bodies: [ground, a], stiffness: [1, 4, 9, 0, 0, 0]}\n"
                 "  - {type: bushing, bodies: [ground, b], stiffness: [1, 4, 9, 0, 0, 0]}\n"),
           "--count", "2"});
  CHECK(six.code == 0);
  CHECK(says(six.out, "            the slowest 2; --count N lists more\n"));

  std::string twelve = "bodies:\n";
  for (int k = 0; k < 12; ++k) twelve += "  - {name: p" + std::to_string(k) + ", mass: 1, motion: point}\n";
  const Answer drifts = ask({"modes", model(folder, twelve)});
  CHECK(says(drifts.out, "zeros       72 eigenvalues vanish\n"));
  CHECK(says(drifts.out, "free        26 more in the JSON\n"));

  const Answer held =
      ask({"modes", model(folder, arm("[0, 0, -0.5]", "  - {type: drive, joint: hinge, target: 0}\n"))});
  CHECK_FALSE(says(held.out, "neutral"));

  const Answer flies = ask(
      {"modes", model(folder, "bodies:\n  - {name: a, mass: 1, inertia: [1, 2, 3], velocity: [1, 0, 0]}\n")});
  CHECK(says(flies.out, "about       a steady motion in a frame that does not turn; "));
}

}  // namespace linear_text_tests
