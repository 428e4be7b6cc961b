// `catena equilibrium`, `linearize`, `modes`: what they print, write and refuse.
#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace linear_analysis_tests {

namespace {

using catena_test::Answer;
using catena_test::ask;
using LinearJson = nlohmann::json;

TEST_CASE("equilibrium writes a model at rest, whose modes are those of the pendulum that it is") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "hung.yaml", rest = folder.path() / "rest.yaml",
                              modes = folder.path() / "modes";
  std::ofstream(file) << "gravity: [0, 0, -9.81]\n"
                         "bodies:\n"
                         "  - {name: rod, mass: 2, inertia: [0.2, 0.2, 0.01], position: [0.6, 0, -0.8]}\n"
                         "joints:\n"
                         "  - {type: revolute, name: hinge, bodies: [ground, rod], point_b: [-0.6, 0, 0.8], "
                         "axis_a: [0, 1, 0], axis_b: [0, 1, 0]}\n";
  const Answer fallen = ask({"modes", file.string()});
  CHECK(fallen.code == 1);
  CHECK(fallen.out.find("body \"rod\": accelerates from rest") != std::string::npos);
  CHECK(fallen.out.find("--equilibrium") != std::string::npos);

  const Answer found = ask({"equilibrium", file.string(), "--output", rest.string(), "--json", "-"});
  REQUIRE(found.code == 0);
  const LinearJson json = LinearJson::parse(found.out);
  CHECK(json["status"] == "ok");
  CHECK(std::abs(json["equilibrium"]["moves"][0]["turn"].get<double>() - std::atan2(0.6, 0.8)) < 1e-12);
  CHECK(std::abs(json["equilibrium"]["reactions"][0]["force"][2].get<double>() - 2.0 * 9.81) < 1e-12);
  CHECK(json["modes"]["stability"] == "neutral");

  const Answer swing = ask({"modes", rest.string(), "--output", modes.string(), "--json", "-"});
  REQUIRE(swing.code == 0);
  const LinearJson table = LinearJson::parse(swing.out)["modes"];
  REQUIRE(table["modes"].size() == 1);
  const double omega = std::sqrt(2.0 * 9.81 / (0.2 + 2.0));
  CHECK(std::abs(table["modes"][0]["eigenvalue"][1].get<double>() - omega) < 1e-12);
  const std::string csv = catena_test::file_text(modes / "modes.csv");
  CHECK(csv.find("\"body \"\"rod\"\"\"") != std::string::npos);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 7);
  const std::string list = catena_test::file_text(modes / "mode_1" / "motion.pvd");
  CHECK(list.find("bodies_000024.vtu") != std::string::npos);
  CHECK(list.find("bodies_000025.vtu") == std::string::npos);

  // The same in one command.
  const Answer both = ask({"modes", file.string(), "--equilibrium", "--json", "-"});
  REQUIRE(both.code == 0);
  CHECK(std::abs(LinearJson::parse(both.out)["modes"]["modes"][0]["eigenvalue"][1].get<double>() - omega) <
        1e-12);

  const Answer space = ask({"linearize", rest.string(), "--json", "-"});
  REQUIRE(space.code == 0);
  const LinearJson A = LinearJson::parse(space.out)["state_space"];
  REQUIRE(A["size"] == 2);
  const auto a = A["matrix"].get<std::vector<double>>();
  CHECK(std::abs(a[0] + a[3]) < 1e-12);                                // the sum of the eigenvalues
  CHECK(std::abs(a[0] * a[3] - a[1] * a[2] - omega * omega) < 1e-11);  // and their product
  CHECK(A["basis"].size() == 2 * 12);
}

TEST_CASE("equilibrium writes no model whose counted turns a file cannot hold") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "wound.yaml", rest = folder.path() / "rest.yaml";
  std::ofstream(file) << "bodies: [{name: wheel, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
                         "joints: [{type: revolute, name: axle, bodies: [ground, wheel]}]\n"
                         "forces:\n"
                         "  - {type: torsion_spring, name: spring, bodies: [ground, wheel], stiffness: 1, "
                         "free_angle: 20}\n";
  CHECK(ask({"equilibrium", file.string()}).code == 0);
  const Answer refused = ask({"equilibrium", file.string(), "--output", rest.string()});
  CHECK(refused.code == 2);
  CHECK(refused.err.find(
            "at rest the angle of force \"spring\" (torsion_spring) has counted 20 rad, and a file, "
            "which holds poses, begins it at 1.15044 rad") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(rest));
}

