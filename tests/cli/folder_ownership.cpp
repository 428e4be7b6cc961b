// What lies in the folder of an output and is not Catena's stays as it is.
#include <catena/cli/cli.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/detail/file_list.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace catena;

using catena_test::file_text;
using catena_test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// Every file below a folder, with its text; links by where they lead.
std::map<std::string, std::string> content(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink())
      all[name] = "-> " + fs::read_symlink(entry.path()).string();
    else if (entry.is_regular_file())
      all[name] = file_text(entry.path());
  }
  return all;
}

std::vector<std::string> with_overwrite(std::vector<std::string> arguments) {
  arguments.emplace_back("--overwrite");
  return arguments;
}

const char* const pendulum = "bodies:\n  - {name: bob, mass: 1, inertia: [1, 1, 1]}\n";

}  // namespace

TEST_CASE("a run refuses every name that it would write or remove and that Catena has not made") {
  for (const char* name : {"checkpoint-500",
                           "checkpoint-1.part",
                           "report.json",
                           "run.json.part",
                           "model/bob.yaml",
                           "vtk/bodies_000000.vtu",
                           "vtk/joints_000007.vtp",
                           "motion.pvd",
                           "motion.pvd.new",
                           "results.h5",
                           "results.h5.packed",
                           "results.h5.new",
                           "run.json.1.part",
                           "checkpoint-1.2.part",
                           "report.json.part",
                           "scalars.csv",
                           "error_bars.csv",
                           "error_bars.h5",
                           "joints.csv",
                           "reactions.csv",
                           "files.json.part"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "bob.yaml", out = folder.path() / "out";
    put(model, pendulum);
    put(out / name, "mine\n");
    const auto before = content(out);
    for (const bool overwrite : {false, true}) {
      CAPTURE(overwrite);
      std::vector<std::string> run{"run",      model.string(), "--end",    "0.01",
                                   "--output", out.string(),   "--format", "csv,hdf5,vtk"};
      if (overwrite) run.emplace_back("--overwrite");
      const catena_test::Answer a = catena_test::ask(run);
      CHECK(a.code == exit_bad_input);
      CHECK(holds(a.err, name));
      CHECK(content(out) == before);
    }
  }
}

TEST_CASE("a list that a killed program has begun is Catena's, though nothing lists it yet") {
  for (const char* text : {"", "{\n  \"progr", "{\n  \"program\": \"catena\",\n  \"files\": [\n"}) {
    CAPTURE(text);
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "bob.yaml", out = folder.path() / "out";
    put(model, pendulum);
    put(out / "files.json.part", text);
    const catena_test::Answer a = catena_test::ask(
        {"run", model.string(), "--end", "0.01", "--output", out.string(), "--format", "csv"});
    CHECK(a.code == exit_ok);
    CHECK(!fs::exists(out / "files.json.part"));
  }
}

TEST_CASE("--overwrite removes what files.json lists and touches nothing else") {
  const TemporaryFolder folder;
  const fs::path model = folder.path() / "bob.yaml", out = folder.path() / "out";
  put(model, pendulum);
  const std::vector<std::string> run{"run",        model.string(), "--end",   "0.01",    "--output",
                                     out.string(), "--format",     "csv,vtk", "--every", "2",
                                     "--overwrite"};
  REQUIRE(catena_test::ask(run).code == exit_ok);
  REQUIRE(fs::exists(out / "model/bob.yaml"));
  REQUIRE(fs::exists(out / "vtk/bodies_000005.vtu"));
  put(out / "notes.txt", "mine\n");
  put(out / "model/notes.yaml", "mine\n");
  put(out / "vtk/notes.vtu", "mine\n");
  REQUIRE(catena_test::ask(run).code == exit_ok);
  for (const char* name : {"notes.txt", "model/notes.yaml", "vtk/notes.vtu"})
    CHECK(file_text(out / name) == "mine\n");

  // Names that the list holds by a star, of files that the run has not made.
  for (const char* name : {"vtk/bodies_000999.vtu", "checkpoint-500"}) {
    CAPTURE(name);
    put(out / name, "mine\n");
    const auto before = content(out);
    const catena_test::Answer a = catena_test::ask(run);
    CHECK(a.code == exit_bad_input);
    CHECK(holds(a.err, name));
    CHECK(content(out) == before);
    fs::remove(out / name);
  }

  // Names that a run may write, and that run has not: what is there now came from others.
  for (const char* name :
       {"points.csv", "reactions.csv", "failure.json", "error_bars.csv", "results.h5.new", "run.json.part"}) {
    CAPTURE(name);
    put(out / name, "mine\n");
    for (const std::vector<std::string>& command : {run, {"resume", out.string(), "--end", "0.02"}}) {
      const catena_test::Answer a = catena_test::ask(command);
      CHECK(a.code != exit_ok);
      CHECK(holds(a.err, name));
      CHECK(file_text(out / name) == "mine\n");
    }
    fs::remove(out / name);
  }
  // A resumed run lists what it writes then, each name once, and skips a folder that is called as a checkpoint.
  fs::create_directory(out / "checkpoint-77");
  for (const char* end : {"0.02", "0.03"}) {
    const catena_test::Answer a = catena_test::ask({"resume", out.string(), "--end", end});
    REQUIRE(a.code == exit_ok);
    if (end == std::string("0.02")) CHECK(holds(a.err, "checkpoint-77: it is no file"));
  }
  fs::remove(out / "checkpoint-77");
  const std::vector<std::string> listed = detail::FileList(out).names();
  CHECK(std::set<std::string>(listed.begin(), listed.end()).size() == listed.size());
  REQUIRE(catena_test::ask(run).code == exit_ok);

  // Another problem and other formats: what is no longer written is gone.
  REQUIRE(catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out.string(), "--format", "csv",
                            "--overwrite"})
              .code == exit_ok);
  CHECK_FALSE(fs::exists(out / "model/bob.yaml"));
  CHECK_FALSE(fs::exists(out / "vtk/bodies_000000.vtu"));
  CHECK_FALSE(fs::exists(out / "motion.pvd"));
  for (const char* name : {"notes.txt", "model/notes.yaml", "vtk/notes.vtu"})
    CHECK(file_text(out / name) == "mine\n");
}

