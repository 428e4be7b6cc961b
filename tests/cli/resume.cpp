// catena run --output, catena resume: interrupted, killed, damaged, finished and continued runs.
#include <catena/cli/cli.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/runge_kutta_4.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace resume_tests {

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;
using Json = nlohmann::json;

namespace {

std::atomic<bool> stop{false};
long steps_until_stop = -1;  // the next Ctrl-C; negative: none

// A stepper of the catalog during whose n-th step somebody presses Ctrl-C.
template <class S, class O>
struct Interrupted : S {
  using Options = O;
  using S::S;
  Outcome take_step(State& state, double h) override {
    if (steps_until_stop >= 0 && steps_until_stop-- == 0) stop = true;
    return S::take_step(state, h);
  }
};

const Catalog& catalog() {
  static const Catalog made = [] {
    Catalog c = builtin();
    c.add<Interrupted<GeneralizedAlpha, GeneralizedAlphaOptions>>("i_generalized_alpha");
    c.add<Interrupted<AlphaRattle, AlphaRattleOptions>>("i_alpha_rattle");
    c.add<Interrupted<DiscreteAction, DiscreteActionOptions>>("i_discrete_action");
    c.add<Interrupted<DormandPrince, DormandPrinceOptions>>("i_dormand_prince");
    c.add<Interrupted<LieDae, LieDaeOptions>>("i_lie_dae");
    c.add<Interrupted<RungeKutta4, stepper_entry_detail::NoOptions>>("i_runge_kutta_4");
    return c;
  }();
  return made;
}

struct Answer : catena_test::Answer {
  Json json() const { return Json::parse(out); }
};

Answer ask(const std::vector<std::string>& arguments) {
  stop = false;
  return {catena_test::ask(arguments, catalog(), &stop)};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// What does not depend on where a run was broken.
Json lasting(const Json& report) {
  Json kept;
  for (const char* key : {"problem",
                          "stepper",
                          "status",
                          "time",
                          "steps",
                          "rejected_steps",
                          "smallest_step",
                          "largest_step",
                          "energy_initial",
                          "energy_final",
                          "energy_error_max",
                          "position_residual_max",
                          "velocity_residual_max",
                          "acceleration_residual_max",
                          "worst",
                          "positions",
                          "quaternions",
                          "velocities",
                          "angular_velocities",
                          "multipliers",
                          "coordinates",
                          "velocities_of_coordinates"})
    kept[key] = report.at(key);
  return kept;
}

const std::vector<std::string> tables{"scalars.csv", "bodies.csv", "points.csv", "multipliers.csv",
                                      "coordinates.csv"};

void check_same_tables(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const std::string& name : tables) {
    CAPTURE(name);
    CHECK((file_text(a / name) == file_text(b / name)));  // not printed: long
  }
}

long checkpoints_in(const std::filesystem::path& folder) {
  return static_cast<long>(RunFolder(folder).checkpoints().size());
}

}  // namespace

