// A scenario is a value: text and back, equal or not, and a key of all that determines its result.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/math/detail/sha256.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

const Catalog& scenario_catalog() {
  static const Catalog catalog = builtin().add(yaml_models());
  return catalog;
}

std::string key(const Scenario& scenario) { return content_key(scenario, scenario_catalog()); }

Scenario helix() {
  Scenario scenario{.problem = "helix_chain", .step = 1e-3, .end = 0.01};
  scenario.set("n", 3);
  return scenario;
}

std::string complaint(const std::string& json) {
  try {
    scenario_from_json(json);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

// A spring that is slack below a height.
struct FarSpring {
  static constexpr const char* type_name = "far_spring";
  std::array<BodyId, 1> bodies;
  double limit = 100.0;  // [m]
  std::string name = {};

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    const S pull = A.x[2] > S(limit) ? S(limit) - A.x[2] : S(0.0);
    return {{S(0.0), S(0.0), pull, S(0.0), S(0.0), S(0.0)}};
  }
};
void visit(ElementVisitor& v, FarSpring& e) {
  v.bodies({"bodies", "", "the body"}, e.bodies.data(), 1);
  v.real({"limit", "m", "slack below"}, e.limit);
  v.text({"name", "", "for messages"}, e.name);
}

}  // namespace