TEST_CASE("a resumed run keeps a file with the name of a checkpoint") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out.string(), "--format", "csv"})
              .code == exit_ok);
  const std::string notes = "my notes on the five hundred checkpoints\n";
  put(out / "checkpoint-500", notes);
  put(out / "checkpoint-3.part", "cut off");  // a killed program's: the list holds it
  const catena_test::Answer a = catena_test::ask({"resume", out.string(), "--end", "0.02"});
  CHECK(a.code == exit_ok);
  CHECK(holds(a.err, "checkpoint-500: it is no checkpoint"));
  CHECK(file_text(out / "checkpoint-500") == notes);
  CHECK_FALSE(fs::exists(out / "checkpoint-3.part"));
}

TEST_CASE("what killed programs have left beside a file is removed, numbered or not, and nothing like it") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const std::vector<std::string> run{"run",      "rod_chain",  "--end",    "0.01",
                                     "--output", out.string(), "--format", "csv"};
  const std::vector<std::string> parts{"run.json.part", "run.json.1.part", "files.json.3.part",
                                       "checkpoint-2.1.part", "report.json.1.part"};
  const std::vector<std::string> others{"run.json.a.part", "run.json.1.part.txt", "checkpoint-2.x.part"};
  REQUIRE(catena_test::ask(run).code == exit_ok);
  for (const bool resume : {true, false}) {
    CAPTURE(resume);
    detail::FileList(out).claim(
        {"run.json.part"});  // as a program has that is killed; the others are listed by a star
    for (const std::string& name : parts) put(out / name, "cut off");
    for (const std::string& name : others) put(out / name, "mine\n");
    CHECK(catena_test::ask(resume ? std::vector<std::string>{"resume", out.string(), "--end", "0.02"}
                                  : with_overwrite(run))
              .code == exit_ok);
    for (const std::string& name : parts) {
      CAPTURE(name);
      CHECK_FALSE(fs::exists(out / name));
    }
    for (const std::string& name : others) CHECK(file_text(out / name) == "mine\n");
  }
}

