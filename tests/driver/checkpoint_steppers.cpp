// Every stepper of the catalog, with every problem that it takes, and with every choice among its options on a quarter of
// them, is resumed from its checkpoints to the same bits, or says that it restarts. checkpoint_product.long.cpp: all of both.
#include "support/checkpoint_setups.hpp"
#include "support/few_cases.hpp"

#include <doctest/doctest.h>

using namespace catena;

namespace {

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

std::set<std::string> hold(const StepperEntry& entry, int variant) {
  return catena_test::hold(entry, "variant " + std::to_string(variant), 3, variant, [&](StepperSetup& setup) {
    Variant v;
    v.which = variant;
    setup.visit(v);
  });
}

}  // namespace

TEST_CASE("every stepper is resumed to the same bits on every problem that it takes") {
  for (const StepperEntry& entry : builtin_steppers()) {
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    const std::set<std::string> ran = hold(entry, -1);
    CAPTURE(entry.name);
    CHECK((stepper->traits().copyable_memory ? ran.size() >= 2 : ran.empty()));
  }
}

TEST_CASE("every choice and flag among the options of every stepper is resumed to the same bits") {
  for (const StepperEntry& entry : builtin_steppers()) {
    Variant counter;
    entry.setup()->visit(counter);
    for (int k = 0; k < counter.count; k += catena_test::few_cases ? 3 : 1) hold(entry, k);
  }
}
