#include <catena/cli/backend_choice.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena {
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

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return text;
}

}  // namespace

std::string backend_refusal(const System& system, const std::string& stepper, const std::string& backend,
                            const RunRequest& request, const Catalog& catalog) {
  const auto set_up = [&] {
    std::unique_ptr<StepperSetup> setup = catalog.stepper(stepper).setup();
    set_options([&](OptionVisitor& v) { setup->visit(v); }, request.options, "--option",
                "stepper " + stepper);
    return setup;
  };
  const auto refusal = [&](const StepperSetup& setup, const CatalogBackend& with) {
    const std::unique_ptr<Stepper> candidate = setup.make(with.make, catalog.fallback());
    if (std::string why = candidate->refuses(system); !why.empty()) return why;
    const Outcome outcome = candidate->attach(system);
    return outcome.status == Status::ok ? std::string() : outcome.culprit.name;
  };
  const std::unique_ptr<StepperSetup> setup = set_up();
  if (!setup->own_backend().empty()) return {};
  if (!setup->make({}, {})->refuses(system).empty()) return {};  // whatever the back end
  const CatalogBackend& asked = catalog.backend(backend);
  const std::string why = refusal(*setup, asked);
  if (why.empty()) return {};

  std::vector<std::string> remedies;
  for (const CatalogBackend& other : catalog.backends())
    if (other.name != asked.name && refusal(*setup, other).empty()) remedies.push_back(other.name);
  OtherChoices others;
  setup->visit(others);
  std::vector<std::string> options;
  for (const auto& [name, value] : others.found) {
    const std::unique_ptr<StepperSetup> changed = set_up();
    set_option([&](OptionVisitor& v) { changed->visit(v); }, name, value, "--option");
    if (refusal(*changed, asked).empty()) options.push_back("--option " + name + "=" + value);
  }
  std::string text = fmt::format("--backend {}: {}", asked.name, why);
  if (!remedies.empty()) text += "; take " + joined(remedies);
  if (!options.empty()) text += (remedies.empty() ? "; take " : "; or ") + joined(options);
  return text;
}

}  // namespace catena