TEST_CASE("frames behind the checkpoint are removed though a killed run has left gaps between them") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", saved = folder.path() / "saved";
  REQUIRE(catena_test::ask({"run", "rod_chain", "--step", "0.001", "--end", "0.01", "--every", "1",
                            "--output", out.string(), "--format", "vtk"})
              .code == exit_ok);
  fs::copy(out, saved, fs::copy_options::recursive);
  REQUIRE(catena_test::ask({"resume", out.string(), "--end", "0.03"}).code == exit_ok);
  REQUIRE(fs::exists(out / "vtk/bodies_000030.vtu"));
  // As if the run had been killed behind its first checkpoint, and then the run that was resumed from it, while it removed
  // the frames.
  std::vector<fs::path> later;
  for (const auto& entry : fs::directory_iterator(out))
    if (entry.path().filename().string().starts_with("checkpoint-")) later.push_back(entry.path());
  for (const fs::path& file : later) fs::remove(file);
  for (const auto& entry : fs::directory_iterator(saved))
    if (entry.path().filename().string().starts_with("checkpoint-"))
      fs::copy(entry.path(), out / entry.path().filename());
  for (const char* gone : {"vtk/bodies_000011.vtu", "vtk/joints_000011.vtp", "vtk/bodies_000012.vtu"})
    fs::remove(out / gone);
  REQUIRE(catena_test::ask({"resume", out.string(), "--end", "0.015"}).code == exit_ok);
  CHECK(fs::exists(out / "vtk/bodies_000015.vtu"));
  int frames = 0;
  for (const auto& entry : fs::directory_iterator(out / "vtk"))
    frames += static_cast<int>(entry.path().filename().string().starts_with("bodies_"));
  CHECK(frames == 16);
  // The folder can be replaced: no frame in it is a stranger's.
  CHECK(catena_test::ask(
            {"run", "rod_chain", "--end", "0.01", "--output", out.string(), "--format", "vtk", "--overwrite"})
            .code == exit_ok);
}

TEST_CASE("links in the folder of an output are not followed") {
  const TemporaryFolder folder;
  const fs::path precious = folder.path() / "precious.txt";
  put(precious, "mine\n");
  const fs::path elsewhere = folder.path() / "elsewhere";
  fs::create_directories(elsewhere);
  struct Link {
    const char* name;
    fs::path to;
  };
  for (const Link& link : {Link{"report.json", precious},
                           {"run.json", precious},
                           {"files.json", precious},
                           {"scalars.csv", folder.path() / "nowhere"},
                           {"run.json.part", precious},
                           {"vtk", elsewhere}}) {
    CAPTURE(link.name);
    const fs::path out = folder.path() / "out";
    fs::remove_all(out);
    fs::create_directories(out);
    fs::create_symlink(link.to, out / link.name);
    const std::vector<std::string> run{"run",      "rod_chain",  "--end",    "0.01",
                                       "--output", out.string(), "--format", "csv,vtk"};
    CHECK(catena_test::ask(run).code == exit_bad_input);
    const catena_test::Answer a = catena_test::ask(with_overwrite(run));
    CHECK(a.code == exit_bad_input);
    CHECK(holds(a.err, link.name));
    CHECK(holds(a.err, "link"));

    // In the place of a file that the run has made.
    fs::remove_all(out);
    if (!fs::is_regular_file(link.to)) continue;
    REQUIRE(
        catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out.string(), "--format", "csv"})
            .code == exit_ok);
    fs::remove(out / link.name);
    fs::create_symlink(link.to, out / link.name);
    CHECK(catena_test::ask({"resume", out.string(), "--end", "0.02"}).code == exit_bad_input);
    CHECK(catena_test::ask(with_overwrite(run)).code == exit_bad_input);
  }
  CHECK(file_text(precious) == "mine\n");
  CHECK(fs::is_empty(elsewhere));
  CHECK_FALSE(fs::exists(folder.path() / "nowhere"));
}

