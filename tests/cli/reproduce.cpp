// `catena reproduce`, with studies of a user's own.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace reproduce_tests {

using namespace catena;
using catena_test::Answer;
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

Answer ask(const std::vector<std::string>& arguments) { return catena_test::ask(arguments, catalog()); }

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
  CHECK(a.out.empty());  // before anything was computed
}

TEST_CASE("all folders are looked at before the first study runs, and nothing is left in them") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "bad") << "a file where a folder is to be";
  const Answer a = ask({"reproduce", "all", "--output", folder.path().string()});
  CHECK(a.code == exit_cannot_write);
  CHECK(contains(a.err, "bad"));
  CHECK(a.out.empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "good" / "report.md"));
}

TEST_CASE("a study stops within a run; what was finished is kept, and the code is that of an interruption") {
  const TemporaryFolder folder;
  std::atomic<bool> stop{false};
  Catalog c = catalog();
  bool reached_end = false;
  c.add(StudyEntry{"long", "is interrupted", [&](StudyReport& report) {
                     report.title("Long", "a source");
                     report.compare("first", {{.what = "x", .source = 1.0, .measured = 1.0}});
                     const MultibodySystem bodies(SimplePendulum().model());
                     GeneralizedAlpha stepper;
                     State state = bodies.initial_state();
                     struct Interrupts : Observer {
                       std::atomic<bool>* stop = nullptr;
                       int steps = 0;
                       bool observe(const State&) override {
                         if (++steps == 10) stop->store(true);  // as a signal does
                         return true;
                       }
                     } interrupts;
                     interrupts.stop = &stop;
                     Listeners listeners;
                     listeners.observers = {&interrupts};
                     run(bodies, stepper, state, {.step = 1e-3, .end = 1e6}, listeners);
                     reached_end = true;
                   }});
  std::ostringstream out, err;
  Console console{out, err};
  console.stop = &stop;
  CHECK(cli({"reproduce", "all", "--output", folder.path().string()}, c, console) == exit_interrupted);
  CHECK_FALSE(reached_end);
  CHECK(contains(file_text(folder.path() / "good" / "report.md"), "# Good"));
  const std::string text = file_text(folder.path() / "long" / "report.md");
  CHECK(contains(text, "first"));
  CHECK(contains(text, "Interrupted"));
}

TEST_CASE("a stepper that a build was configured without is distinguished from one that does not exist") {
  Catalog c = builtin();
  c.leave_out({"absent", "the stepper absent was left out of this build: configure with -DABSENT=ON"});
  const auto answer = [&](const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    const int code = cli(arguments, c, Console{out, err});
    return Answer{code, out.str(), err.str()};
  };
  const Answer run = answer({"run", "simple_pendulum", "--stepper", "absent"});
  CHECK(run.code == exit_bad_input);
  CHECK(contains(run.err, "was left out of this build: configure with -DABSENT=ON"));
  CHECK(
      contains(answer({"list", "steppers"}).out, "Not here: the stepper absent was left out of this build"));
#ifndef CATENA_HAS_SUNDIALS
  CHECK(contains(answer({"run", "simple_pendulum", "--stepper", "ida"}).err,
                 "the stepper ida was left out of this build"));
#endif
}

TEST_CASE("two studies of one name are a bug of the program that adds them") {
  Catalog c = catalog();
  CHECK_THROWS_AS(c.add(StudyEntry{"good", "", [](StudyReport&) {}}), std::invalid_argument);
}

}  // namespace reproduce_tests
