// The program in this process: arguments in, exit code and text out.
#include <catena/cli/cli.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/progress.hpp>
#include <catena/stepper/simple_stepper.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

namespace program_tests {

using namespace catena;
using namespace catena::detail;
using catena_test::Answer;
using catena_test::file_text;
using catena_test::TemporaryFolder;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;
using Json = nlohmann::json;

namespace {

// Fails from 0.5 s on.
struct BreakingStepper : ToyStepper {
  BreakingStepper() {
    fails = [](double t, double) { return t > 0.45 ? Status::newton_not_converged : Status::ok; };
  }
};
struct CannotStart : ToyStepper {
  CannotStart() {
    fails = [](double, double) { return Status::inconsistent_start; };
  }
};

// A user's problem in its own coordinates.
struct ToyProblem : Problem {
  double gain = 1.0;
  std::string summary() const override { return "a mass point on a rod"; }
  void visit(OptionVisitor& v) override { v.real({"gain", "1", "changes nothing", 0.0, 2.0}, gain); }
  std::unique_ptr<System> own_system() const override { return std::make_unique<ToyPendulum>(); }
  ProblemDefaults defaults() const override { return {"toy", 0.1, 1.0}; }
};

// A user's model that makes no sense.
struct BadModel : Problem {
  std::string summary() const override { return "a body without mass"; }
  void visit(OptionVisitor&) override {}
  Model model() const override {
    Model m;
    m.add(Body{.name = "ghost", .mass = -1.0});
    return m;
  }
  ProblemDefaults defaults() const override { return {"toy", 0.1, 1.0}; }
};

struct Plane {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  std::string name;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& a, const S&) const {
    return {{a.x[2]}};
  }
};

struct Rope {
  static constexpr int rows = 1;
  static constexpr const char* summary = "keeps two centres at right angles";
  std::array<BodyId, 2> bodies;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& a, const BodyFrame<S>& b, const S&) const {
    return {{dot(a.x, b.x)}};
  }
};

// Starts off its constraint.
struct Inconsistent : Problem {
  std::string summary() const override { return "a joint that does not close"; }
  void visit(OptionVisitor&) override {}
  Model model() const override {
    Model m;
    const BodyId body = m.add(Body{.name = "plate", .position = {{0.0, 0.0, 0.25}}});
    m.add(Plane{{body}, "floor"});
    return m;
  }
  ProblemDefaults defaults() const override { return {"toy", 0.1, 1.0}; }
};

// Semi-implicit Euler, which is not symmetric.
struct Claims : SimpleStepper {
  const Traits& traits() const override {
    static const Traits promised = [] {
      Traits t{.name = "claims"};
      t.order_q = t.order_v = t.order_lambda = 1;
      t.symmetric = true;
      return t;
    }();
    return promised;
  }
  KktReport advance(State& s, double h) override {
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += h * s.a[k];
    move(s, s.v, h);
    s.t += h;
    return close(s);
  }
};

const Catalog& catalog() {
  static const Catalog made = [] {
    Catalog c = builtin();
    c.add<Claims>("claims");
    c.add<ToyStepper>("toy").add<BreakingStepper>("breaking").add<CannotStart>("cannot_start");
    c.add<ToyProblem>("toy_pendulum").add<BadModel>("bad_model").add<Inconsistent>("inconsistent");
    return c;
  }();
  return made;
}

Answer ask(const std::vector<std::string>& arguments, const std::atomic<bool>* stop = nullptr) {
  return catena_test::ask(arguments, catalog(), stop);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a run reports on stdout and ends with 0") {
  const Answer a = ask({"run", "toy_pendulum", "--set", "gain=0.5", "--step", "0.05", "--end", "0.5"});
  CHECK(a.code == exit_ok);
  CHECK(a.err == "");
  CHECK(contains(a.out, "toy_pendulum"));
  CHECK(contains(a.out, "gain = 0.5"));
  CHECK(contains(a.out, "ok: reached t = 0.5 s"));
}

TEST_CASE("--json - leaves stdout to one JSON object") {
  const Answer a = ask({"run", "toy_pendulum", "--json", "-"});
  CHECK(a.code == exit_ok);
  const Json json = Json::parse(a.out);
  CHECK(json["problem"] == "toy_pendulum");
  CHECK(json["steps"] == 10);
  CHECK(json["exit_status"] == 0);
  CHECK(contains(a.err, "Catena"));
}

