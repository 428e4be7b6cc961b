// problems/joints: a small mechanism for each type of joint, which moves, and loads the joint.
#include <catena/builtin/builtin.hpp>

#include "support/ask.hpp"
#include "support/source_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

namespace joint_files_tests {

namespace {

using JointJson = nlohmann::json;
const std::filesystem::path joint_folder = catena_test::source_folder() / "problems/joints";

JointJson joint_report(const std::filesystem::path& file, const std::string& end) {
  const catena_test::Answer answer =
      catena_test::ask({"run", file.string(), "--end", end, "--strict", "--json", "-"});
  REQUIRE_MESSAGE(answer.code == catena::exit_ok, answer.err);
  return JointJson::parse(answer.out);
}

}  // namespace

TEST_CASE(
    "every type of joint has a file of its name that runs without a remark, moves and loads the joint") {
  const catena::ElementTypes types = catena::builtin().element_types();
  int joints = 0;
  for (const catena::ElementType& type : types) {
    if (!type.constraint) continue;
    CAPTURE(type.name);
    ++joints;
    const std::filesystem::path file = joint_folder / (type.name + ".yaml");
    REQUIRE(std::filesystem::exists(file));
    const JointJson report = joint_report(file, "0.25");
    const JointJson start = joint_report(file, "0.125");
    double way = 0.0;
    for (std::size_t body = 0; body < report["quaternions"].size(); ++body) {
      for (std::size_t i = 0; i < 3; ++i)
        way = std::max(way, std::abs(report["positions"][body][i].get<double>() -
                                     start["positions"][body][i].get<double>()));
      for (std::size_t i = 0; i < 4; ++i)
        way = std::max(way, std::abs(report["quaternions"][body][i].get<double>() -
                                     start["quaternions"][body][i].get<double>()));
    }
    CHECK(way > 1e-2);
    double load = 0.0;
    for (const JointJson& joint : report["constraints"])
      if (joint["name"].get<std::string>().ends_with('(' + type.name + ')'))
        for (std::size_t row = 0; row < joint["rows"]; ++row)
          load = std::max(
              load, std::abs(report["multipliers"][joint["first"].get<std::size_t>() + row].get<double>()));
    CHECK(load > 1e-3);
  }
  CHECK(joints == std::distance(std::filesystem::directory_iterator(joint_folder),
                                std::filesystem::directory_iterator{}));
}

}  // namespace joint_files_tests
