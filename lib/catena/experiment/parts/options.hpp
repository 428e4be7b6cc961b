// Options by name: listed, set from text, read back. Everything derives from visit() (math/option.hpp).
#pragma once
#include <catena/experiment/scenario.hpp>
#include <catena/math/option.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/output/parts/report.hpp>

#include <functional>
#include <string>
#include <vector>

namespace catena {

// Runs a visitor over some options: [&](OptionVisitor& v) { visit(v, options); }
using Visitable = std::function<void(OptionVisitor&)>;

// One option, as a listing shows it.
struct OptionRow {
  OptionValue value;
  std::string meaning;
  std::string range;  // "[0, 1]", "at least 1", "true or false", "spherical, revolute", "any text"
};

std::vector<OptionRow> option_rows(const Visitable& options);
// The same of a constraint or force.
std::vector<OptionRow> member_rows(const std::function<void(ElementVisitor&)>& members);
// The same of a function of time (Function::kinds()).
std::vector<OptionRow> function_rows(const std::string& kind);
std::vector<OptionValue> option_values(const Visitable& options);

// Sets one option from text. what: how the user spells it, "--set n=0" say. Throws UsageError: unknown name
// (with the nearest), not a number, out of range (with the range).
void set_option(const Visitable& options, const std::string& name, const std::string& text,
                const std::string& what);

// "key=value" each, as values by name; flag is "--set" or "--option". Throws UsageError, with all complaints, for a key
// given twice and for text without "=".
Settings parse_settings(const std::vector<std::string>& assignments, const std::string& flag);

// Sets all of them; owner: "problem box_chain". Throws UsageError with all complaints.
void set_options(const Visitable& options, const Settings& values, const std::string& flag,
                 const std::string& owner);

// The values of options as text that sets them again, to the same bits.
Settings settings_of(const std::vector<OptionValue>& values);
// Of an aggregate of options or parameters that has a listing: scenario.options = settings_of(LieDaeOptions{.order = 1}).
template <class Options>
requires requires(OptionVisitor& visitor, Options& options) { visit(visitor, options); }
Settings settings_of(Options options) {
  return settings_of(option_values([&](OptionVisitor& visitor) { visit(visitor, options); }));
}

}  // namespace catena
