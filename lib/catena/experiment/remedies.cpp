#include <catena/experiment/detail/remedies.hpp>
#include <catena/math/detail/printed.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena::detail {
namespace {

// The choices among the options of a stepper: "newton=exact", "newton=quasi", ... All but those in use.
class OtherChoices : public OptionVisitor {
 public:
  std::vector<std::pair<std::string, std::string>> found;
  void real(const OptionInfo&, double&) override {}
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) override {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (static_cast<int>(k) != value) found.emplace_back(info.name, names[k]);
  }
};

}  // namespace

std::string backend_refusal(const System& system, const Setup& of, const Catalog& catalog) {
  const auto configured = [&] {
    std::unique_ptr<StepperSetup> setup = catalog.stepper(of.scenario.stepper).setup();
    set_options([&](OptionVisitor& v) { setup->visit(v); }, of.scenario.options, "--option",
                "stepper " + of.scenario.stepper);
    return setup;
  };
  const auto refusal = [&](const StepperSetup& setup, const CatalogBackend& with) {
    const std::unique_ptr<Stepper> candidate = setup.make(with.make, catalog.fallback());
    if (std::string why = candidate->refusal(system); !why.empty()) return why;
    const Outcome outcome = candidate->attach(system);
    return outcome.status == Status::ok ? std::string() : outcome.culprit.name;
  };
  const std::unique_ptr<StepperSetup> setup = configured();
  if (!setup->own_backend().empty()) return {};
  if (!setup->make({}, {})->refusal(system).empty()) return {};  // whatever the back end
  const CatalogBackend& asked = catalog.backend(of.backend);
  const std::string why = refusal(*setup, asked);
  if (why.empty()) return {};

  std::vector<std::string> remedies;
  for (const CatalogBackend& other : catalog.backends())
    if (other.name != asked.name && refusal(*setup, other).empty()) remedies.push_back(other.name);
  OtherChoices others;
  setup->visit(others);
  std::vector<std::string> options;
  for (const auto& [name, value] : others.found) {
    const std::unique_ptr<StepperSetup> changed = configured();
    set_option([&](OptionVisitor& v) { changed->visit(v); }, name, value, "--option");
    if (refusal(*changed, asked).empty()) options.push_back("--option " + name + "=" + value);
  }
  std::string text = fmt::format("--backend {}: {}", asked.name, why);
  if (!remedies.empty()) text += "; take " + joined(remedies, " or ");
  if (!options.empty()) text += (remedies.empty() ? "; take " : "; or ") + joined(options, " or ");
  return text;
}

std::string steppers_for(const Problem& problem, const Catalog& catalog) {
  std::unique_ptr<System> in[2];  // by Coordinates
  std::vector<std::string> fit;
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    const Coordinates coordinates = stepper->traits().coordinates;
    std::unique_ptr<System>& system = in[coordinates == Coordinates::lagrangian ? 1 : 0];
    if (!system) system = make_system(problem, coordinates);
    if (stepper->refusal(*system).empty()) fit.push_back(entry.name);
  }
  return fit.empty() ? "none in the catalog takes it" : joined(fit, " and ");
}

}  // namespace catena::detail