TEST_CASE("a run that was interrupted is resumed to the same report and the same files, with every stepper") {
  struct Case {
    std::string stepper, problem;
    std::vector<std::string> more;
  };
  const std::vector<std::string> chain{"--set", "n=3"};
  for (const Case& c : std::vector<Case>{{"i_generalized_alpha", "helix_chain", chain},
                                         {"i_generalized_alpha", "rolling_disc", {}},
                                         {"i_alpha_rattle", "helix_chain", chain},
                                         {"i_discrete_action", "box_chain", {}},
                                         {"i_dormand_prince", "helix_chain", chain},
                                         {"i_dormand_prince", "snakeboard", {}},
                                         {"i_lie_dae", "rod_chain", chain},
                                         {"i_runge_kutta_4", "rotary_pendulum", {}}}) {
    INFO(c.stepper << " on " << c.problem);
    const TemporaryFolder folder;
    const std::string whole = (folder.path() / "whole").string(), parts = (folder.path() / "parts").string();
    const std::vector<std::string> run =
        std::vector<std::string>{"run", c.problem, "--stepper", c.stepper, "--step", "0.004",    "--end",
                                 "0.1", "--json",  "-",         "--every", "3",      "--format", "csv"} +
        c.more;
    steps_until_stop = -1;
    const Answer once = ask(run + std::vector<std::string>{"--output", whole});
    REQUIRE(once.code == exit_ok);
    CHECK(once.json()["resumed_from"].is_null());
    steps_until_stop = 4;
    const Answer first = ask(run + std::vector<std::string>{"--output", parts});
    REQUIRE(first.code == exit_interrupted);
    CHECK(contains(first.err, "catena resume " + parts + " continues from there"));
    CHECK(first.json()["steps"] == 5);
    steps_until_stop = 2;
    const Answer second = ask({"resume", parts, "--json", "-"});
    REQUIRE(second.code == exit_interrupted);
    CHECK(second.json()["resumed_from"]["resumes"] == 1);
    const Answer third = ask({"resume", parts, "--json", "-", "--threads", "2"});
    REQUIRE(third.code == exit_ok);
    CHECK(lasting(third.json()) == lasting(once.json()));
    CHECK(third.json()["resumed_from"]["resumes"] == 2);
    CHECK(third.json()["resumed_from"]["restarted"] == false);
    CHECK(contains(third.err, "Resumed"));
    check_same_tables(whole, parts);
    CHECK(checkpoints_in(parts) == 2);
  }
}

TEST_CASE("a run that keeps its matrix while that is good is resumed to the same counts and the same files") {
  for (const char* stepper : {"i_generalized_alpha", "i_lie_dae"})
    for (const int first_part : {1, 4, 11}) {
      CAPTURE(stepper);
      CAPTURE(first_part);
      const TemporaryFolder folder;
      const std::string whole = (folder.path() / "whole").string(),
                        parts = (folder.path() / "parts").string();
      const std::vector<std::string> run{
          "run",      "helix_chain", "--set", "n=4",  "--stepper", stepper, "--option", "jacobian=when_slow",
          "--step",   "0.002",       "--end", "0.06", "--json",    "-",     "--every",  "3",
          "--format", "csv"};
      steps_until_stop = -1;
      const Answer once = ask(run + std::vector<std::string>{"--output", whole});
      REQUIRE(once.code == exit_ok);
      CHECK(once.json()["factorizations"] < once.json()["steps"]);  // the matrix is kept
      steps_until_stop = first_part;
      REQUIRE(ask(run + std::vector<std::string>{"--output", parts}).code == exit_interrupted);
      const Answer rest = ask({"resume", parts, "--json", "-"});
      REQUIRE(rest.code == exit_ok);
      for (const char* count : {"newton_iterations", "evaluations", "factorizations", "solves", "refinements",
                                "stagnations", "rejected_by_newton"})
        CHECK_MESSAGE(rest.json()[count] == once.json()[count], count);
      CHECK(lasting(rest.json()) == lasting(once.json()));
      check_same_tables(whole, parts);
    }
}

TEST_CASE("a finished run says so, and is resumed to a later end as if that had been asked for") {
  const TemporaryFolder folder;
  const std::string whole = (folder.path() / "whole").string(), parts = (folder.path() / "parts").string();
  const std::vector<std::string> run{"run",       "helix_chain", "--set", "n=3",      "--step",
                                     "0.0078125", "--every",     "4",     "--format", "csv"};
  const Answer once = ask(run + std::vector<std::string>{"--end", "0.5", "--output", whole, "--json", "-"});
  REQUIRE(once.code == exit_ok);
  REQUIRE(ask(run + std::vector<std::string>{"--end", "0.25", "--output", parts}).code == exit_ok);
  const Answer finished = ask({"resume", parts, "--json", "-"});
  CHECK(finished.code == exit_ok);
  CHECK(contains(finished.err, "is finished, at t = 0.25 s; --end T takes it further"));
  CHECK(finished.json()["time"] == 0.25);
  CHECK(finished.json()["resumed_from"]["finished_before"] == true);
  CHECK(finished.json()["steps"] == 32);
  const Answer further = ask({"resume", parts, "--end", "0.5", "--json", "-"});
  REQUIRE(further.code == exit_ok);
  CHECK(further.json()["resumed_from"]["finished_before"] == false);
  CHECK(lasting(further.json()) == lasting(once.json()));
  check_same_tables(whole, parts);
  // The new end is kept.
  CHECK(contains(ask({"resume", parts}).err, "is finished, at t = 0.5 s"));
  const Answer back = ask({"resume", parts, "--end", "0.1"});
  CHECK(back.code == exit_bad_input);
  CHECK(contains(back.err, "has reached t = 0.5 s already, behind its end at 0.1 s"));
}

