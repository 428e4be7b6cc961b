#include <catena/cli/options.hpp>
#include <catena/cli/run_record.hpp>
#include <catena/output/version.hpp>

#include <fmt/format.h>

#include <string>

namespace catena {

Identity identity_of(const Report& report, const RunOptions& options, bool from_model_file,
                     const System& system) {
  Identity identity{{"version", version()}, {"problem", from_model_file ? "a model file" : report.problem}};
  for (const OptionValue& p : report.parameters) identity.emplace_back("parameter " + p.name, to_text(p));
  identity.emplace_back("stepper", report.stepper);
  for (const OptionValue& o : report.options) identity.emplace_back("option " + o.name, to_text(o));
  identity.emplace_back("back end", report.backend);
  identity.emplace_back("step", fmt::format("{}", options.step));
  identity.emplace_back("every", std::to_string(options.every));
  identify(identity, system);
  return identity;
}

Manifest manifest_of(const Report& report, RunOptions options) {
  Manifest manifest;
  manifest.run = {{"problem", report.problem}, {"stepper", report.stepper}, {"backend", report.backend}};
  manifest.parameters = entries(report.parameters);
  manifest.options = entries(report.options);
  const Manifest::Entries more = entries(option_values([&](OptionVisitor& v) { catena::visit(v, options); }));
  manifest.run.insert(manifest.run.end(), more.begin(), more.end());
  return manifest;
}

}  // namespace catena
