// catena scale: steppers that choose their steps, sizes that are none, and steppers that are there twice.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::file_text;
using catena_test::TemporaryFolder;

TEST_CASE("a scaling study says of which steppers the steps are those asked for") {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  const auto scale = [](const std::string& steppers, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"scale",  "helix_chain", "--bodies", "3",        "--steppers",
                                   steppers, "--steps",     "10",       "--repeat", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return catena_test::ask(words);
  };
  const Answer both = scale("dormand_prince,generalized_alpha", {"--output", out.string()});
  CHECK(both.code == exit_ok);
  CHECK(
      both.out.starts_with("helix_chain by n: runs of 0.01 s, 10 steps of 0.001 s where the stepper does not "
                           "choose them, least time of 1 run; "));
  CHECK(both.out.find("dormand_prince, ldl, 1 thread, steps chosen by the stepper\n") != std::string::npos);
  CHECK(both.out.find("\ngeneralized_alpha, ldl, 1 thread\n") != std::string::npos);
  const std::size_t column = both.out.find("memory    steps\n");
  CHECK(column != std::string::npos);
  CHECK(both.out.find("memory    steps\n", column + 1) == std::string::npos);  // of dormand_prince alone
  const nlohmann::json json = nlohmann::json::parse(file_text(out / "scale.json"));
  CHECK(json.at("series").at(0).at("chooses_step") == true);
  CHECK(json.at("series").at(1).at("chooses_step") == false);
  CHECK(file_text(out / "scale_time.gp").find("time of a step in runs of 0.01 s") != std::string::npos);
  CHECK(scale("generalized_alpha:tolerance=1")
            .out.starts_with("helix_chain by n: runs of 0.01 s, least time "));
  CHECK(
      scale("dormand_prince:control=fixed").out.starts_with("helix_chain by n: 10 steps of 0.001 s, least "));
}

TEST_CASE("a parameter that changes no number of bodies has no exponents, and the reason is said") {
  const Answer a = catena_test::ask(
      {"scale", "heavy_top", "--by", "spin", "--bodies", "5,50,150", "--steps", "2", "--repeat", "1"});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("  No exponents: spin does not change the number of bodies, which is 1.\n") !=
        std::string::npos);
}

TEST_CASE("a stepper that is there twice is refused by a scaling study") {
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "3", "--steppers",
                                     "hht:alpha=0.1,generalized_alpha,hht:alpha=0.1"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err == "catena: --steppers: hht alpha=0.1 is there twice\n");
}