TEST_CASE("a stepper without copyable memory starts anew, and the report says so") {
  const std::string name = "ida";
  bool there = false;
  for (const StepperEntry& s : catalog().steppers()) there = there || s.name == name;
  if (!there) {
    MESSAGE("not tested: built without ida");
    return;
  }
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "out").string();
  REQUIRE(ask({"run", "rod_chain", "--set", "n=2", "--stepper", name, "--end", "0.1", "--output", path,
               "--format", "csv"})
              .code == exit_ok);
  const Answer further = ask({"resume", path, "--end", "0.2", "--json", "-"});
  CHECK(further.code == exit_ok);
  CHECK(further.json()["time"] == 0.2);
  CHECK(further.json()["resumed_from"]["restarted"] == true);
  CHECK(contains(further.err, "the stepper began anew there"));
}

TEST_CASE("a damaged checkpoint is refused with its reason and the one before it is used") {
  const TemporaryFolder folder;
  const std::string whole = (folder.path() / "whole").string(), parts = (folder.path() / "parts").string();
  const std::vector<std::string> run{
      "run",   "rod_chain", "--set",    "n=2", "--stepper", "i_generalized_alpha",
      "--end", "0.05",      "--format", "csv", "--json",    "-"};
  steps_until_stop = -1;
  const Answer once = ask(run + std::vector<std::string>{"--output", whole});
  steps_until_stop = 10;
  REQUIRE(ask(run + std::vector<std::string>{"--output", parts}).code == exit_interrupted);
  steps_until_stop = 10;
  REQUIRE(ask({"resume", parts}).code == exit_interrupted);
  steps_until_stop = -1;
  const std::vector<std::filesystem::path> files = RunFolder(parts).checkpoints();
  REQUIRE(files.size() == 2);
  std::string bytes = file_text(files[0]);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  std::ofstream(files[0], std::ios::binary) << bytes;
  const Answer answer = ask({"resume", parts, "--json", "-"});
  REQUIRE(answer.code == exit_ok);
  CHECK(contains(answer.err, "not used: " + files[0].string() + ": its checksum is wrong: it was damaged"));
  CHECK(lasting(answer.json()) == lasting(once.json()));
  CHECK(answer.json()["resumed_from"]["checkpoint"] == files[1].string());
  CHECK(answer.json()["resumed_from"]["refused"].size() == 1);
  check_same_tables(whole, parts);
  // Both gone: nothing to resume from, and no silent new beginning.
  for (const auto& file : RunFolder(parts).checkpoints()) std::filesystem::resize_file(file, 100);
  const Answer none = ask({"resume", parts});
  CHECK(none.code == exit_bad_input);
  CHECK(contains(none.err, "no checkpoint in " + parts + " can be used"));
}

