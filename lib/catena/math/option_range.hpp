// Options that were set in C++, where no command line has looked at them.
#pragma once
#include <catena/math/option.hpp>

#include <cstdio>
#include <string>

namespace catena {

// A sentence about the first option that is outside its range or no number, or nothing.
template <class Options>
std::string out_of_range(Options options) {
  class Check : public OptionVisitor {
   public:
    std::string wrong;
    void real(const OptionInfo& info, double& value) override { look(info, value); }
    void integer(const OptionInfo& info, int& value) override { look(info, value); }
    void flag(const OptionInfo&, bool&) override {}
    void text(const OptionInfo&, std::string&) override {}
    void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}

   private:
    void look(const OptionInfo& info, double value) {
      if (info.holds(value) || !wrong.empty()) return;
      char text[160];
      std::snprintf(text, sizeof text, "option %s = %.12g is out of range: %s %.12g and at most %.12g",
                    info.name, value, info.above_minimum ? "above" : "at least", info.minimum, info.maximum);
      wrong = text;
    }
  } check;
  visit(check, options);
  return check.wrong;
}

}  // namespace catena