TEST_CASE("built-in problems run with both steppers, and the final values have the right shapes") {
  for (const char* stepper : {"generalized_alpha", "discrete_action"}) {
    CAPTURE(stepper);
    const Answer a =
        ask({"run", "helix_chain", "--set", "n=5", "--end", "0.05", "--stepper", stepper, "--json", "-"});
    REQUIRE(a.code == exit_ok);
    const Json json = Json::parse(a.out);
    CHECK(json["bodies"] == 5);
    CHECK(json["steps"] == 50);
    CHECK(json["status"] == "ok");
    for (const char* key : {"positions", "velocities", "angular_velocities"}) {
      REQUIRE(json[key].size() == 5);
      CHECK(json[key][0].size() == 3);
    }
    REQUIRE(json["quaternions"].size() == 5);
    REQUIRE(json["quaternions"][0].size() == 4);
    CHECK(std::abs(json["quaternions"][0][0].get<double>()) > 0.99);  // scalar first: hardly turned yet
    CHECK(json["multipliers"].size() >= 15);
    CHECK(json["constraints"][0]["rows"] == 3);
    CHECK(json["position_residual_max"].get<double>() <= 1e-11);
    CHECK(json["energy_error_max"].get<double>() <= 1e-4);
    CHECK(json["parameters"]["n"] == 5);
  }
}

TEST_CASE("redundant joints are named on the terminal and in the JSON, with any back end and stepper") {
  for (const std::vector<std::string>& how : std::vector<std::vector<std::string>>{
           {"--backend", "ldl"}, {"--backend", "klu"}, {"--stepper", "discrete_action"}}) {
    std::vector<std::string> words{"run", "four_bar", "--set", "twin=true", "--end", "0.01", "--json", "-"};
    words.insert(words.end(), how.begin(), how.end());
    const Answer a = ask(words);
    REQUIRE(a.code == exit_ok);
    const Json found = Json::parse(a.out)["redundancy"];
    CHECK(found["proven"] == true);
    CHECK(found["rows"].get<int>() - found["rank"].get<int>() == 6);
    REQUIRE(found["dependencies"].size() == 1);  // the twin shares a hinge with the loop
    CHECK(found["dependencies"][0]["constraints"].size() == 5);
    CHECK(contains(a.err, "constraint rows are redundant: 6 among joint \"a\" (revolute)"));
    CHECK(
        contains(a.err, "\nRedundant rows                               6   6 among joint \"a\" (revolute)"));
  }
  const Json sound = Json::parse(ask({"run", "rod_chain", "--end", "0.01", "--json", "-"}).out)["redundancy"];
  CHECK(sound["suspected"] == false);
  CHECK(sound["rank"] == sound["rows"]);
}

TEST_CASE("--output writes time series and the report, at every K-th instant") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "series").string();
  const Answer a =
      ask({"run", "rod_chain", "--set", "n=2", "--end", "0.01", "--every", "5", "--output", path});
  CHECK(a.code == exit_ok);
  const std::string bodies = file_text(folder.path() / "series" / "bodies.csv");
  CHECK(std::count(bodies.begin(), bodies.end(), '\n') == 1 + 3 * 2);  // instants 0, 5, 10 ms of two bodies
  CHECK(Json::parse(file_text(folder.path() / "series" / "report.json"))["problem"] == "rod_chain");
  CHECK(contains(file_text(folder.path() / "series" / "points.csv"), ",tip,2,"));
  CHECK(contains(a.out, "scalars.csv"));
}

TEST_CASE("output that cannot be written ends with 3") {
  Answer a = ask({"run", "toy_pendulum", "--output", "/proc/nowhere"});
  CHECK(a.code == exit_cannot_write);
  CHECK(contains(a.err, "cannot create the folder /proc/nowhere: No such file or directory\n"));
  a = ask({"run", "toy_pendulum", "--json", "/nonexistent/report.json"});
  CHECK(a.code == exit_cannot_write);
  CHECK(contains(a.err, "/nonexistent/report.json"));
}

TEST_CASE("an output that takes nothing ends with 3, and a mistake with its own exit code all the same") {
  std::ostringstream errors;
  const auto code_of = [&](std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    std::streambuf *const out = std::cout.rdbuf(nullptr), *const err = std::cerr.rdbuf(errors.rdbuf());
    const int code = cli(static_cast<int>(arguments.size()), arguments.data(), Catalog());
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    return code;
  };
  CHECK(code_of({"catena", "version"}) == exit_cannot_write);
  CHECK(code_of({"catena", "run", "nothing of that name"}) == exit_bad_input);
  CHECK(contains(errors.str(), "nothing of that name"));
}