TEST_CASE("a checkpoint of another run is refused by the first thing that differs") {
  const TemporaryFolder folder;
  const std::string a = (folder.path() / "a").string(), b = (folder.path() / "b").string();
  const std::vector<std::string> run{"run", "rod_chain", "--end", "0.01", "--format", "csv", "--output"};
  REQUIRE(ask(run + std::vector<std::string>{a, "--set", "n=2"}).code == exit_ok);
  const auto replaced = [&](const std::vector<std::string>& other) {
    REQUIRE(ask(run + std::vector<std::string>{b, "--overwrite"} + other).code == exit_ok);
    std::filesystem::copy_file(std::filesystem::path(a) / "checkpoint-1",
                               std::filesystem::path(b) / "checkpoint-1",
                               std::filesystem::copy_options::overwrite_existing);
    const Answer answer = ask({"resume", b});
    CHECK(answer.code == exit_bad_input);
    return answer.err;
  };
  CHECK(contains(replaced({"--set", "n=3"}),
                 "it belongs to another run: parameter n is \"2\" there and \"3\" here"));
  CHECK(contains(replaced({"--set", "n=2", "--option", "rho_inf=0.5"}), "option rho_inf is"));
  CHECK(contains(replaced({"--set", "n=2", "--stepper", "lie_dae"}), "stepper is"));
  CHECK(contains(replaced({"--set", "n=2", "--backend", "klu"}), "back end is"));
  CHECK(contains(replaced({"--set", "n=2", "--step", "0.005"}), "step is"));
}

TEST_CASE("what is no folder of a run is refused in a sentence, and run.json is not trusted when changed") {
  const TemporaryFolder folder;
  const std::string none = (folder.path() / "none").string(), out = (folder.path() / "out").string();
  CHECK(contains(ask({"resume", none}).err, "there is no folder " + none));
  CHECK(contains(ask({"resume", folder.path().string()}).err, "run.json is missing"));
  CHECK(ask({"resume", none}).code == exit_bad_input);
  CHECK(ask({"resume"}).code == exit_bad_input);
  REQUIRE(ask({"run", "rod_chain", "--end", "0.01", "--output", out, "--format", "csv"}).code == exit_ok);
  const std::filesystem::path file = std::filesystem::path(out) / "run.json";
  const std::string text = file_text(file);
  // No flip of any byte may crash or pass with another request.
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string changed = text;
    changed[k] = static_cast<char>(changed[k] ^ 1);
    std::ofstream(file, std::ios::binary) << changed;
    std::string problem, why;
    try {
      problem = RunFolder(out).request().scenario.problem;
    } catch (const std::exception& error) {
      why = error.what();
    }
    CHECK((problem == "rod_chain" || contains(why, file.string())));
  }
  for (std::size_t k = 0; k + 2 < text.size(); ++k) {
    std::ofstream(file, std::ios::binary) << text.substr(0, k);
    CHECK(ask({"resume", out}).code == exit_bad_input);
  }
  std::ofstream(file, std::ios::binary) << text;
  CHECK(ask({"resume", out}).code == exit_ok);
}

TEST_CASE(
    "the run of a model file is resumed from its copy, with everything that was included, wherever the file "
    "went") {
  const TemporaryFolder folder;
  const std::filesystem::path models = folder.path() / "models";
  const std::string out = (folder.path() / "out").string(), whole = (folder.path() / "whole").string();
  std::filesystem::create_directories(models / "parts");
  std::ofstream(models / "pair.yaml")
      << "include: parts/bodies.yaml\n"
         "joints:\n"
         "  - {type: spherical, name: hook, bodies: [ground, a], point_b: [-0.5, 0, 0]}\n"
         "run: {stepper: i_generalized_alpha, step: 2 ms, end: 0.1 s, format: csv}\n";
  std::ofstream(models / "parts" / "bodies.yaml")
      << "gravity: [0, 0, -9.81]\n"
         "bodies:\n"
         "  - {name: a, mass: 2 kg, solid: {box: [1 m, 10 cm, 10 cm]}, position: [0.5, 0, 0]}\n";
  const std::string file = (models / "pair.yaml").string();
  steps_until_stop = -1;
  const Answer once = ask({"run", file, "--output", whole, "--json", "-"});
  INFO(once.err);
  REQUIRE(once.code == exit_ok);
  steps_until_stop = 7;
  REQUIRE(ask({"run", file, "--output", out}).code == exit_interrupted);
  std::filesystem::remove_all(models);
  const Answer rest = ask({"resume", out, "--json", "-"});
  INFO(rest.err);
  REQUIRE(rest.code == exit_ok);
  for (const char* key :
       {"positions", "quaternions", "velocities", "multipliers", "steps", "energy_error_max"})
    CHECK(rest.json()[key] == once.json()[key]);
  check_same_tables(whole, out);
  const std::filesystem::path copy = std::filesystem::path(out) / "model" / "parts" / "bodies.yaml";
  REQUIRE(std::filesystem::exists(copy));
  std::ofstream(copy, std::ios::app) << "# touched\n";
  const Answer changed = ask({"resume", out});
  CHECK(changed.code == exit_bad_input);
  CHECK(contains(changed.err,
                 copy.string() + ", a copy of the model, was damaged or changed since the run began"));
  std::filesystem::remove(copy);
  CHECK(contains(ask({"resume", out}).err, copy.string() + ", a copy of the model, is missing"));
}