TEST_CASE("equilibrium says which reactions redundant rows leave open") {
  const Answer found =
      ask({"equilibrium", (catena_test::source_folder() / "problems/files/four_bar.yaml").string(), "--json",
           "-"});
  REQUIRE(found.code == 0);
  const LinearJson reactions = LinearJson::parse(found.out)["equilibrium"]["reactions"];
  REQUIRE(reactions.size() == 4);
  for (const LinearJson& r : reactions) {
    const std::string joint = r["joint"];
    CAPTURE(joint);
    CHECK(r["open"] == (joint.find("revolute") != std::string::npos
                            ? "force z, torque x, y in the axes of the joint"
                            : "force z"));
  }
  CHECK(found.err.find("N m; open: force z, torque x, y in the axes of the joint\n") != std::string::npos);
}

TEST_CASE("a mechanism that a drive moves is not linearized, and the drive is named") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "driven.yaml";
  std::ofstream(file)
      << "bodies:\n"
         "  - {name: cart, mass: 2, inertia: [1, 1, 1]}\n"
         "  - {name: bob, mass: 1, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
         "joints:\n"
         "  - {type: prismatic, name: rail, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}\n"
         "  - {type: revolute, name: pin, bodies: [cart, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
         "  - {type: drive, name: shaker, joint: rail, coordinate: displacement, target: {type: "
         "sine, amplitude: 2 cm, frequency: 1.5 Hz}}\n";
  const Answer modes = ask({"modes", file.string(), "--equilibrium"});
  CHECK(modes.code == 1);
  CHECK(modes.out.find("joint \"shaker\" (drive): moves ") != std::string::npos);
  CHECK(ask({"equilibrium", file.string()})
            .out.find("stability   not known: joint \"shaker\" (drive): moves ") != std::string::npos);
}

TEST_CASE("what makes no sense is refused with exit code 2") {
  CHECK(ask({"modes", "heavy_top", "--count", "0"}).code == 2);
  CHECK(ask({"modes", "heavy_top", "--steady", "0"}).code == 2);
  CHECK(ask({"modes", "no_such_problem"}).code == 2);
  CHECK(ask({"modes", "no_such_file.yaml"}).code == 2);
  CHECK(ask({"equilibrium", "snakeboard", "--set", "no=1"}).code == 2);
}

TEST_CASE("the bicycle in its file has the eigenvalues of its source") {
  const std::string file = (catena_test::source_folder() / "problems/files/bicycle.yaml").string();
  const Answer rolling = ask({"modes", file, "--json", "-"});
  REQUIRE(rolling.code == 0);
  const LinearJson json = LinearJson::parse(rolling.out)["modes"];
  CHECK(json["stability"] == "neutral");
  CHECK(json["unstable"] == 0);
  CHECK(json["all"] == true);
  const double digits[][2] = {
      {-0.322866429004, 0.0}, {-0.775341882196, 4.464867713788}, {-14.078389692798, 0.0}};
  REQUIRE(json["modes"].size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t part = 0; part < 2; ++part)
      CHECK(std::abs(json["modes"][k]["eigenvalue"][part].get<double>() - digits[k][part]) < 1e-9);
  // Beyond the capsize speed.
  const Answer fast = ask({"modes", file, "--set", "spin=21", "--json", "-"});
  REQUIRE(fast.code == 0);
  CHECK(LinearJson::parse(fast.out)["modes"]["unstable"] == 1);
}

TEST_CASE("a steady turn of the rolling disc has modes, its wobble is no steady motion") {
  const Answer steady = ask({"modes", "rolling_disc", "--set", "motion=steady", "--json", "-"});
  REQUIRE(steady.code == 0);
  const LinearJson json = LinearJson::parse(steady.out);
  CHECK(std::abs(json["turning"][2].get<double>() - 1.5) < 1e-12);
  CHECK(json["at_rest"] == false);
  const Answer wobble = ask({"modes", "rolling_disc"});
  CHECK(wobble.code == 1);
  CHECK(wobble.out.find("not steady") != std::string::npos);
}

TEST_CASE("modes of what cannot move: exit code 1 and the reason") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "held.yaml";
  std::ofstream(file) << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                         "joints: [{type: weld, bodies: [ground, a], at: [0, 0, 0]}]\n";
  const Answer held = ask({"modes", file.string()});
  CHECK(held.code == 1);
  CHECK(held.out.find("nothing can move, so that there are no modes") != std::string::npos);
}

}  // namespace

}  // namespace linear_analysis_tests
