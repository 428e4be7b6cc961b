// Every stepper of the catalog, with every problem that it takes and every choice among its options, goes on from
// its checkpoints to the same bits, or says that it restarts.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/catalog.hpp>
#include <catena/solvers/catalog.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "support/checkpoint_battery.hpp"
#include "support/few_cases.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace catena;
using catena_test::CheckpointBattery;
using catena_test::Scenario;

namespace {

class Small : public OptionVisitor {
 public:
  void real(const OptionInfo&, double&) override {}
  void integer(const OptionInfo& i, int& value) override {
    if (std::string(i.name) == "n") value = 3;
  }
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}
};

// Counts the flags and choices, and sets the one with the number `which` to another value.
class Variant : public OptionVisitor {
 public:
  int which = -1, count = 0;
  std::string name;
  void real(const OptionInfo&, double&) override {}
  void integer(const OptionInfo&, int&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void flag(const OptionInfo& i, bool& value) override {
    if (count++ != which) return;
    value = !value;
    name = i.name;
  }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    for (int k = 0; k < static_cast<int>(names.size()); ++k) {
      if (k == value || count++ != which) continue;
      value = k;
      name = i.name + (" = " + names[static_cast<std::size_t>(k)]);
      return;
    }
  }
};

std::unique_ptr<System> system_of(const Problem& problem, Coordinates coordinates) {
  if (std::unique_ptr<System> own = problem.own_system()) return own;
  if (coordinates == Coordinates::lagrangian) return std::make_unique<QuaternionSystem>(problem.model());
  return std::make_unique<MultibodySystem>(problem.model());
}

LinearSolverFactory pivoting() {
  for (const BackendInfo& info : backends())
    if (info.indefinite_H && info.ldlt && info.ldu)
      return [name = std::string(info.name)] { return make_backend(name); };
  return {};
}

// Runs of 12 steps with the problem's own step.
void hold(const StepperEntry& entry, int variant, std::set<std::string>& ran) {
  int number = variant;
  for (const ProblemEntry& p : builtin_problems()) {
    // few: all problems with the defaults, another quarter of them with each choice
    if (catena_test::few_cases && variant >= 0 && ++number % 4 != 0) continue;
    const std::unique_ptr<Problem> problem = p.make();
    Small small;
    problem->visit(small);
    const auto make = [&] {
      const std::unique_ptr<StepperSetup> setup = entry.setup();
      Variant v;
      v.which = variant;
      setup->visit(v);
      return setup->make({}, pivoting());
    };
    const std::unique_ptr<Stepper> first = make();
    const std::unique_ptr<System> system = system_of(*problem, first->traits().coordinates);
    if (!first->refuses(*system).empty() || !first->traits().copyable_memory) continue;
    INFO(entry.name << " on " << p.name << ", variant " << variant);
    const double step = problem->defaults().step;
    const Scenario scenario{
        .system = system.get(), .stepper = make, .options = {.step = step, .end = 12 * step, .every = 5}};
    if (CheckpointBattery(scenario)(3)) ran.insert(p.name);
  }
}

}  // namespace

TEST_CASE("every stepper goes on to the same bits on every problem that it takes") {
  for (const StepperEntry& entry : builtin_steppers()) {
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    std::set<std::string> ran;
    hold(entry, -1, ran);
    CAPTURE(entry.name);
    CHECK((stepper->traits().copyable_memory ? ran.size() >= 2 : ran.empty()));
  }
}

TEST_CASE("every choice and flag among the options of every stepper goes on to the same bits") {
  for (const StepperEntry& entry : builtin_steppers()) {
    Variant counter;
    entry.setup()->visit(counter);
    std::set<std::string> ran;
    for (int k = 0; k < counter.count; ++k) hold(entry, k, ran);
  }
}