TEST_CASE("a run without a checkpoint yet begins anew; a new run in the same folder forgets the old one") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::vector<std::string> run{"run", "rod_chain", "--end", "0.01", "--output", out, "--format", "csv"};
  REQUIRE(ask(run).code == exit_ok);
  std::filesystem::remove(std::filesystem::path(out) / "checkpoint-1");
  const Answer anew = ask({"resume", out, "--json", "-"});
  CHECK(anew.code == exit_ok);
  CHECK(contains(anew.err, "there is no checkpoint in " + out + " yet: the run begins anew"));
  CHECK(anew.json()["resumed_from"].is_null());
  REQUIRE(ask({"resume", out, "--end", "0.02"}).code == exit_ok);
  CHECK(checkpoints_in(out) == 2);
  REQUIRE(ask(run + std::vector<std::string>{"--overwrite"}).code == exit_ok);
  CHECK(checkpoints_in(out) == 1);
}

TEST_CASE("a run of a model file without a checkpoint yet begins anew from the copies in its folder") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "parts");
  std::ofstream(folder.path() / "parts/bodies.yaml")
      << "bodies:\n  - {name: stone, mass: 2, motion: point}\n";
  const std::string model = (folder.path() / "fall.yaml").string(), out = (folder.path() / "out").string();
  std::ofstream(model) << "include: parts/bodies.yaml\ngravity: [0, 0, -10]\n";
  const std::vector<std::string> run{"run", model,      "--step", "0.01",     "--end",
                                     "0.1", "--output", out,      "--format", "csv"};
  REQUIRE(ask(run).code == exit_ok);
  const std::filesystem::path results = std::filesystem::path(out) / "scalars.csv";
  const std::string once = file_text(results);
  std::filesystem::remove(std::filesystem::path(out) / "checkpoint-1");
  std::filesystem::remove(model);
  std::ofstream(results, std::ios::trunc) << "half of a line";
  for (int k = 0; k < 2; ++k) {
    const Answer anew = ask({"resume", out});
    CAPTURE(anew.err);
    REQUIRE(anew.code == exit_ok);
    CHECK(file_text(results) == once);
    std::filesystem::remove(std::filesystem::path(out) / "checkpoint-1");
  }
  // The copy itself as the model of a new run.
  const std::filesystem::path copy = std::filesystem::path(out) / "model" / "fall.yaml";
  REQUIRE(ask({"run", copy.string(), "--step", "0.01", "--end", "0.1", "--output", out, "--format", "csv",
               "--overwrite"})
              .code == exit_ok);
  CHECK(file_text(results) == once);
}