TEST_CASE("a report for which there is no memory leaves the results of its run, and says where they are") {
  struct NoMemory : std::streambuf {
    int overflow(int) override { throw std::bad_alloc(); }
  } no_memory;
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  std::ostream report(&no_memory);
  report.exceptions(std::ios::badbit);
  std::ostringstream err;
  const int code = cli({"run", "simple_pendulum", "--end", "0.01", "--output", out}, builtin(),
                       Console{report, err, false, nullptr});
  CHECK(code == exit_cannot_write);
  CHECK(err.str() ==
        "catena: not enough memory for the report of this run, which has ended: ok: reached t = 0.01 s; its "
        "results are in " +
            out + "\n");
  CHECK(std::filesystem::exists(folder.path() / "out" / "scalars.csv"));
}

TEST_CASE("the format vtk for a system without bodies is a request that makes no sense") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "out").string();
  for (const char* format : {"vtk", "csv,vtk"}) {
    const Answer a = ask({"run", "toy_pendulum", "--format", format, "--output", path});
    CHECK(a.code == exit_bad_input);
    CHECK(
        a.err ==
        "catena: --format " + std::string(format) +
            ": the format \"vtk\" shows bodies, and this system has coordinates alone: choose csv or hdf5\n");
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(ask({"run", "toy_pendulum", "--format", "vtk"}).code == exit_bad_input);  // no --output
}

TEST_CASE("the interval of results is an option of the command line and a key of a file") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), file = (folder.path() / "one.yaml").string();
  CHECK(ask({"run", "toy_pendulum", "--interval", "0.5", "--output", out}).code == exit_ok);
  CHECK(Json::parse(file_text(folder.path() / "out" / "run.json"))["settings"]["interval"] == 0.5);
  Answer a = ask({"run", "toy_pendulum", "--interval", "0"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "--interval 0"));
  const auto write = [&](const char* interval) {
    std::ofstream(file) << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\nrun: {end: 0.01, interval: "
                        << interval << "}\n";
  };
  write("100 ms");
  CHECK(ask({"run", file, "--output", out, "--overwrite"}).code == exit_ok);
  CHECK(Json::parse(file_text(folder.path() / "out" / "run.json"))["settings"]["interval"] == 0.1);
  write("7200");
  a = ask({"run", file});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "one.yaml:2:28: run: interval must be at most 3600, is 7200"));
}

TEST_CASE("a numerical failure ends with 1, names the culprit, and keeps what was computed") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  const Answer a = ask({"run", "toy_pendulum", "--stepper", "breaking", "--json", "-", "--output", path});
  CHECK(a.code == exit_run_ended_early);
  const Json json = Json::parse(a.out);
  CHECK(json["status"] == "step_too_small");
  CHECK(json["cause"] == "newton_not_converged");
  CHECK(json["culprit"]["name"] == "rod (distance)");
  CHECK(json["exit_status"] == 1);
  CHECK(json["steps"] == 5);
  CHECK(contains(a.err, "rod (distance)"));
  const std::string scalars = file_text(folder.path() / "scalars.csv");
  CHECK(std::count(scalars.begin(), scalars.end(), '\n') == 1 + 6);
}

