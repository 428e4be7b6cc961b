#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/math/detail/sha256.hpp>
#include <catena/output/detail/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

namespace catena {
using namespace detail;
namespace {

using Json = nlohmann::json;  // its keys are sorted

const char* const model_key = "model";

struct ScenarioWriter {
  Json& json;
  void operator()(const char* key, const std::string& text) const {
    if (!text.empty()) json[key] = text;
  }
  void operator()(const char* key, const Settings& settings) const {
    if (!settings.empty()) json[key] = settings;
  }
  template <class T>
  void operator()(const char* key, const std::optional<T>& number) const {
    if (number) json[key] = *number;
  }
};

struct ScenarioReader {
  const Json& json;
  template <class T>
  void operator()(const char* key, T& value) const {
    const auto at = json.find(key);
    if (at != json.end()) read(*at, value);
  }
  template <class T>
  static void read(const Json& at, std::optional<T>& value) {
    if (std::is_unsigned_v<T> && !at.is_number_unsigned())
      throw UsageError("a scenario cannot be read: a seed is a whole number from 0 to 2^64 - 1");
    value = at.get<T>();
  }
  template <class T>
  static void read(const Json& at, T& value) {
    at.get_to(value);
  }
};

Json json_of(const Scenario& scenario) {
  Json json = Json::object();
  const ScenarioWriter write{json};
  each_member([&](const ScenarioMember& member, auto at) { write(member.name, scenario.*at); });
  return json;
}

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Scenario read_scenario(const std::string& text, const Catalog* catalog) {
  Scenario scenario;
  std::vector<std::string> names{model_key};
  each_member([&](const ScenarioMember& member, auto) { names.emplace_back(member.name); });
  try {
    const Json json = Json::parse(text);
    if (!json.is_object()) throw UsageError("a scenario is one JSON object");
    for (const auto& entry : json.items())
      if (std::find(names.begin(), names.end(), entry.key()) == names.end())
        throw UsageError(unknown_name("key of a scenario", entry.key(), names));
    const ScenarioReader read{json};
    each_member([&](const ScenarioMember& member, auto at) { read(member.name, scenario.*at); });
    if (const auto model = json.find(model_key); model != json.end()) {
      if (catalog == nullptr)
        throw UsageError("a scenario with a model is read with the catalog that knows a format of models");
      scenario.model = std::make_shared<Model>(catalog->model_from_text(model->get<std::string>()));
    }
  } catch (const Json::exception& error) {
    throw UsageError(std::string("a scenario cannot be read: ") + error.what());
  }
  return scenario;
}

Setup complete_setup(const Scenario& scenario, const Catalog& catalog) {
  Complaints complaints;
  Setup setup = set_up(scenario, {}, catalog, complaints);
  complaints.throw_if_any();
  return setup;
}

}  // namespace

std::string Scenario::text_of(double value) { return fmt::format("{}", value); }
std::string Scenario::text_of(int value) { return std::to_string(value); }
std::string Scenario::text_of(bool value) { return value ? "true" : "false"; }
std::string Scenario::text_of(const char* value) { return value; }
std::string Scenario::text_of(const std::string& value) { return value; }

std::string to_json(const Scenario& scenario) {
  if (scenario.model)
    throw UsageError(
        "a scenario with a model in memory is written with the catalog that knows a format of models");
  return line(json_of(scenario));
}

std::string to_json(const Scenario& scenario, const Catalog& catalog) {
  Json json = json_of(scenario);
  if (scenario.model) json[model_key] = catalog.model_text(*scenario.model);
  return line(json);
}

Scenario scenario_from_json(const std::string& text) { return read_scenario(text, nullptr); }

Scenario scenario_from_json(const std::string& text, const Catalog& catalog) {
  return read_scenario(text, &catalog);
}

Scenario completed(const Scenario& scenario, const Catalog& catalog) {
  return complete_setup(scenario, catalog).scenario;
}

std::string detail::content_key(const Setup& setup, const MultibodySystem* system) {
  Json json = json_of(setup.scenario);
  json["catena"] = version();
  if (!setup.files.empty()) {
    json.erase("problem");  // the same texts in another folder are the same problem
    json["files"] = setup.content;
  }
  if (setup.scenario.model) {
    Identity identity;
    std::optional<MultibodySystem> own;
    if (system == nullptr) system = &own.emplace(*setup.scenario.model);
    identify(identity, *system, later_instant(setup.run, *system));
    json["model"] = identity;
  }
  return sha256(line(json));
}

std::string detail::refused_key(const Scenario& scenario, const std::string& error) {
  Json json = json_of(scenario);
  json["catena"] = version();
  json["refused"] = error;
  return sha256(line(json));
}

std::string content_key(const Scenario& scenario, const Catalog& catalog) {
  return detail::content_key(complete_setup(scenario, catalog), nullptr);
}

}  // namespace catena
