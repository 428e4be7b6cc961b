// `catena report`, `catena view` and --report: what they write and what they refuse.
#include <catena/output/detail/page_file.hpp>
#include <catena/output/detail/results_file.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using PageJson = nlohmann::json;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// What is in the element <script> of that id.
std::string element(const std::string& html, const std::string& id) {
  const std::string begin = "id=\"" + id + "\">";
  const std::size_t from = html.find(begin);
  REQUIRE_MESSAGE(from != std::string::npos, id);
  return html.substr(from + begin.size(), html.find("</script>", from) - from - begin.size());
}

PageJson data_of(const std::filesystem::path& file) {
  return PageJson::parse(element(text_of(file), "catena-data"));
}

bool has_page() { return catena::detail::why_no_page().empty(); }

}  // namespace

TEST_CASE("a build without npm says so, and runs nothing") {
  const catena_test::TemporaryFolder folder;
  const std::string file = folder.path() / "page.html";
  if (has_page()) return;
  const catena_test::Answer view = catena_test::ask({"view", "four_bar", "--output", file});
  CHECK(view.code == catena::exit_cannot_write);
  CHECK(view.err.find("apt-get install nodejs npm") != std::string::npos);
  const catena_test::Answer run = catena_test::ask(
      {"run", "four_bar", "--end", "0.01", "--output", folder.path() / "out", "--report", file});
  CHECK(run.code == catena::exit_cannot_write);
  CHECK(run.err.find("nothing was run") != std::string::npos);
  CHECK(!std::filesystem::exists(folder.path() / "out"));
}

TEST_CASE("a view of a model has its bodies with their shapes and its joints with their frames") {
  if (!has_page()) return;
  const catena_test::TemporaryFolder folder;
  const std::string file = folder.path() / "page.html";
  const catena_test::Answer view = catena_test::ask({"view", "four_bar", "--output", file});
  REQUIRE_MESSAGE(view.code == catena::exit_ok, view.err);
  CHECK(view.out == file + '\n');
  const PageJson data = data_of(file);
  REQUIRE(data["cards"].size() == 1);
  const PageJson& card = data["cards"][0];
  CHECK(card["kind"] == "model");
  CHECK(card["scene"]["bodies"].size() == 3);
  CHECK(card["scene"]["joints"].size() == 4);
  for (const PageJson& joint : card["scene"]["joints"]) CHECK(joint["frames"].size() == 2);
  CHECK(card["frames"]["count"] == 1);
}

TEST_CASE(
    "a report holds a run with its curves and motion, and a sweep, in the order in which they are named") {
  if (!has_page() || !catena::detail::has_hdf5()) return;
  const catena_test::TemporaryFolder folder;
  const std::string run = folder.path() / "run", sweep = folder.path() / "sweep",
                    file = folder.path() / "page.html";
  const catena_test::Answer ran = catena_test::ask(
      {"run", "four_bar", "--end", "0.05", "--output", run, "--report", folder.path() / "run.html"});
  REQUIRE_MESSAGE(ran.code == catena::exit_ok, ran.err);
  CHECK(data_of(folder.path() / "run.html")["cards"].size() == 1);
  REQUIRE(catena_test::ask({"sweep", "four_bar", "--stepper", "generalized_alpha", "--option", "rho_inf=0.9",
                            "--vary", "step=1e-3,2e-3", "--end", "0.01", "--output", sweep})
              .code == catena::exit_ok);
  const catena_test::Answer report = catena_test::ask({"report", sweep, run, "--output", file});
  REQUIRE_MESSAGE(report.code == catena::exit_ok, report.err);
  CHECK(report.err == "");
  const PageJson data = data_of(file);
  REQUIRE(data["cards"].size() == 2);
  CHECK(data["cards"][0]["kind"] == "sweep");
  CHECK(data["cards"][0]["rows"] == 2);
  const PageJson& asked = data["cards"][0]["manifest"];
  CHECK(asked["problem"] == "four_bar");
  CHECK(asked["stepper"] == "generalized_alpha");
  CHECK(asked["options"]["rho_inf"] == "0.9");
  CHECK(asked["end"] == 0.01);
  CHECK(asked["what varies"] == "step=1e-3,2e-3");
  CHECK(asked["the version of Catena"] == data["version"]);
  const PageJson& card = data["cards"][1];
  CHECK(card["kind"] == "run");
  CHECK(card["report"]["status"] == "ok");
  CHECK(!card["report"].contains("positions"));
  CHECK(card["frames"]["count"].get<int>() > 10);
  bool balance = false;
  for (const PageJson& series : card["series"]) balance = balance || series["name"] == "energy/error";
  CHECK(balance);
  CHECK(card["manifest"]["problem"] == "four_bar");
}