TEST_CASE("failures before the first step still give valid JSON with a status") {
  Answer a = ask({"run", "toy_pendulum", "--stepper", "cannot_start", "--json", "-"});
  CHECK(a.code == exit_run_ended_early);
  CHECK(Json::parse(a.out)["status"] == "inconsistent_start");

  a = ask({"run", "bad_model", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(Json::parse(a.out)["status"] == "error");
  CHECK(contains(Json::parse(a.out)["error"], "ghost"));
  CHECK(contains(a.err, "mass must be positive"));

  a = ask({"run", "inconsistent", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(Json::parse(a.out)["error"], "floor"));
  CHECK(contains(Json::parse(a.out)["error"], "0.25"));

  a = ask({"run", "toy_pendulum", "--set", "gain=3", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(Json::parse(a.out)["exit_status"] == 2);
}

TEST_CASE("a stepper that cannot take the system is bad input, and says why") {
  const Answer a = ask({"run", "toy_pendulum", "--stepper", "discrete_action", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(Json::parse(a.out)["status"] == "unsupported");
}

TEST_CASE("the refusal of a pair says why, and names the steppers that would do and no other") {
  const Answer a = ask({"run", "snakeboard", "--stepper", "discrete_action"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "acts on velocities"));
  const std::size_t list = a.err.find("steppers that take snakeboard with their default options: ");
  REQUIRE(list != std::string::npos);
  const std::string names = a.err.substr(list + 58);
  CHECK(contains(names, "generalized_alpha"));
  CHECK(contains(names, "lie_dae"));
  CHECK_FALSE(contains(names, "discrete_action"));
  CHECK(contains(a.out, "Steps"));  // the report is there, without steps

  // A stepper whose options are at fault is itself among those that would do.
  const Answer b = ask({"run", "rod_chain", "--option", "rho_inf=1", "--json", "-"});
  CHECK(b.code == exit_bad_input);
  const Json json = Json::parse(b.out);
  CHECK(json["status"] == "unsupported");
  CHECK(json["steps"] == 0);
  CHECK(contains(json["termination"], "default options: generalized_alpha, "));
}

#ifdef CATENA_HAS_SUNDIALS
TEST_CASE("ida refuses redundant rows by naming who takes them, and a back end that it would not use") {
  const Answer loop = ask({"run", "four_bar", "--stepper", "ida"});
  CHECK(loop.code == exit_bad_input);
  CHECK(contains(loop.err, "ida takes no redundant rows, and those of joint"));
  const std::size_t list = loop.err.find("default options: ");
  REQUIRE(list != std::string::npos);
  CHECK(contains(loop.err.substr(list), "discrete_action"));
  CHECK_FALSE(contains(loop.err.substr(list), "ida"));

  const Answer chosen = ask({"run", "simple_pendulum", "--stepper", "ida", "--backend", "eigen_lu"});
  CHECK(chosen.code == exit_bad_input);
  CHECK(contains(chosen.err, "stepper ida solves its linear systems by KLU and takes no other back end"));
  const Answer own = ask({"run", "simple_pendulum", "--stepper", "ida", "--end", "0.01", "--json", "-"});
  CHECK(own.code == exit_ok);
  CHECK(Json::parse(own.out)["backend"] == "KLU");
}
#endif

TEST_CASE("absurd steps are named, with what would be right") {
  const Answer none = ask({"run", "simple_pendulum", "--end", "1e-320"});
  CHECK(none.code == exit_bad_input);
  CHECK(contains(none.err, "steps that are too small to be distinguished: the smallest is 1e-12 s"));

  const Answer large = ask({"run", "heavy_top", "--step", "10", "--end", "100"});
  CHECK(large.code == exit_run_ended_early);
  CHECK(contains(large.err, "a step of 10 s was asked for and cut 10 times: take a smaller one"));

  // After a step of 1 s the mass would be where the spring begins, which then has no direction.
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "spring.yaml").string();
  std::ofstream(file)
      << "bodies: [{name: mass, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: "
         "[-0.75, 0, 0]}]\n"
         "forces: [{type: spring_damper, bodies: [ground, mass], stiffness: 1, rest_length: 0.5}]\n";
  const Answer nowhere = ask({"run", file, "--stepper", "generalized_alpha", "--step", "1", "--end", "2"});
  CHECK(contains(nowhere.out, "no accelerations on the way of a step of 1 s, which is too long"));

  const Answer small = ask({"run", "helix_chain", "--set", "n=10", "--step", "1e-9", "--end", "1e-7"});
  CHECK(small.code == exit_run_ended_early);
  CHECK(contains(small.err, "makes multipliers noise with steps of 1e-09 s: take index = 2, or steps above"));
  CHECK(contains(small.out, "Noise of multipliers"));
}

TEST_CASE(
    "steps that end at dependent rows are distinguished from a motion that ends there by a smaller step") {
  // The motion passes near dependent rows at 5.194 s; half the step shows it.
  const auto with = [](const char* step) {
    return ask({"run", "snakeboard", "--set", "force=-20", "--end", "5.5", "--stepper", "alpha_rattle",
                "--step", step});
  };
  const Answer coarse = with("1e-3");
  CHECK(coarse.code == exit_run_ended_early);
  CHECK(contains(coarse.err, "\"back wheels\" of \"snakeboard\""));
  CHECK(contains(coarse.err,
                 "take a smaller step than 0.001 s: where the motion itself ends, it ends at the same time"));
  CHECK(with("5e-4").code == exit_ok);
}

TEST_CASE("the listing of steppers opens with a table of what each promises") {
  const std::string text = ask({"list", "steppers"}).out;
  const auto row = [&](const std::string& name) {
    const std::size_t at = text.find("  " + name + " ");
    REQUIRE(at != std::string::npos);
    std::istringstream line(text.substr(at, text.find('\n', at) - at));
    std::vector<std::string> cells;
    for (std::string cell; line >> cell;) cells.push_back(cell);
    return cells;
  };
  // name, orders, residuals, symmetric, reversible, symplectic, variable, control, copy, velocity rows, reaction forces,
  // coordinates
  CHECK(row("discrete_action") == std::vector<std::string>{"discrete_action", "2", "2", "2", "p", "v", "a",
                                                           "yes", "yes", "yes", "yes", "-", "yes", "-", "-",
                                                           "lagrangian"});
  CHECK(row("runge_kutta_4") == std::vector<std::string>{"runge_kutta_4", "4", "4", "0", "-", "-", "-", "-",
                                                         "yes", "-", "yes", "-", "-", "any"});
  CHECK(row("toy").back() == "any");
}

TEST_CASE("a raised stop flag ends with 130 and the result so far") {
  const std::atomic<bool> stop{true};
  const Answer a = ask({"run", "toy_pendulum", "--json", "-"}, &stop);
  CHECK(a.code == exit_interrupted);
  CHECK(Json::parse(a.out)["status"] == "stopped");
  CHECK(Json::parse(a.out)["positions"].is_array());
}

TEST_CASE("an interrupt signal raises the flag, and the handlers of before come back") {
  const auto own = [](int) {};
  const auto before = std::signal(SIGINT, own);
  {
    const InterruptFlag interrupt;
    const ListenToSignals listen;
    CHECK(!InterruptFlag::flag());
    std::raise(SIGINT);
    CHECK(InterruptFlag::flag());
    CHECK(InterruptFlag::signal() == SIGINT);
  }
  const bool restored = std::signal(SIGINT, before) == static_cast<void (*)(int)>(own);
  CHECK(restored);
}

TEST_CASE("the audit is a command: of one stepper on one problem, with an exit code") {
  Answer a = ask({"audit", "alpha_rattle", "simple_pendulum", "--option", "index=2"});
  CHECK(a.code == exit_ok);
  CHECK(contains(a.out, "simple_pendulum: 2 pairs"));  // the other is dormand_prince with fixed steps
  CHECK(contains(a.out, ", 0 failed,"));
  CHECK_FALSE(contains(a.out, "position residual"));
  a = ask({"audit", "alpha_rattle", "simple_pendulum", "--option", "index=2", "--all"});
  CHECK(contains(a.out, "alpha_rattle (index = 2) on simple_pendulum"));
  CHECK(contains(a.out, "position residual"));
  CHECK(contains(a.out, "symplectic") == false);  // it promises none

  a = ask({"audit", "claims", "simple_pendulum"});  // promises more than it keeps
  CHECK(a.code == exit_run_ended_early);
  CHECK(contains(a.out, "FAIL returns when turned back"));

  a = ask({"audit", "runge_kutta_4", "simple_pendulum"});
  CHECK(a.code == exit_ok);  // dormand_prince runs, and the reason of the other is listed
  CHECK(contains(ask({"audit", "runge_kutta_4", "simple_pendulum", "--all"}).out, "solves no constraints"));
  a = ask({"audit", "alpha_rattl"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "did you mean \"alpha_rattle\"?"));
  a = ask({"audit", "alpha_rattle", "heavy_tops"});
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "did you mean \"heavy_top\"?"));
  CHECK(contains(ask({"audit", "alpha_rattle", "--option", "indx=2"}).err, "did you mean \"index\"?"));
}

TEST_CASE("unknown names get the nearest ones suggested and end with 2") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"run", "bxo_chain"}, "\"box_chain\""},
      {{"run", "box_chain", "--stepper", "generalised_alpha"}, "did you mean \"generalized_alpha\"?"},
      {{"run", "box_chain", "--backend", "kul"}, "\"klu\""},
      {{"run", "rod_chain", "--set", "jiont=revolute"}, "did you mean \"joint\"?"},
      {{"run", "rod_chain", "--option", "rho=1"}, "did you mean \"rho_inf\"?"},
      {{"run", "rod_chain", "--stepp", "1"}, "did you mean \"--step\""},
      {{"rnu", "rod_chain"}, "did you mean \"run\"?"},
      {{"list", "stepers"}, "did you mean \"steppers\"?"},
      {{"--versoin"}, "did you mean \"--version\"?"},
  };
  for (const auto& c : cases) {
    const Answer a = ask(c.first);
    CAPTURE(a.err);
    CHECK(a.code == exit_bad_input);
    CHECK(a.out == "");
    CHECK(contains(a.err, c.second));
  }
}

