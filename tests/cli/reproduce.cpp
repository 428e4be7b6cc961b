// `catena reproduce`, with studies of a user's own.
#include <catena/cli/cli.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace catena;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

Catalog catalog() {
  Catalog c;
  c.add(StudyEntry{"good", "agrees with its source", [](StudyReport& report) {
                     report.title("Good", "a source");
                     report.compare(
                         "t", {{.what = "x", .source = 1.0, .measured = report.quick() ? 1.0 : 1.0001}});
                   }});
  c.add(StudyEntry{"bad", "does not", [](StudyReport& report) {
                     report.compare("t", {{.what = "x", .source = 1.0, .measured = 1.5}});
                   }});
  return c;
}

struct Answer {
  int code;
  std::string out, err;
};
Answer ask(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = cli(arguments, catalog(), Console{out, err});
  return {code, out.str(), err.str()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a study whose figures hold ends with 0, and --quick reaches it") {
  Answer a = ask({"reproduce", "good"});
  CHECK(a.code == exit_ok);
  CHECK(contains(a.out, "1.0001"));
  CHECK(contains(a.out, "agrees"));
  a = ask({"reproduce", "good", "--quick"});
  CHECK(a.code == exit_ok);
  CHECK_FALSE(contains(a.out, "1.0001"));
}

TEST_CASE("a figure that is not as expected ends with 1; all studies run") {
  Answer a = ask({"reproduce", "bad"});
  CHECK(a.code == exit_run_ended_early);
  CHECK(contains(a.out, "WRONG: t: x is 1.5, expected 1"));
  a = ask({"reproduce", "all"});
  CHECK(a.code == exit_run_ended_early);
  CHECK(contains(a.out, "2 figures and errors in all, 1 not as expected"));
}

TEST_CASE("an unknown study is refused with the nearest name") {
  const Answer a = ask({"reproduce", "god"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "good"));
  CHECK(a.out.empty());
}

TEST_CASE(
    "the report goes to a folder of the study's name; a folder that cannot be made is an error of output") {
  const TemporaryFolder folder;
  CHECK(ask({"reproduce", "good", "--output", folder.path().string()}).code == exit_ok);
  CHECK(contains(file_text(folder.path() / "good" / "report.md"), "# Good"));
  const Answer a = ask({"reproduce", "good", "--output", "/proc/none"});
  CHECK(a.code == exit_cannot_write);
  CHECK(contains(a.err, "/proc/none"));
}

TEST_CASE("two studies of one name are a bug of the program that adds them") {
  Catalog c = catalog();
  CHECK_THROWS_AS(c.add(StudyEntry{"good", "", [](StudyReport&) {}}), std::invalid_argument);
}
