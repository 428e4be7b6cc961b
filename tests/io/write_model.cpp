// Models written and read again are the same models, bit for bit, and run to the same bits.
#include <catena/assembly/multibody_system.hpp>
#include <catena/cli/cli.hpp>
#include <catena/driver/run.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include "io/support_models.hpp"
#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

using namespace catena;
using namespace catena::detail;
using catena_test::Answer;
using catena_test::ask;
using catena_test::bits_of;
using catena_test::builtin_types;
using catena_test::read_text;
using catena_test::TemporaryFolder;

namespace {

const std::filesystem::path examples = catena_test::source_folder() / "problems/files";

State ten_steps(const Model& model, const Catalog& catalog, const char* stepper_name) {
  const MultibodySystem system(model);
  const std::unique_ptr<Stepper> stepper =
      catalog.stepper(stepper_name).setup()->make(catalog.backends().front().make, catalog.fallback());
  State state = system.initial_state();
  run(system, *stepper, state, {.step = 1e-3, .end = 0.01});
  return state;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

struct Unlisted {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "unlisted";
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& a, const S&) const {
    return {{a.x[2]}};
  }
};

}  // namespace

TEST_CASE(
    "every problem of the catalog with a model reads back to the same bits, and runs to the same bits") {
  const Catalog catalog = builtin();
  const ElementTypes types = catalog.element_types();
  int written = 0;
  for (const ProblemEntry& entry : catalog.problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    if (problem->own_system()) continue;
    const Model model = problem->model();
    const ModelFile again = read_text(write_model(model, types), types);
    CHECK(bits_of(again.model) == bits_of(model));
    const State a = ten_steps(model, catalog, "generalized_alpha"),
                b = ten_steps(again.model, catalog, "generalized_alpha");
    CHECK(same_bits(a.q, b.q));
    CHECK(same_bits(a.v, b.v));
    CHECK(same_bits(a.lambda, b.lambda));
    ++written;
  }
  CHECK(written >= 8);
}

TEST_CASE("the examples read, and read back, with their repetitions written out") {
  for (const char* name : {"chain.yaml", "net.yaml", "four_bar.yaml"}) {
    CAPTURE(name);
    const ModelFile file = read_model_file((examples / name).string(), builtin_types());
    CHECK(bits_of(read_text(write_model(file.model, builtin_types())).model) == bits_of(file.model));
  }
}

TEST_CASE("the order of pools is kept whatever the order of joints and forces was") {
  Model m;
  const BodyId a = m.add(Body{.name = "a"}), b = m.add(Body{.name = "b", .position = {{1.0, 0.0, 0.0}}});
  m.add(Torque{.bodies = {a}});
  m.add(DistanceConstraint{.bodies = {a, b}});
  m.add(SpringDamper{.bodies = {a, b}, .stiffness = 0.1, .rest_length = 1e-300});
  m.add(SphericalJoint{.bodies = {ground, a}});
  m.add(Torque{.bodies = {b}, .torque = {{-0.0, 1.0 / 3.0, 5e-324}}, .axes = Axes::body});
  const std::string text = write_model(m, builtin_types());
  CHECK(text.find("elements:") != std::string::npos);
  CHECK(bits_of(read_text(text).model) == bits_of(m));
}

TEST_CASE("numbers at the ends of their range and odd names come back") {
  Model m;
  m.gravity = {{-0.0, 0.0, 0.0}};
  const double tiny = std::numeric_limits<double>::denorm_min();
  m.add(Body{.name = "null", .mass = 1e150, .position = {{-1.3407807929942596e154, tiny, -0.0}}});
  for (const char* name : {"5",
                           "true",
                           "- a",
                           "a: b",
                           "# c",
                           "\"quoted\" \\ back",
                           "über µ",
                           " led",
                           "trail ",
                           "{i}",
                           "~",
                           "*x",
                           "a #b",
                           "'",
                           "it''s",
                           "a\xC2\x85z",
                           "\xC2\x80",
                           "\xC2\x9F\xC2\xA0",
                           "\xE2\x80\xA8 \xE2\x80\xA9",
                           "\xEF\xBB\xBF",
                           "\xEF\xBF\xBE\xEF\xBF\xBF",
                           "\xF0\x9F\x94\x97"})
    m.add(Body{.name = name,
               .orientation = {0.5, 0.5, -0.5, 0.5000000001},
               .velocity = {{0.1, 0.2, 0.30000000000000004}}});
  CHECK(bits_of(read_text(write_model(m, builtin_types())).model) == bits_of(m));
}