TEST_CASE("what was moved away behind a link stays when its run is replaced") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", elsewhere = folder.path() / "elsewhere";
  const std::vector<std::string> run{"run",      "rod_chain",  "--end",   "0.01",
                                     "--output", out.string(), "--format"};
  std::vector<std::string> first = run, second = with_overwrite(run);
  first.emplace_back("csv,vtk");
  second.insert(second.end() - 1, "csv");
  REQUIRE(catena_test::ask(first).code == exit_ok);
  fs::rename(out / "vtk", elsewhere);
  fs::create_symlink(elsewhere, out / "vtk");
  const auto before = content(elsewhere);
  REQUIRE(!before.empty());
  const catena_test::Answer a = catena_test::ask(second);
  CHECK(a.code == exit_bad_input);
  CHECK(holds(a.err, "vtk"));
  CHECK(content(elsewhere) == before);
}

TEST_CASE("a folder whose run was killed while it was replaced can be used again") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const std::vector<std::string> run{"run",        "rod_chain", "--end",   "0.01",       "--output",
                                     out.string(), "--format",  "csv,vtk", "--overwrite"};
  REQUIRE(catena_test::ask(run).code == exit_ok);
  for (const char* gone : {"run.json", "scalars.csv", "vtk/bodies_000000.vtu", "vtk/joints_000003.vtp"})
    fs::remove(out / gone);
  CHECK(catena_test::ask(run).code == exit_ok);
}

TEST_CASE("a list that is not Catena's is named") {
  for (const char* text : {"{\"program\": 3}", "[]", "{\"program\": \"catena\", \"files\": 3}", "no json"}) {
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "out";
    put(out / "files.json", text);
    const catena_test::Answer a =
        catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out.string()});
    CHECK(a.code == exit_bad_input);
    CHECK(holds(a.err, "files.json is not a list of Catena's files"));
    CHECK(file_text(out / "files.json") == text);
  }
}

