// Ranges of options that were set in C++, where no command line has checked them.
#pragma once
#include <catena/math/detail/passing_over.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/math/option.hpp>

#include <optional>
#include <string>

namespace catena::detail {

struct OutOfRange {
  std::string name;
  double minimum, maximum;
  bool above_minimum;
  double value;
};

// The first number among the options that is outside its range, or not a number.
template <class Options>
std::optional<OutOfRange> first_out_of_range(Options options) {
  class Check : public PassingOver<> {
   public:
    std::optional<OutOfRange> found;
    void real(const OptionInfo& info, double& value) override { look(info, value); }
    void integer(const OptionInfo& info, int& value) override { look(info, value); }

   private:
    void look(const OptionInfo& info, double value) {
      if (!found && !info.holds(value))
        found = OutOfRange{info.name, info.minimum, info.maximum, info.above_minimum, value};
    }
  } check;
  visit(check, options);
  return check.found;
}

// The same as a sentence, empty where all options are in range. Steppers refuse options with this message.
template <class Options>
std::string out_of_range(const Options& options) {
  const std::optional<OutOfRange> wrong = first_out_of_range(options);
  if (!wrong) return {};
  return printed("option %s = %.12g is out of range: %s %.12g and at most %.12g", wrong->name.c_str(),
                 wrong->value, wrong->above_minimum ? "above" : "at least", wrong->minimum, wrong->maximum);
}

}  // namespace catena::detail