TEST_CASE("what has no form in a file is refused by name") {
  Model m;
  const BodyId a = m.add(Body{.name = "a"});
  m.add(Body{.name = "two\nlines"});
  m.add(Body{.name = "ground"});
  m.add(Body{.name = "latin \xE4"});
  m.add(Unlisted{{a}});
  try {
    write_model(m, builtin_types());
    FAIL("must throw");
  } catch (const ModelError& error) {
    const std::string what = error.what();
    for (const char* part : {"two\nlines", "body \"ground\": the name", "is not UTF-8",
                             "joint \"unlisted 0\" (unlisted): the catalog has no such type"}) {
      CAPTURE(part);
      CHECK(what.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("catena write gives a file that runs to the same end as the problem") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "chain.yaml").string();
  const std::vector<std::string> chain{"helix_chain", "--set", "n=5"};
  REQUIRE(ask({"write", "helix_chain", "--set", "n=5", "--output", path}).code == exit_ok);
  const auto values = [](const std::string& json) {
    return json.substr(json.find("\"positions\""), json.find("\"quaternions\"") - json.find("\"positions\""));
  };
  const Answer file = ask({"run", path, "--end", "0.05", "--json", "-"}),
               problem = ask({"run", "helix_chain", "--set", "n=5", "--end", "0.05", "--json", "-"});
  REQUIRE(file.code == exit_ok);
  REQUIRE(problem.code == exit_ok);
  CHECK(values(file.out).size() > 100);
  CHECK(values(file.out) == values(problem.out));
}

TEST_CASE("catena write refuses systems without bodies and files that cannot be written") {
  const Answer a = ask({"write", "snakeboard"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err ==
        "catena: problem snakeboard is a system in its own coordinates, without bodies: it has no form in a "
        "file\n");
  CHECK(ask({"write", "four_bar", "--output", "/nonexistent/x.yaml"}).code == exit_cannot_write);
}

TEST_CASE("the command line wins over the section run") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "m.yaml").string();
  std::ofstream(path)
      << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
         "run: {stepper: generalized_alpha, step: 10 ms, end: 0.1, options: {rho_inf: 0.6}}\n";
  Answer a = ask({"run", path});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("rho_inf = 0.6") != std::string::npos);
  CHECK(a.out.find("reached t = 0.1 s") != std::string::npos);
  a = ask({"run", path, "--option", "rho_inf=0.7", "--end", "0.2"});
  CHECK(a.out.find("rho_inf = 0.7") != std::string::npos);
  CHECK(a.out.find("reached t = 0.2 s") != std::string::npos);
  a = ask({"run", path, "--stepper", "lie_dae"});  // the options of the file belong to its own stepper
  CHECK(a.code == exit_ok);
}

TEST_CASE("a file may name a problem of the catalog and set its parameters") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "m.yaml").string();
  std::ofstream(path) << "problem: helix_chain\nset: {n: 7, gravity: 1620 mm/s^2}\nrun: {end: 0.01}\n";
  Answer a = ask({"run", path});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("n = 7") != std::string::npos);
  CHECK(a.out.find("gravity = 1.62") != std::string::npos);
  a = ask({"run", path, "--set", "n=3"});
  CHECK(a.out.find("n = 3") != std::string::npos);
}
