// Studies of published sources: what a verdict says, what is counted, what is written.
#include <catena/driver/sink.hpp>
#include <catena/output/parts/study.hpp>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

TEST_CASE("a comparison holds within its tolerance and no further") {
  Comparison c{.what = "x", .reference = 2.0, .measured = 2.0 * (1.0 + 0.9e-3), .tolerance = 1e-3};
  CHECK(c.holds());
  CHECK(c.verdict() == "as expected");
  c.measured = 2.0 * (1.0 + 1.1e-3);
  CHECK_FALSE(c.holds());
  CHECK(c.verdict() == "WRONG");
  c.absolute = 0.001;
  CHECK(c.holds());
  c.measured = std::nan("");
  CHECK_FALSE(c.holds());
}

TEST_CASE("a bound holds on its side; a number that is none exceeds every lower bound") {
  Comparison at_most{.what = "x", .reference = 1e-9, .measured = 1e-9, .kind = Comparison::Kind::at_most};
  CHECK(at_most.holds());
  at_most.measured = 1.1e-9;
  CHECK_FALSE(at_most.holds());
  at_most.measured = std::nan("");
  CHECK_FALSE(at_most.holds());

  Comparison at_least{.what = "x", .reference = 0.1, .measured = 0.2, .kind = Comparison::Kind::at_least};
  CHECK(at_least.holds());
  at_least.measured = 0.05;
  CHECK_FALSE(at_least.holds());
  at_least.measured = std::nan("");
  CHECK(at_least.holds());
}

TEST_CASE("the verdict distinguishes the source's figure from the right one") {
  Comparison c{.what = "x", .source = 0.130, .reference = 0.0765, .measured = 0.0765};
  CHECK(c.verdict() == "the source is wrong");
  c.source = 0.0766;
  CHECK(c.verdict() == "agrees");
  c.reference = Comparison::none;  // then the source's figure is the one to meet
  c.measured = 0.0800;
  CHECK(c.verdict() == "WRONG");
}

TEST_CASE("a report counts what does not hold and what was not shown, and says so last") {
  std::ostringstream text;
  StudyReport report(text);
  report.title("A title", "a source");
  report.compare("a table", {{.what = "right", .reference = 1.0, .measured = 1.0},
                             {.what = "wrong", .reference = 1.0, .measured = 2.0}});
  report.error({"equation (1)", "printed", "correct", "evidence", true});
  report.error({"equation (2)", "printed", "correct", "evidence", false});
  report.finish();
  CHECK(report.comparisons() == 4);
  REQUIRE(report.failures().size() == 2);
  CHECK(report.failures()[0] == "a table: wrong is 2, expected 1");
  CHECK(report.failures()[1] == "error of the source not borne out: equation (2)");
  CHECK(text.str().find("4 figures and errors of the source, 2 not as expected") != std::string::npos);
}

TEST_CASE("report.md holds the tables as Markdown, with | escaped") {
  const TemporaryFolder folder;
  std::ostringstream text;
  StudyReport report(text, folder.path() / "new");
  report.title("A title", "a source");
  report.section("One", "Some words.");
  report.table("caption", {"a", "b"}, {{"|x|", "1"}});
  report.finish();
  const std::string markdown = file_text(folder.path() / "new" / "report.md");
  CHECK(markdown.find("# A title") == 0);
  CHECK(markdown.find("## One") != std::string::npos);
  CHECK(markdown.find("| a | b |\n| --- | --- |\n| \\|x\\| | 1 |\n") != std::string::npos);
}

TEST_CASE("gnuplot runs no command that a text of a figure has between backquotes") {
  const TemporaryFolder folder;
  const std::filesystem::path touched = folder.path() / "touched";
  const std::string command = "it's `touch " + touched.string() + "`\n\tas \\ text";
  Figure figure;
  figure.name = "command";
  figure.caption = figure.x_label = figure.y_label = command;
  figure.curves = {{.label = command, .x = {0.0, 1.0}, .y = {1.0, 0.25}}};
  const bool drawn = draw(figure, folder.path() / command.substr(0, 4));
  CHECK(drawn == (std::system("gnuplot --version > /dev/null 2>&1") == 0));
  CHECK_FALSE(std::filesystem::exists(touched));
  const std::string script = file_text(folder.path() / "it's" / "command.gp");
  CHECK(script.find('"') == std::string::npos);
  CHECK(script.find("set title 'it''s `touch " + touched.string() + "`  as \\ text'") != std::string::npos);
}

