// Everything that comes with the library runs at its defaults without a remark.
#include "support/ask.hpp"
#include "support/source_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

using catena_test::Answer;
using catena_test::ask;
using Json = nlohmann::json;

namespace {

// Loops of hinges in a plane, and Bricard's: their rows are redundant, which is said before the run.
constexpr std::array loops{"four_bar", "n_four_bar", "slider_crank", "andrews", "bricard"};

void check_without_remark(const std::string& subject) {
  CAPTURE(subject);
  std::vector<std::string> arguments{"run", subject, "--json", "-"};
#ifdef CATENA_FEW_CASES  // the beginning alone, where every step takes ten times as long
  arguments.insert(arguments.end(), {"--end", "0.2"});
#endif
  const Answer answer = ask(arguments);
  REQUIRE_MESSAGE(answer.code == catena::exit_ok, answer.err);
  const Json report = Json::parse(answer.out);
  CHECK(report["status"] == "ok");
  CHECK(report["verdict"] == "ok");
  const std::string name = std::filesystem::path(subject).stem().string();
  const bool loop = std::find(loops.begin(), loops.end(), name) != loops.end();
  for (const Json& remark : report["remarks"])
    CHECK_MESSAGE((loop && remark["key"] == "redundant_rows"), remark.dump());
}

}  // namespace

TEST_CASE("every problem of the library ends well at its defaults, and nothing is to be said against it") {
  const catena::Catalog catalog = catena::builtin();
  CHECK(catalog.problems().size() >= 15);
  for (const catena::ProblemEntry& entry : catalog.problems()) check_without_remark(entry.name);
}

TEST_CASE("so does every model file of the library") {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(catena_test::source_folder() / "problems" / "files")) {
    ++files;
    check_without_remark(file.path().string());
  }
  CHECK(files >= 15);
}