TEST_CASE("a folder with the results of a run is refused; --overwrite replaces them and nothing else") {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "out", own = out / "notes.txt";
  const std::vector<std::string> first{"run",  "rod_chain", "--set",      "n=2",      "--end",
                                       "0.01", "--output",  out.string(), "--format", "csv,vtk"};
  const std::vector<std::string> second{"run", "simple_pendulum", "--end",     "0.01", "--format",
                                        "csv", "--output",        out.string()};
  REQUIRE(ask(first).code == exit_ok);
  std::ofstream(own) << "mine\n";
  const std::string kept = file_text(out / "scalars.csv");
  const Answer refused = ask(second);
  CHECK(refused.code == exit_bad_input);
  CHECK(contains(refused.err, "--output " + out.string() +
                                  ": the folder holds the results of a run of rod_chain with n=2"));
  CHECK(contains(refused.err, "--overwrite"));
  CHECK(ask(first).code == exit_bad_input);  // also the same again
  CHECK(file_text(out / "scalars.csv") == kept);

  REQUIRE(ask(second + std::vector<std::string>{"--overwrite"}).code == exit_ok);
  CHECK(file_text(out / "scalars.csv") != kept);
  CHECK(!std::filesystem::exists(out / "motion.pvd"));
  CHECK(!std::filesystem::exists(out / "vtk"));
  CHECK(file_text(own) == "mine\n");

  std::filesystem::remove(out / "run.json");  // results of a program that keeps no run.json
  CHECK(contains(ask(second).err, "the folder holds scalars.csv"));
  CHECK(contains(ask({"run", "rod_chain", "--end", "0.01", "--overwrite"}).err,
                 "--overwrite needs --output DIR"));
}

TEST_CASE("a folder is written to by one run at a time") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::vector<std::string> run{"run", "rod_chain", "--end", "0.01", "--output", out, "--format", "csv"};
  REQUIRE(ask(run).code == exit_ok);
  {
    RunFolder other(out);
    other.lock();
    const Answer refused = ask({"resume", out});
    CHECK(refused.code == exit_bad_input);
    CHECK(contains(refused.err, "another run is writing to the folder " + out));
    CHECK(ask(run + std::vector<std::string>{"--overwrite"}).code == exit_cannot_write);
  }
  CHECK(ask({"resume", out}).code == exit_ok);
}

TEST_CASE("--checkpoint takes a time with a unit and needs a folder") {
  CHECK(parse_duration("10") == 10.0);
  CHECK(parse_duration("10s") == 10.0);
  CHECK(parse_duration("10 s") == 10.0);
  CHECK(parse_duration("2.5min") == 150.0);
  CHECK(parse_duration("1h") == 3600.0);
  for (const char* bad : {"", "s", "-1", "10  s", " s", "1d", "nan", "inf", "1e999h", "10ss", "1e308h"})
    CHECK_FALSE(parse_duration(bad));
  CHECK(contains(ask({"run", "rod_chain", "--checkpoint", "10s"}).err, "--checkpoint needs --output DIR"));
  const TemporaryFolder folder;
  const Answer bad = ask({"run", "rod_chain", "--checkpoint", "10x", "--output", folder.path().string()});
  CHECK(bad.code == exit_bad_input);
  CHECK(contains(bad.err, "a time is a number with s, min, h"));
}

TEST_CASE("a checkpoint after every step costs nothing but time, and two are kept") {
  const TemporaryFolder folder;
  const std::string plain = (folder.path() / "plain").string(), often = (folder.path() / "often").string();
  const std::vector<std::string> run{"run", "rod_chain", "--end", "0.02", "--json", "-", "--format", "csv"};
  const Answer a = ask(run + std::vector<std::string>{"--output", plain});
  const Answer b = ask(run + std::vector<std::string>{"--output", often, "--checkpoint", "1e-9"});
  CHECK(lasting(a.json()) == lasting(b.json()));
  check_same_tables(plain, often);
  const std::vector<std::filesystem::path> files = RunFolder(often).checkpoints();
  REQUIRE(files.size() == 2);
  CHECK(files[0].filename().string() > "checkpoint-20");
  for (const auto& entry : std::filesystem::directory_iterator(often))
    CHECK_FALSE(entry.path().extension() == ".part");
}