TEST_CASE("a figure leaves its numbers and its script, and gnuplot can draw it") {
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Figure figure;
  figure.name = "two";
  figure.caption = "A \"quoted\" caption with_underscore";
  figure.x_label = "time [s]";
  figure.y_label = "length [m]";
  figure.curves = {{.label = "first", .x = {0.0, 1.0, 2.0}, .y = {1.0, nan, 0.25}},
                   {.label = "second", .x = {0.5}, .y = {2.0}, .points = true}};
  const bool drawn = draw(figure, folder.path());
  CHECK(file_text(folder.path() / "two.csv") ==
        "\"time [s] of first\",\"length [m] of first\",\"time [s] of second\",\"length [m] of second\"\n"
        "0,1,0.5,2\n1,,,\n2,0.25,,\n");
  CHECK(file_text(folder.path() / "two.gp").find("skip 1 using 3:4 with points") != std::string::npos);
  if (std::system("gnuplot --version > /dev/null 2>&1") == 0) {
    CHECK(drawn);
    CHECK(file_text(folder.path() / "two.png").substr(1, 3) == "PNG");
    CHECK(file_text(folder.path() / "two.svg").find("<svg") != std::string::npos);
  } else {
    CHECK_FALSE(drawn);
  }
}

TEST_CASE("a picture that is cut by the disk is an error of writing") {
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0) return;
  const TemporaryFolder folder;
  const std::filesystem::path log = folder.path() / "log";
  const auto work = [&] {
    const rlimit bytes{4096, 4096};  // more than numbers and script take, and less than a picture
    ::setrlimit(RLIMIT_FSIZE, &bytes);
    std::signal(SIGXFSZ, SIG_IGN);  // as the command line has it
    try {
      draw({.name = "cut",
            .caption = "",
            .x_label = "x",
            .y_label = "y",
            .curves = {{"", {0.0, 1.0}, {1.0, 2.0}}}},
           folder.path());
    } catch (const SinkError& error) {
      std::ofstream(folder.path() / "said") << error.what();
      return 0;
    }
    return 1;
  };
  CHECK(catena_test::Process(work, log).end() == 0);
  CHECK(file_text(folder.path() / "said") ==
        "cannot write " + (folder.path() / "cut.png").string() +
            ": gnuplot has written a part of it: is the disk full, or the size of files limited?");
}

TEST_CASE("twenty-four curves of a figure are drawn in as many styles, lines and marks alike") {
  const TemporaryFolder folder;
  for (const bool points : {false, true}) {
    Figure figure{.name = "many", .caption = "", .x_label = "x", .y_label = "y"};
    for (int k = 0; k < 24; ++k)
      figure.curves.push_back({.label = "c", .x = {0.0, 1.0}, .y = {1.0 * k, 2.0}, .points = points});
    draw(figure, folder.path());
    std::istringstream script(file_text(folder.path() / "many.gp"));
    std::set<std::string> styles;
    int curves = 0;
    for (std::string line; std::getline(script, line);) {
      const std::size_t from = line.find(" with "), to = line.find(" title ");
      if (from == std::string::npos) continue;
      styles.insert(line.substr(from, to - from));
      ++curves;
    }
    CHECK(curves == 2 * 24);  // as png and as svg
    CHECK(styles.size() == 24);
  }
}

TEST_CASE("a folder that cannot be made is an error of output") {
  CHECK_THROWS_AS(
      draw({.name = "x", .caption = "", .x_label = "x", .y_label = "y", .curves = {}}, "/proc/none"),
      SinkError);
}