TEST_CASE("long arrays are behind the script of the page, and the first frame before it") {
  if (!has_page() || !catena::detail::has_hdf5()) return;
  const catena_test::TemporaryFolder folder;
  const std::string file = folder.path() / "page.html";
  const catena_test::Answer ran =
      catena_test::ask({"run", "helix_chain", "--set", "n=300", "--set", "joint=revolute", "--end", "0.3",
                        "--every", "1", "--output", folder.path() / "run", "--report", file});
  REQUIRE_MESSAGE(ran.code == catena::exit_ok, ran.err);
  const std::string html = text_of(file);
  const PageJson frames = data_of(file)["cards"][0]["frames"];
  const std::string torque = frames["torque"]["data"]["data"];
  REQUIRE(torque[0] == '@');
  const std::string late = element(html, "catena-data-" + torque.substr(1));
  CHECK(late.size() > 200'000);
  CHECK(late.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") ==
        std::string::npos);
  // What the picture begins with.
  for (const PageJson& early : {frames["first_position"], frames["first_rotation"], frames["times"]})
    CHECK(early["data"].get<std::string>()[0] != '@');
  CHECK(html.find("id=\"catena-data-0\"") > html.rfind("<script>"));
  // Hinges do not slide.
  CHECK(frames.contains("angle"));
  CHECK(!frames.contains("displacement"));
}

TEST_CASE("a page says what it lacks, and a view takes the file of the results as well as their folder") {
  if (!has_page() || !catena::detail::has_hdf5()) return;
  const catena_test::TemporaryFolder folder;
  const std::string whole = folder.path() / "whole", scalars = folder.path() / "scalars",
                    file = folder.path() / "page.html";
  REQUIRE(catena_test::ask({"run", "four_bar", "--end", "0.01", "--output", whole}).code == catena::exit_ok);
  REQUIRE(
      catena_test::ask({"run", "four_bar", "--end", "0.01", "--format", "csv", "--output", scalars}).code ==
      catena::exit_ok);
  const catena_test::Answer view = catena_test::ask({"view", whole + "/results.h5", "--output", file});
  REQUIRE_MESSAGE(view.code == catena::exit_ok, view.err);
  CHECK(data_of(file)["cards"][0]["folder"] == "whole");
  CHECK_FALSE(data_of(file)["cards"][0].contains("lacks"));
  REQUIRE(catena_test::ask({"report", scalars, "--output", file}).code == catena::exit_ok);
  const std::string lacks = data_of(file)["cards"][0]["lacks"].get<std::string>();
  CHECK(lacks.find("no results.h5 (run with --format hdf5)") != std::string::npos);
}

TEST_CASE("what a report cannot be made from is refused with what would be right") {
  if (!has_page()) return;
  const catena_test::TemporaryFolder folder;
  const std::string empty = folder.path() / "empty";
  std::filesystem::create_directory(empty);
  catena_test::Answer answer = catena_test::ask({"report", empty});
  CHECK(answer.code == catena::exit_bad_input);
  CHECK(answer.err.find("holds no results") != std::string::npos);
  const std::string killed = folder.path() / "killed";
  REQUIRE(catena_test::ask({"run", "four_bar", "--end", "0.01", "--output", killed}).code == catena::exit_ok);
  std::filesystem::remove(killed + "/report.json");
  answer = catena_test::ask({"report", killed});
  CHECK(answer.code == catena::exit_bad_input);
  CHECK(answer.err == "catena: " + killed +
                          " holds a run that did not finish, and no report.json yet: `catena resume " +
                          killed + "` continues it\n");
  answer = catena_test::ask({"report", folder.path() / "missing", "--output", folder.path() / "page.html"});
  CHECK(answer.code == catena::exit_bad_input);
  CHECK(answer.err.find("is no folder") != std::string::npos);
  answer = catena_test::ask({"run", "four_bar", "--end", "0.01", "--report", folder.path() / "page.html"});
  CHECK(answer.code == catena::exit_bad_input);
  CHECK(answer.err.find("needs --output DIR") != std::string::npos);
  answer = catena_test::ask({"view", "four_baar", "--output", folder.path() / "page.html"});
  CHECK(answer.code == catena::exit_bad_input);
  CHECK(answer.err.find("four_bar") != std::string::npos);
  answer = catena_test::ask({"report", empty, "--output", folder.path() / "none" / "page.html"});
  CHECK(answer.code == catena::exit_cannot_write);
  CHECK(!std::filesystem::exists(folder.path() / "page.html"));
}

TEST_CASE("a page replaces pages alone, and follows no link") {
  if (!has_page()) return;
  namespace fs = std::filesystem;
  const catena_test::TemporaryFolder folder;
  const fs::path out = folder.path() / "out", precious = folder.path() / "precious.html";
  const auto put = [](const fs::path& file) {
    std::ofstream(file, std::ios::binary) << "<html>mine</html>\n";
  };
  const std::vector<std::string> run{"run",      "simple_pendulum", "--end",    "0.01",
                                     "--output", out.string(),      "--format", "csv"};
  REQUIRE(catena_test::ask(run).code == catena::exit_ok);
  for (const bool link : {false, true}) {
    CAPTURE(link);
    for (const auto& replaced : std::vector<std::pair<fs::path, std::vector<std::string>>>{
             {out / "report.html", {"report", out.string()}},
             {folder.path() / "a.html", {"report", out.string(), "--output", folder.path() / "a.html"}},
             {folder.path() / "b.html", {"view", "four_bar", "--output", folder.path() / "b.html"}},
             {folder.path() / "c.html",
              {"run", "simple_pendulum", "--output", folder.path() / "new", "--report",
               folder.path() / "c.html"}}}) {
      const fs::path& file = replaced.first;
      const std::vector<std::string>& command = replaced.second;
      CAPTURE(file.string());
      if (link) {
        put(precious);
        fs::create_symlink(precious, file);
      } else {
        put(file);
      }
      const catena_test::Answer a = catena_test::ask(command);
      CHECK(a.code == catena::exit_cannot_write);
      CHECK(a.err.find(link ? "it is a link" : "is no page of Catena's") != std::string::npos);
      CHECK(text_of(link ? precious : file) == "<html>mine</html>\n");
      CHECK_FALSE(fs::exists(folder.path() / "new"));
      fs::remove(file);
    }
  }
  // Results of the run itself are no page either, and a page is replaced.
  std::vector<std::string> onto_results = run;
  onto_results.insert(onto_results.end(), {"--overwrite", "--report", (out / "scalars.csv").string()});
  CHECK(catena_test::ask(onto_results).code == catena::exit_cannot_write);
  CHECK(text_of(out / "scalars.csv").starts_with("time"));
  for (int k = 0; k < 2; ++k) CHECK(catena_test::ask({"report", out.string()}).code == catena::exit_ok);
}
