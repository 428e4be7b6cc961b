// Steppers of the catalog with options set, held against the checkpoint battery on every problem that they take.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/problems.hpp>
#include <catena/solvers/steppers.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "support/checkpoint_battery.hpp"
#include "support/few_cases.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace catena_test {

// Chains of three.
class Small : public catena::OptionVisitor {
 public:
  void real(const catena::OptionInfo&, double&) override {}
  void integer(const catena::OptionInfo& i, int& value) override {
    if (std::string(i.name) == "n") value = 3;
  }
  void flag(const catena::OptionInfo&, bool&) override {}
  void text(const catena::OptionInfo&, std::string&) override {}
  void choice(const catena::OptionInfo&, int&, const std::vector<std::string>&) override {}
};

inline std::unique_ptr<catena::System> system_of(const catena::Problem& problem,
                                                 catena::Coordinates coordinates) {
  if (std::unique_ptr<catena::System> own = problem.own_system()) return own;
  if (coordinates == catena::Coordinates::lagrangian)
    return std::make_unique<catena::QuaternionSystem>(problem.model());
  return std::make_unique<catena::MultibodySystem>(problem.model());
}

inline catena::LinearSolverFactory pivoting() {
  for (const catena::BackendInfo& info : catena::backends())
    if (info.indefinite_H && info.ldlt && info.ldu)
      return [name = std::string(info.name)] { return catena::make_backend(name); };
  return {};
}

// Runs of 12 steps with the problem's own step; `set` puts the options. The problems that were run. quarter: which
// of the problems are taken, one of four (few cases: of eight); -1: all.
template <class Set>
std::set<std::string> hold(const catena::StepperEntry& entry, const std::string& variant, std::size_t breaks,
                           int quarter, const Set& set) {
  std::set<std::string> ran;
  int number = quarter;
  for (const catena::ProblemEntry& p : catena::builtin_problems()) {
    if (quarter >= 0 && ++number % (few_cases ? 8 : 4) != 0) continue;
    const std::unique_ptr<catena::Problem> problem = p.make();
    Small small;
    problem->visit(small);
    const auto make = [&] {
      const std::unique_ptr<catena::StepperSetup> setup = entry.setup();
      set(*setup);
      return setup->make({}, pivoting());
    };
    const std::unique_ptr<catena::Stepper> first = make();
    const std::unique_ptr<catena::System> system = system_of(*problem, first->traits().coordinates);
    if (!first->refuses(*system).empty() || !first->traits().copyable_memory) continue;
    INFO(entry.name << " on " << p.name << ", " << variant);
    const double step = problem->defaults().step;
    const Scenario scenario{
        .system = system.get(), .stepper = make, .options = {.step = step, .end = 12 * step, .every = 5}};
    if (CheckpointBattery(scenario)(breaks)) ran.insert(p.name);
  }
  return ran;
}

}  // namespace catena_test