TEST_CASE("a study replaces its own report and figures alone") {
  const auto study = [](const std::vector<std::string>& arguments) {
    Catalog catalog;
    catalog.add(StudyEntry{"one", "draws", [](StudyReport& report) {
                             report.title("One", "a source");
                             detail::Figure figure;
                             figure.name = "line";
                             figure.curves = {{.label = "a", .x = {0.0, 1.0}, .y = {0.0, 1.0}}};
                             report.figure(figure);
                           }});
    std::ostringstream out, err;
    const int code = cli(arguments, catalog, Console{out, err});
    return catena_test::Answer{code, out.str(), err.str()};
  };
  for (const char* name : {"report.md", "line.csv", "line.png"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    put(folder.path() / "one" / name, "mine\n");
    const catena_test::Answer a = study({"reproduce", "one", "--output", folder.path().string()});
    CHECK(a.code == exit_cannot_write);
    CHECK(holds(a.err, name));
    CHECK(file_text(folder.path() / "one" / name) == "mine\n");
  }
  const TemporaryFolder folder;
  for (int k = 0; k < 2; ++k)
    CHECK(study({"reproduce", "one", "--output", folder.path().string()}).code == exit_ok);
  // A run does not take its folder over unasked.
  const std::string report = file_text(folder.path() / "one" / "report.md");
  const catena_test::Answer refused =
      catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", (folder.path() / "one").string()});
  CHECK(refused.code == exit_bad_input);
  CHECK(holds(refused.err, "report.md"));
  CHECK(file_text(folder.path() / "one" / "report.md") == report);
}

namespace {

// Each command, and the names of files that it writes to its folder.
struct Study {
  std::vector<std::string> command;
  std::vector<std::string> names;
};

std::vector<Study> studies() {
  return {{{"compare", "simple_pendulum", "--end", "0.02", "--steppers", "generalized_alpha,hht", "--steps",
            "0.01,0.005"},
           {"compare.json", "compare.csv", "1_simple_pendulum_position_over_step.png",
            "1_simple_pendulum_multipliers_over_time.csv"}},
          {{"scale", "rod_chain", "--bodies", "2,3", "--steps", "2", "--repeat", "1"},
           {"scale.json", "scale.csv", "ensembles.csv", "scale_time.svg", "scale_phases.gp"}}};
}

}  // namespace

TEST_CASE(
    "a comparison and a scaling study refuse names of others before anything runs, and follow no links") {
  for (const Study& study : studies())
    for (const std::string& name : study.names)
      for (const bool link : {false, true}) {
        CAPTURE(name);
        CAPTURE(link);
        const TemporaryFolder folder;
        const fs::path out = folder.path() / "out";
        if (link) {
          fs::create_directories(out);
          fs::create_symlink(folder.path() / "nowhere", out / name);
        } else {
          put(out / name, "mine\n");
        }
        const auto before = content(out);
        std::vector<std::string> command = study.command;
        command.insert(command.end(), {"--output", out.string()});
        const catena_test::Answer a = catena_test::ask(command);
        CHECK(a.code == exit_bad_input);
        CHECK(a.out.empty());
        CHECK(holds(a.err, name));
        CHECK(content(out) == before);
        CHECK_FALSE(fs::exists(folder.path() / "nowhere"));
      }
}

TEST_CASE("a comparison and a scaling study replace their own files, and leave those of others") {
  for (const Study& study : studies()) {
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "out";
    put(out / "notes.txt", "mine\n");
    std::vector<std::string> command = study.command;
    command.insert(command.end(), {"--output", out.string()});
    for (int k = 0; k < 2; ++k) {
      const catena_test::Answer a = catena_test::ask(command);
      CAPTURE(a.err);
      REQUIRE(a.code == exit_ok);
    }
    CHECK(fs::exists(out / study.names.front()));
    CHECK(file_text(out / "notes.txt") == "mine\n");
    // A run does not take the folder over unasked.
    CHECK(catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out.string()}).code ==
          exit_bad_input);
  }
}

TEST_CASE("the pictures of a sweep replace none of others") {
  const std::string name = "pictures/1_max_energy_kinetic_over_n";
  for (const char* ending : {".csv", ".gp", ".png", ".svg"})
    for (const bool link : {false, true}) {
      CAPTURE(ending);
      CAPTURE(link);
      const TemporaryFolder folder;
      const fs::path out = folder.path() / "out", file = out / (name + ending);
      put(file, "mine\n");
      if (link) {
        fs::rename(file, folder.path() / "precious");
        fs::create_symlink(folder.path() / "precious", file);
      }
      const catena_test::Answer a =
          catena_test::ask({"sweep", "rod_chain", "--vary", "n=2,3", "--end", "0.01", "--keep",
                            "max energy/kinetic", "--output", out.string()});
      CHECK(a.code == exit_ok);
      CHECK(holds(a.err, (name + ending).substr(9)));
      CHECK(file_text(link ? folder.path() / "precious" : file) == "mine\n");
    }
  const TemporaryFolder folder;
  const std::vector<std::string> sweep{"sweep",    "rod_chain",
                                       "--vary",   "n=2,3",
                                       "--end",    "0.01",
                                       "--keep",   "max energy/kinetic",
                                       "--output", (folder.path() / "out").string()};
  for (int k = 0; k < 2; ++k) {
    const catena_test::Answer a = catena_test::ask(sweep);
    CHECK(a.code == exit_ok);
    CHECK_FALSE(holds(a.err, "files.json"));
  }
  CHECK(fs::exists(folder.path() / "out" / (name + ".csv")));
}
