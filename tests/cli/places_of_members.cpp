// What a model file says of its run is refused by file, line and key; what the command line says by its option.
#include <catena/cli/cli.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

namespace places_of_members_tests {

using namespace catena;
using catena_test::Answer;
using catena_test::ask;

namespace {

const std::string model = R"(bodies:
  - {name: link, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  - {name: hip, type: revolute, bodies: [ground, link], at: [0, 0, 0], axis: [0, 1, 0]}
run: {step: 0.01, end: 0.02, )";

// What is said of a run of that model with more in its section run.
std::string said(const std::string& more, const std::vector<std::string>& options = {}) {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "m.yaml").string();
  std::ofstream(file) << model << more << "}\n";
  std::vector<std::string> arguments{"run", file};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Answer answer = ask(arguments);
  CHECK(answer.code == exit_bad_input);
  CHECK(answer.out.empty());
  std::string text = answer.err;
  if (const std::size_t at = text.find(file); at != std::string::npos)
    text.replace(at, file.size(), "m.yaml");
  return text;
}

}  // namespace

TEST_CASE("members of a run that a model file gives are refused with file, line and key") {
  const std::string place = "catena: m.yaml:5:";
  CHECK(said("record: enrgy").starts_with(place + "38: record enrgy: "));
  CHECK(said("record: 'reactions:hp'")
            .starts_with(
                place +
                "38: record reactions:hp: \"reactions/force\" has no side \"hp\": did you mean \"hip\"?"));
  CHECK(said("reactions: norm").starts_with(place + "41: reactions norm: "));
  CHECK(said("multipliers: best").starts_with(place + "43: multipliers best: "));
  CHECK(said("gaps: never")
            .starts_with(place + "36: gaps never: no choice \"never\"; there are failure, remark"));
  CHECK(said("precision: float16")
            .starts_with(place + "41: precision float16: no precision \"float16\": did you mean"));
}

TEST_CASE("what the command line gives in place of it is refused by its option") {
  CHECK(said("record: energy", {"--record", "enrgy"}).starts_with("catena: --record enrgy: "));
  CHECK(said("record: energy", {"--record", "reactions:free"}) ==
        "catena: --record reactions:free: \"reactions/force\" has no side \"free\"; there are hip\n");
}

}  // namespace places_of_members_tests
