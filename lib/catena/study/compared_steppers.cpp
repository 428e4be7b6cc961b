// The steppers of a comparison: how they are written, and the variants of their options.
#include <catena/experiment/detail/setup.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/study/detail/method_comparison.hpp>
#include <catena/study/detail/peer.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace catena::detail {
namespace {

bool has_option(const Catalog& catalog, const std::string& stepper, const std::string& option) {
  const std::unique_ptr<StepperSetup> setup = catalog.stepper(stepper).setup();
  for (const OptionValue& value : option_values([&](OptionVisitor& v) { setup->visit(v); }))
    if (value.name == option) return true;
  return false;
}

}  // namespace

bool chooses_step(const ComparedStepper& stepper, const CompareRequest& request, const Catalog& catalog) {
  const std::unique_ptr<StepperSetup> setup = catalog.stepper(stepper.name).setup();
  set_options([&](OptionVisitor& v) { setup->visit(v); }, stepper.options, "--option",
              "stepper " + stepper.name);
  if (setup->make({}, {})->traits().chooses_step) return true;
  const bool tolerances_alone = request.steps.empty() && !request.tolerances.empty();
  const std::set<std::string> tolerances = tolerance_options(catalog, stepper.name);
  const bool fixed_by_itself =
      stepper.options.count("control") > 0 ||
      std::any_of(tolerances.begin(), tolerances.end(),
                  [&](const std::string& option) { return stepper.options.count(option) > 0; });
  return !request.steppers.empty() && tolerances_alone && !tolerances.empty() && !fixed_by_itself;
}

std::string ComparedStepper::label() const { return options.empty() ? name : name + ' ' + options_text(); }

std::string ComparedStepper::options_text() const {
  std::string text;
  for (const auto& [option, value] : options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", option, value);
  return text;
}

ComparedStepper compared_stepper(const std::string& text, const std::string& flag) {
  const auto complain = [&] {
    throw UsageError(
        fmt::format("{} {}: a stepper is a name, with options behind colons: "
                    "generalized_alpha:rho_inf=0.5:index=2",
                    flag, text));
  };
  std::vector<std::string> parts = split(text, ':');
  ComparedStepper stepper{parts.front()};
  if (stepper.name.empty() || stepper.name.find('=') != std::string::npos) complain();
  parts.erase(parts.begin());
  for (const std::string& part : parts)
    if (part.find('=') == std::string::npos || part.front() == '=') complain();
  stepper.options = parse_settings(parts, flag);
  return stepper;
}

std::vector<ComparedStepper> variants(const CompareRequest& request, const Catalog& catalog) {
  std::vector<ComparedStepper> all = request.steppers;
  if (all.empty())
    for (const StepperEntry& entry : catalog.steppers()) all.push_back({entry.name});
  Complaints complaints;
  for (const ComparedStepper& stepper : all) complaints.attempt([&] { catalog.stepper(stepper.name); });
  complaints.throw_if_any();
  const auto expand = [&](const std::string& option, const std::vector<std::string>& values, bool keep) {
    std::vector<ComparedStepper> more;
    for (const ComparedStepper& stepper : all) {
      const bool takes = has_option(catalog, stepper.name, option) && stepper.options.count(option) == 0;
      if (!takes || keep) more.push_back(stepper);
      if (!takes) continue;
      for (const std::string& value : values) {
        more.push_back(stepper);
        more.back().options[option] = value;
      }
    }
    const bool changed = more != all;
    all = std::move(more);
    return changed;
  };
  for (const auto& [option, values] : request.vary)
    if (!expand(option, values, false)) {
      std::string fixed;
      for (const ComparedStepper& stepper : all)
        if (has_option(catalog, stepper.name, option)) fixed += (fixed.empty() ? "" : ", ") + stepper.label();
      complaints.add(fixed.empty()
                         ? fmt::format("--vary {}: none of the steppers has this option to vary", option)
                         : fmt::format("--vary {} varies what --steppers sets ({}): leave one of them out",
                                       option, fixed));
    }
  complaints.throw_if_any();
  if (request.plain) expand("guards", {"off"}, true);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all[k]) !=
        all.begin() + static_cast<std::ptrdiff_t>(k))
      complaints.add(fmt::format("--steppers: {} is there twice", all[k].label()));
  complaints.throw_if_any();
  return all;
}

void refuse_unused(const CompareRequest& request, const Catalog& catalog) {
  Complaints complaints;
  bool fixed = false, controlled = false;
  std::string names;
  for (const ComparedStepper& stepper : variants(request, catalog))
    complaints.attempt([&] {
      (chooses_step(stepper, request, catalog) ? controlled : fixed) = true;
      names += (names.empty() ? "" : ", ") + stepper.label();
    });
  complaints.throw_if_any();
  if (!request.steps.empty() && !fixed)
    complaints.add("--steps: no stepper here takes fixed steps (" + names +
                   "): give --tolerances, or another stepper");
  if (!request.tolerances.empty() && !controlled && request.peers.empty())
    complaints.add("--tolerances: no stepper here controls its error (" + names +
                   "): give --steps, or another stepper");
  for (const std::string& peer : request.peers)
    if (const std::string missing = missing_peer(peer); !missing.empty()) complaints.add(missing);
  complaints.throw_if_any();
}

}  // namespace catena::detail
