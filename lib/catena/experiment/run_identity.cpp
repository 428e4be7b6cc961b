#include <catena/experiment/detail/run_identity.hpp>
#include <catena/output/detail/version.hpp>

#include <fmt/format.h>

namespace catena::detail {

Identity identity_of(const Setup& setup, const System& system) {
  Identity identity{{"version", version()},
                    {"problem", setup.files.empty() ? setup.scenario.problem : "a model file"}};
  for (const OptionValue& p : setup.parameters) identity.emplace_back("parameter " + p.name, to_text(p));
  if (setup.scenario.seed) identity.emplace_back("seed", std::to_string(*setup.scenario.seed));
  identity.emplace_back("stepper", setup.scenario.stepper);
  for (const OptionValue& o : setup.options) identity.emplace_back("option " + o.name, to_text(o));
  identity.emplace_back("back end", setup.backend);
  identity.emplace_back("step", fmt::format("{}", setup.run.step));
  identity.emplace_back("every", std::to_string(setup.run.every));
  identify(identity, system, later_instant(setup.run, system));
  return identity;
}

Manifest manifest_of(Setup& setup) {
  Manifest manifest;
  manifest.run = {
      {"problem", setup.scenario.problem}, {"stepper", setup.scenario.stepper}, {"backend", setup.backend}};
  if (setup.scenario.seed) manifest.run.emplace_back("seed", std::to_string(*setup.scenario.seed));
  manifest.parameters = entries(setup.parameters);
  manifest.options = entries(setup.options);
  const Manifest::Entries grid = entries(option_values([&](OptionVisitor& v) { visit(v, setup.run); }));
  manifest.run.insert(manifest.run.end(), grid.begin(), grid.end());
  if (!setup.scenario.record.empty()) manifest.run.emplace_back("record", setup.scenario.record);
  if (!setup.reactions.text.empty()) manifest.run.emplace_back("reactions", describe(setup.reactions));
  if (setup.multipliers == MultiplierChoice::recomputed)
    manifest.run.emplace_back("multipliers", "recomputed");
  if (!setup.run.open_joints_fail) manifest.run.emplace_back("gaps", setup.scenario.gaps);
  return manifest;
}

}  // namespace catena::detail