TEST_CASE("SHA-256 gives the digests of FIPS 180-4 and of blocks that just fit or just do not") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256(std::string(55, 'a')) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(sha256(std::string(64, 'a')) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST_CASE("a scenario becomes text and the same scenario again, to the last bit") {
  Scenario scenario = helix();
  scenario.step = 0.1 + 0.2;
  scenario.tolerance = 1e-9;
  scenario.every = 7;
  scenario.max_cuts = 3;
  scenario.seed = 0xffffffffffffffffULL;
  scenario.record = "energy";
  scenario.precision = "float32";
  scenario.reactions = "norm:0.3";
  scenario.stepper = "generalized_alpha";
  scenario.backend = "klu";
  scenario.set("joint", "revolute").option("rho_inf", 0.9);
  const std::string text = to_json(scenario);
  CHECK(scenario_from_json(text) == scenario);
  CHECK(to_json(scenario_from_json(text)) == text);
  CHECK(to_json(Scenario{}) == "{}");
  CHECK(scenario_from_json("{}") == Scenario{});
}

TEST_CASE("equal scenarios have equal texts, whatever the order in which they were filled") {
  Scenario a{.problem = "helix_chain"}, b{.problem = "helix_chain"};
  a.set("n", 3).set("joint", "revolute");
  b.set("joint", "revolute").set("n", "3");
  CHECK(a == b);
  CHECK(to_json(a) == to_json(b));
  CHECK(scenario_from_json(R"({"parameters": {"n": "3", "joint": "revolute"}, "problem": "helix_chain"})") ==
        a);
}

TEST_CASE("what is no scenario is refused in a sentence") {
  CHECK(complaint("[1]") == "a scenario is one JSON object");
  CHECK(complaint(R"({"problm": "helix_chain"})") ==
        "no key of a scenario \"problm\": did you mean \"problem\"?");
  for (const char* broken : {"{", "", R"({"step": "fast"})", R"({"parameters": {"n": 3}})", R"({"seed": -1})",
                             R"({"seed": 1.5})", R"({"seed": 18446744073709551616})"}) {
    CAPTURE(broken);
    CHECK(complaint(broken).starts_with("a scenario cannot be read: "));
  }
  CHECK_THROWS_AS(to_json(Scenario{.model = std::make_shared<Model>()}), UsageError);
}

TEST_CASE("a model in memory becomes text and the same model again: the key stays") {
  const Catalog& catalog = scenario_catalog();
  int models = 0;
  for (const ProblemEntry& entry : catalog.problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    if (problem->own_system()) continue;
    ++models;
    Scenario scenario{.model = std::make_shared<Model>(problem->model()), .step = 1e-3, .end = 0.01};
    scenario.option("rho_inf", 0.9);
    const std::string text = to_json(scenario, catalog);
    const Scenario again = scenario_from_json(text, catalog);
    REQUIRE(again.model != nullptr);
    CHECK(key(again) == key(scenario));
    CHECK(to_json(again, catalog) == text);
    CHECK(again.options == scenario.options);
  }
  CHECK(models >= 8);
  CHECK(to_json(helix(), catalog) == to_json(helix()));  // without a model the catalog is not asked
}

TEST_CASE("a model without a text, and a text that is more than a model, are refused") {
  const Catalog without = builtin();
  const Scenario scenario{.model = std::make_shared<Model>(HelixChain({.n = 2}).model())};
  CHECK_THROWS_WITH_AS(
      to_json(scenario, without),
      "the catalog of this program writes no models as text; catalog.add(yaml_models()) of the "
      "component io adds that",
      UsageError);
  const std::string text = to_json(scenario, scenario_catalog());
  CHECK_THROWS_AS(scenario_from_json(text, without), UsageError);
  CHECK_THROWS_AS(scenario_from_json(text), UsageError);
  Model unnamed;
  unnamed.add(Body{.name = "ground"});
  CHECK_THROWS_AS(to_json(Scenario{.model = std::make_shared<Model>(unnamed)}, scenario_catalog()),
                  ModelError);
  for (const char* more : {"problem: helix_chain", "run: {end: 1}", "include: other.yaml"}) {
    CAPTURE(more);
    const std::string json =
        std::string(R"({"model": "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n)") + more + "\"}";
    CHECK_THROWS_AS(scenario_from_json(json, scenario_catalog()), FileError);
  }
}

TEST_CASE("the key is that of the completed scenario: a default that is written out changes nothing") {
  const Scenario plain = helix();
  CHECK(key(completed(plain, scenario_catalog())) == key(plain));
  Scenario default_rho = plain;
  default_rho.option("rho_inf", completed(plain, scenario_catalog()).options.at("rho_inf"));
  CHECK(key(default_rho) == key(plain));
  default_rho.options["rho_inf"] += "0";  // the same number in other digits
  CHECK(key(default_rho) == key(plain));
}

TEST_CASE("a seed is a part of the key where the problem is random, and nowhere else") {
  Scenario plain = helix(), seeded = helix();
  seeded.seed = 7;
  CHECK(key(plain) == key(seeded));
  CHECK(!completed(seeded, builtin()).seed);
  Scenario tree{.problem = "random_tree", .end = 0.01}, zero = tree, seven = tree;
  tree.set("n", 3);
  zero.set("n", 3);
  seven.set("n", 3);
  zero.seed = 0;
  seven.seed = 7;
  CHECK(key(tree) == key(zero));  // the default
  CHECK(key(tree) != key(seven));
  const Record record = run(seven, builtin());
  CHECK(record.key == key(seven));
  CHECK(record.report.seed == 7);
  CHECK(record.state.q == run(scenario_from_json(to_json(record.scenario)), builtin()).state.q);
  CHECK(record.state.q != run(tree, builtin()).state.q);
}

TEST_CASE("every change of what determines the result changes the key") {
  std::vector<Scenario> all(10, helix());
  all[1].set("n", 4);
  all[2].step = 2e-3;
  all[3].end = 0.02;
  all[4].stepper = "lie_dae";
  all[5].option("rho_inf", 0.5);
  all[6].backend = "klu";
  all[7].max_cuts = 1;
  all[8].every = 2;
  all[9].problem = "rod_chain";
  std::set<std::string> keys;
  for (const Scenario& scenario : all) keys.insert(key(scenario));
  CHECK(keys.size() == all.size());
}

TEST_CASE(
    "the key of a model file is that of its text, wherever it lies; that of a model is that of its numbers") {
  const catena_test::TemporaryFolder folder;
  const auto file = [&](const char* name, const char* mass) {
    std::ofstream(folder.path() / name) << "bodies: [{name: a, mass: " << mass << ", inertia: [1, 1, 1]}]\n";
    return Scenario{.problem = (folder.path() / name).string(), .end = 0.01};
  };
  const Scenario a = file("a.yaml", "1"), b = file("b.yaml", "1"), c = file("c.yaml", "2");
  CHECK(key(a) == key(b));
  CHECK(key(a) != key(c));

  const auto of_model = [](int n) {
    return Scenario{.model = std::make_shared<Model>(HelixChain({.n = n}).model()), .end = 0.01};
  };
  CHECK(key(of_model(3)) == key(of_model(3)));
  CHECK(key(of_model(3)) != key(of_model(4)));
}

TEST_CASE("models that differ only far from their initial state have different keys") {
  const auto with_limit = [](double limit) {
    auto model = std::make_shared<Model>(HelixChain({.n = 3}).model());
    model->add(FarSpring{.bodies = {BodyId{2}}, .limit = limit});
    return Scenario{.model = std::move(model), .end = 0.01};
  };
  CHECK(key(with_limit(100.0)) == key(with_limit(100.0)));
  CHECK(key(with_limit(100.0)) != key(with_limit(std::nextafter(100.0, 101.0))));

  // No checkpoint of the one is one of the other.
  Identity here, there;
  identify(here, MultibodySystem(*with_limit(100.0).model));
  identify(there, MultibodySystem(*with_limit(200.0).model));
  CHECK(difference(there, here).starts_with("checksum of joints and forces is "));
}