TEST_CASE("malformed requests end with 2 and say what is wrong") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{}, "subcommand is required"},
      {{"run"}, "PROBLEM is required"},
      {{"run", "rod_chain", "extra"}, "extra"},
      {{"run", "rod_chain", "--step"}, "--step"},
      {{"run", "rod_chain", "--step", "1e-3s"}, "\"1e-3s\" is not a number"},
      {{"run", "rod_chain", "--step", "0"}, "out of range"},
      {{"run", "rod_chain", "--step", "-1"}, "out of range"},
      {{"run", "rod_chain", "--end", "inf"}, "\"inf\" is not a number"},
      {{"run", "rod_chain", "--every", "0"}, "0 is out of range [1, 1000000000]"},
      {{"run", "rod_chain", "--threads", "2.5"}, "\"2.5\" is not a whole number"},
      {{"run", "rod_chain", "--threads", "-1"}, "out of range [0, 1024]"},
      {{"run", "rod_chain", "--step", "1e-12", "--end", "1e9"}, "more than"},
  };
  for (const auto& c : cases) {
    const Answer a = ask(c.first);
    CAPTURE(a.err);
    CHECK(a.code == exit_bad_input);
    CHECK(contains(a.err, c.second));
  }
}

TEST_CASE("help and version go to stdout and end with 0") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"list", "--help"}, {"-h"}}) {
    const Answer a = ask(arguments);
    CHECK(a.code == exit_ok);
    CHECK(contains(a.out, "Usage: catena"));
    CHECK(a.err == "");
  }
  CHECK(contains(ask({"--help"}).out, "130  interrupted"));
  CHECK(contains(ask({"run", "--help"}).out, "box_chain"));
  CHECK(ask({"--version"}).out.starts_with("catena 0."));
}