TEST_CASE("results that were removed or cut off are not continued, and the advice is one that works") {
  struct Damage {
    const char *file, *why;
    bool removed;
  };
  for (const Damage& d : {Damage{"scalars.csv", "it is not there", true},
                          {"scalars.csv", "it was cut off within its header", false},
                          {"bodies.csv", "it is not there", true},
                          {"results.h5", "it is not there, or no HDF5 file", true},
                          {"results.h5", "it is not there, or no HDF5 file", false}}) {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "out", file = out / d.file;
    REQUIRE(ask({"run", "simple_pendulum", "--end", "0.1", "--output", out.string()}).code == exit_ok);
    if (!std::filesystem::exists(file)) continue;  // built without HDF5
    CAPTURE(d.file);
    CAPTURE(d.removed);
    const std::filesystem::path kept = folder.path() / "kept";
    std::filesystem::copy_file(file, kept);
    if (d.removed)
      std::filesystem::remove(file);
    else
      std::filesystem::resize_file(file, 20);
    const Answer a = ask({"resume", out.string(), "--end", "0.2", "--json", "-"});
    CHECK(a.code == exit_cannot_write);
    CHECK(a.err.find("cannot resume " + file.string() + ": " + d.why) != std::string::npos);
    CHECK(a.err.find("nothing was computed") != std::string::npos);
    CHECK(a.err.find("continues from there") == std::string::npos);
    const Json written = a.json()["files"];
    if (d.removed) CHECK(std::find(written.begin(), written.end(), file.string()) == written.end());

    // Both pieces of advice.
    std::filesystem::copy_file(kept, file, std::filesystem::copy_options::overwrite_existing);
    CHECK(ask({"resume", out.string(), "--end", "0.2"}).code == exit_ok);
    std::filesystem::remove(file);
    CHECK(ask({"run", "simple_pendulum", "--end", "0.1", "--output", out.string(), "--overwrite"}).code ==
          exit_ok);
    CHECK(std::filesystem::exists(file));
  }
}

TEST_CASE("a checkpoint with other lengths and a right checksum is refused, and says which length") {
  const TemporaryFolder folder;
  int refused = 0;
  for (const std::string stepper :
       {"generalized_alpha", "lie_dae", "alpha_rattle", "discrete_action", "dormand_prince"}) {
    CAPTURE(stepper);
    const std::string run = (folder.path() / stepper).string();
    REQUIRE(ask({"run", "rod_chain", "--set", "n=2", "--stepper", stepper, "--end", "0.02", "--format", "csv",
                 "--output", run})
                .code == exit_ok);
    const std::vector<std::filesystem::path> files = RunFolder(run).checkpoints();
    REQUIRE(!files.empty());
    for (std::size_t k = 1; k < files.size(); ++k) std::filesystem::remove(files[k]);
    const Checkpoint whole = checkpoint_from(file_text(files[0]));
    struct Part {
      const char* name;
      std::vector<double> State::*member;
    };
    for (const Part& part : {Part{"positions", &State::q},
                             {"velocities", &State::v},
                             {"accelerations", &State::a},
                             {"multipliers", &State::lambda},
                             {"memory", &State::memory},
                             {"discrete values", &State::discrete}})
      for (const int change : {-1, 1, 1000000}) {
        CAPTURE(part.name);
        CAPTURE(change);
        Checkpoint changed = whole;
        std::vector<double>& numbers = changed.state.*part.member;
        if (change < 0 && numbers.empty()) continue;
        numbers.resize(numbers.size() + static_cast<std::size_t>(change), 0.25);
        std::ofstream(files[0], std::ios::binary) << to_bytes(changed);
        const Answer answer = ask({"resume", run, "--end", "0.04"});
        CAPTURE(answer.err);
        CHECK(answer.code == exit_bad_input);
        CHECK(contains(answer.err, files[0].string()));
        CHECK(contains(answer.err, part.name));
        CHECK(contains(answer.err, std::to_string(numbers.size())));
        ++refused;
      }
    std::ofstream(files[0], std::ios::binary) << to_bytes(whole);
    CHECK(ask({"resume", run, "--end", "0.04"}).code == exit_ok);
  }
  CHECK(refused > 5 * 15);
}

}  // namespace resume_tests
