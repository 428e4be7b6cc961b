// Steppers, options, members and quantities whose names are made at run time, as by a program in another language: what
// keeps a name keeps a copy.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

// Longer than what a string holds in itself.
const std::string stepper_name = "a_stepper_that_was_made_at_run_time";
const std::string gain_name = "a_gain_that_was_made_at_run_time";
const std::string strength_name = "a_strength_that_was_made_at_run_time";

// Text of one's own that is something else as soon as the call is over.
class Passing {
 public:
  explicit Passing(std::string text) : text_(std::move(text)) {}
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;
  ~Passing() { text_.assign(text_.size(), '?'); }
  const char* text() const { return text_.c_str(); }

 private:
  std::string text_;
};

struct MadeOptions {
  double gain = 0.25;
};
void visit(OptionVisitor& visitor, MadeOptions& options) {
  const Passing name(gain_name), unit("kg m^2/s^2 and some more"), meaning("what a program has thought of");
  visitor.real({name.text(), unit.text(), meaning.text(), 0.0, 1.0}, options.gain);
}

class Made : public GeneralizedAlpha {
 public:
  using Options = MadeOptions;
  explicit Made(const MadeOptions& options) : options_(options), traits_(GeneralizedAlpha::traits()) {
    traits_.name = stepper_name;
    traits_.summary = "generalized-alpha under the name " + stepper_name;
  }
  const Traits& traits() const override { return traits_; }
  std::string refuses(const System& system) const override {
    if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
    return GeneralizedAlpha::refuses(system);
  }

 private:
  MadeOptions options_;
  Traits traits_;
};

struct Breeze {
  static constexpr const char* type_name = "breeze";
  std::array<BodyId, 1> bodies{};
  double strength = 1.0;  // [N]
  std::string name = {};

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    return {{S(strength), S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)}};
  }
};
void visit(ElementVisitor& visitor, Breeze& breeze) {
  const Passing name(strength_name), meaning("how hard it blows");
  visitor.bodies({"bodies", "", "the body"}, breeze.bodies.data(), 1);
  visitor.real({name.text(), "N", meaning.text(), 0.0}, breeze.strength);
  visitor.text({"name", "", "of the breeze"}, breeze.name);
}

Catalog made_catalog() {
  Catalog catalog = builtin();
  catalog.add<Made>(stepper_name);
  catalog.add<Breeze>("breeze");
  return catalog;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a record keeps the names of a stepper that is gone") {
  Scenario scenario{.problem = "simple_pendulum", .stepper = stepper_name, .step = 1e-3, .end = 0.01};
  scenario.option(gain_name, 0.5);
  const Record record = run(scenario, made_catalog());
  REQUIRE(record.ok());
  CHECK(record.report.traits.name == stepper_name);
  CHECK(record.report.traits.summary == "generalized-alpha under the name " + stepper_name);
  REQUIRE(record.report.options.size() == 1);
  CHECK(record.report.options[0].name == gain_name);
  CHECK(record.report.options[0].unit == "kg m^2/s^2 and some more");
  CHECK(std::get<double>(record.report.options[0].value) == 0.5);
}

TEST_CASE("lists and refusals have the names of options that were made at run time") {
  const Catalog catalog = made_catalog();
  const std::string listed = catena_test::ask({"list", "steppers"}, catalog).out;
  CHECK(holds(listed, "generalized-alpha under the name " + stepper_name));
  CHECK(holds(listed, gain_name));
  CHECK(holds(listed, "what a program has thought of"));
  const std::string refused =
      catena_test::ask({"run", "simple_pendulum", "--stepper", stepper_name, "--option", gain_name + "=3"},
                       catalog)
          .err;
  CHECK(holds(refused, gain_name));
  CHECK_FALSE(holds(refused, "??"));
  const MultibodySystem system(SimplePendulum().model());
  Made beyond(MadeOptions{.gain = 3.0});
  CHECK(beyond.attach(system).culprit.name ==
        "option " + gain_name + " = 3 is out of range: at least 0 and at most 1");
}

TEST_CASE("what is wrong with a member that was named at run time is said with its name") {
  Model model;
  const BodyId body = model.add(Body{.name = "b"});
  try {
    model.add(Breeze{.bodies = {body}, .strength = -1.0});
    FAIL("a negative strength was taken");
  } catch (const ModelError& error) {
    CHECK(std::string(error.what()) ==
          "force \"breeze 0\" (breeze): " + strength_name + " must not be negative, is -1");
    CHECK(error.member() == strength_name);
  }
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "breeze.yaml").string();
  std::ofstream(file) << "catena: 1\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                         "forces: [{type: breeze, bodies: [b], weather: fine}]\n";
  const std::string said = catena_test::ask({"check", file}, made_catalog()).err;
  CHECK(holds(said, "weather"));
  CHECK(holds(said, strength_name));
  CHECK_FALSE(holds(said, "??"));
}

TEST_CASE("a Butcher table and the slots of a memory keep names that were made at run time") {
  StepMemory memory;
  {
    const Passing name("a slot that was made at run time");
    memory.add(name.text(), 2);
  }
  CHECK(memory.find("a slot that was made at run time").size == 2);

  std::optional<ExplicitStepper> heun;
  {
    const Passing name("heun, made at run time"), summary("a table that was typed by somebody");
    heun.emplace(ButcherTable{.name = name.text(),
                              .summary = summary.text(),
                              .order = 2,
                              .c = {0.0, 1.0},
                              .a = {{}, {1.0}, {0.5, 0.5}}});
  }
  CHECK(heun->traits().name == "heun, made at run time");
  CHECK(heun->traits().summary == "a table that was typed by somebody");
}