TEST_CASE("every listing names what is in the catalog, a user's additions included") {
  const std::string problems = ask({"list", "problems"}).out, steppers = ask({"list", "steppers"}).out,
                    backends = ask({"list", "backends"}).out, constraints = ask({"list", "constraints"}).out,
                    forces = ask({"list", "forces"}).out;
  for (const char* name : {"box_chain", "straight_box_chain", "rod_chain", "helix_chain", "simple_pendulum",
                           "heavy_top", "toy_pendulum", "-997.8690896"})
    CHECK(contains(problems, name));
  for (const char* name : {"generalized_alpha", "discrete_action", "rho_inf", "symplectic", "toy", "[0, 1]"})
    CHECK(contains(steppers, name));
  for (const char* name : {"klu", "cholmod", "spqr", "eigen_lu", "ldl"}) CHECK(contains(backends, name));
  for (const char* name : {"spherical", "revolute", "distance", "5 position rows"})
    CHECK(contains(constraints, name));
  for (const char* name : {"point_force", "torque", "spring_damper", "N s/m"}) CHECK(contains(forces, name));
}

TEST_CASE("a catalog takes each name once, and joints and forces of users") {
  Catalog c;
  c.add<Rope>("rope");
  REQUIRE(c.constraints().size() == 1);
  CHECK(c.constraints()[0].rows == 1);
  CHECK(c.constraints()[0].bodies == 2);
  CHECK(c.constraints()[0].summary == "keeps two centres at right angles");
  CHECK_THROWS_AS(c.add<Rope>("rope"), std::invalid_argument);
  c.add<ToyStepper>("toy");
  CHECK_THROWS_AS(c.add<ToyStepper>("toy"), std::invalid_argument);
}

TEST_CASE("the progress bar shows the part done and the time left") {
  CHECK(ProgressBar::line(0.5, 1.0, 30.0) == "[###############---------------]  50 %   t = 1 s   0:30 left");
  CHECK(ProgressBar::line(0.0, 0.0, 1.0) == "[------------------------------]   0 %   t = 0 s");
  CHECK(contains(ProgressBar::line(0.01, 1.0, 60.0), "1:39:00 left"));
  CHECK(contains(ProgressBar::line(1.0, 2.0, 60.0), "100 %   t = 2 s   0:00 left"));
}

}  // namespace program_tests
