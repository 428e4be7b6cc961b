#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <charconv>
#include <system_error>
#include <vector>

namespace catena::detail {
namespace {

// A member from its text; what: "--step 1e-3: ", for messages.
struct FromText {
  const std::string &name, &text, what;

  void operator()(std::string& value) const { value = text; }
  void operator()(Settings&) const { throw UsageError(what + "write key=value"); }
  void operator()(std::optional<std::uint64_t>& value) const {
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, seed);
    if (error != std::errc() || stopped != end)
      throw UsageError(what + "a seed is a whole number from 0 to 2^64 - 1");
    value = seed;
  }
  void operator()(std::optional<double>& value) const {
    if (name == "tolerance") {
      const std::optional<double> tolerance = parse_real(text);
      if (!tolerance || *tolerance <= 0.0) throw UsageError(what + "a tolerance is a number above 0");
      constexpr double least = 1e-15;  // four times machine precision
      if (*tolerance < least)
        throw UsageError(what + "the roundoff of a step is more than this: the least tolerance is 1e-15");
      value = tolerance;
    } else {
      value = std::get<double>(of_grid().value);
    }
  }
  void operator()(std::optional<int>& value) const { value = std::get<int>(of_grid().value); }

 private:
  // The options of a run have the same names, and ranges.
  OptionValue of_grid() const {
    RunOptions grid;
    const Visitable listing = [&](OptionVisitor& v) { visit(v, grid); };
    set_option(listing, name, text, "--" + name + " " + text);
    for (OptionValue& value : option_values(listing))
      if (value.name == name) return value;
    throw UsageError(what + "no such number");  // set_option() has refused it
  }
};

}  // namespace

void set_member(Scenario& scenario, const std::string& name, const std::string& text) {
  std::vector<std::string> names;
  bool found = false;
  each_member([&](const ScenarioMember& member, auto at) {
    names.emplace_back(member.name);
    if (name != member.name) return;
    found = true;
    FromText{name, text, "--" + name + " " + text + ": "}(scenario.*at);
  });
  if (!found) throw UsageError(unknown_name("member of a scenario", name, names));
}

}  // namespace catena::detail
