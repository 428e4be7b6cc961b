// Combinations of choices, flags and small integers among the options of every stepper, on every problem that it takes, are
// resumed from their checkpoints to the same bits. Real numbers keep their defaults: they choose no other path. With
// CATENA_CHECKPOINTS=all, as .ci/nightly has it, all combinations, seven minutes; else every fifteenth of a stepper that has
// more than fifty: each value of an option is met, and most pairs of them. With CATENA_CHECKPOINTS=few, for sanitizers, which
// take fifteen times as long, every sixty-first of more than fifty and every seventh of more than seven: most values of each
// option. With CATENA_CHECKPOINTS=fewest, for the thread sanitizer, every 251st and every 29th.
#include "support/checkpoint_setups.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string_view>

using namespace catena;

namespace {

// The options of a stepper that take a few values, as digits of a number in a mixed base.
class Digits : public OptionVisitor {
 public:
  // Sets the options to those of `number`; without one counts the numbers alone.
  explicit Digits(long number = -1) : rest_(number) {}
  long count = 1;
  std::string name;

  void real(const OptionInfo&, double&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void integer(const OptionInfo& i, int& value) override {
    constexpr double few = 4.0;
    if (!(i.maximum - i.minimum < few)) return;
    const int first = static_cast<int>(i.minimum);
    const int digit = next(static_cast<int>(i.maximum) - first + 1);
    if (digit >= 0) value = first + digit;
    if (digit >= 0) append(i, std::to_string(value));
  }
  void flag(const OptionInfo& i, bool& value) override {
    const int digit = next(2);
    if (digit >= 0) value = digit == 1;
    if (digit >= 0) append(i, value ? "true" : "false");
  }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    // With guards the product would have thousands of combinations; they have a test of their own below.
    if (std::string_view(i.name).substr(0, 5) == "guard") return;
    const int digit = next(static_cast<int>(names.size()));
    if (digit >= 0) value = digit;
    if (digit >= 0) append(i, names[static_cast<std::size_t>(value)]);
  }

 private:
  int next(int base) {
    count *= base;
    if (rest_ < 0) return -1;
    const int digit = static_cast<int>(rest_ % base);
    rest_ /= base;
    return digit;
  }
  void append(const OptionInfo& i, const std::string& value) {
    name += (name.empty() ? "" : ", ") + std::string(i.name) + " = " + value;
  }

  long rest_;
};

// Sets the option `guards` to its choice k.
struct AllGuards : OptionVisitor {
  explicit AllGuards(int wanted) : k(wanted) {}
  int k;
  bool there = false;
  void real(const OptionInfo&, double&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>&) override {
    if (std::string_view(i.name) != "guards") return;
    value = k;
    there = true;
  }
};

}  // namespace

TEST_CASE("a run whose guards only report, or are off, is resumed to the same bits") {
  int steppers = 0;
  for (const StepperEntry& entry : builtin_steppers()) {
    AllGuards probe(0);
    entry.setup()->visit(probe);
    if (!probe.there || !entry.setup()->make({}, {})->traits().copyable_memory) continue;
    ++steppers;
    for (const int k : {1, 2}) {
      CAPTURE(entry.name);
      const auto ran = catena_test::hold(entry, "guards", 3, -1, [&](StepperSetup& setup) {
        AllGuards guards(k);
        setup.visit(guards);
      });
      CHECK(ran.size() >= 2);
    }
  }
  CHECK(steppers >= 4);
}

TEST_CASE("combinations of options of every stepper are resumed to the same bits on every problem") {
  const char* const environment = std::getenv("CATENA_CHECKPOINTS");
  const std::string_view asked = environment != nullptr ? environment : "";
  // Strides are prime to the numbers of values that options have (2 to 4), but for fifteen and three.
  const auto stride_of = [&](long count) -> long {
    if (asked == "all") return 1;
    if (asked == "few") return count > 50 ? 61 : (count > 7 ? 7 : 1);
    if (asked == "fewest") return count > 50 ? 251 : (count > 7 ? 29 : 1);
    return count > 50 ? 15 : 1;
  };
  for (const StepperEntry& entry : builtin_steppers()) {
    if (!entry.setup()->make({}, {})->traits().copyable_memory) continue;
    Digits all;
    entry.setup()->visit(all);
    std::size_t runs = 0;
    const long stride = stride_of(all.count);
    for (long number = 0; number < all.count; number += stride) {
      Digits probe(number);
      entry.setup()->visit(probe);
      const auto ran = catena_test::hold(entry, probe.name, 3, -1, [&](StepperSetup& setup) {
        Digits digits(number);
        setup.visit(digits);
      });
      CAPTURE(probe.name);
      CHECK(ran.size() >= 2);
      runs += ran.size();
    }
    MESSAGE(entry.name << ": every " << stride << "th of " << all.count << " combinations, " << runs
                       << " runs");
  }
}
