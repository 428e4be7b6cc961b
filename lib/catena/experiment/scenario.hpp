// What is run, as a value.
#pragma once
#include <catena/model/model.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace catena {

class Catalog;

// Values by name, as text: of the parameters of a problem or the options of a stepper.
using Settings = std::map<std::string, std::string>;

// All that determines a result, and nothing else: where it is computed, on how many threads and into which files
// is in RunContext. What is left empty is decided by the model file, then by the problem, then by the library.
//
//   Scenario scenario{.problem = "helix_chain", .step = 1e-3, .end = 0.5};
//   scenario.set("n", 20).option("rho_inf", 0.9);
//   const Record record = run(scenario, builtin());
struct Scenario {
  std::string problem = {};                 // name in the catalog, or a model file: "chain.yaml"
  std::shared_ptr<const Model> model = {};  // instead of a problem; it has no parameters
  Settings parameters = {};                 // of the problem, or of the model file: {"k", "40 kN/m"}
  std::optional<std::uint64_t> seed = {};   // of a random problem (Problem::seed); empty: 0; no other has one
  std::string stepper = {};                 // name in the catalog; empty: the problem's own
  Settings options = {};                    // of the stepper
  std::string backend = {};                 // name in the catalog; empty: the first one
  std::optional<double> step = {};          // [s]; of output alone where the stepper chooses its steps
  std::optional<double> tolerance = {};     // of a stepper that controls its error: all its tolerances
  std::optional<double> end = {};           // [s]
  std::optional<int> every = {};            // output at every K-th step; empty: about 1000 in all
  std::optional<int> max_cuts = {};         // see RunOptions
  std::string record = {};                  // quantities to measure, "energy,reactions:hip"
  std::string gaps = {};                    // joints that a run leaves open: failure (the default) or remark
  std::string reactions = {};    // which of those that redundant rows leave open (reaction_rule.hpp)
  std::string multipliers = {};  // of outputs: method (the default) or recomputed (multiplier_choice.hpp)
  std::string precision = {};    // of the results: float64 (the default) or float32

  // Any number, true or false, or text.
  template <class T>
  Scenario& set(const std::string& name, const T& value) {
    parameters[name] = text_of(value);
    return *this;
  }
  template <class T>
  Scenario& option(const std::string& name, const T& value) {
    options[name] = text_of(value);
    return *this;
  }

  friend bool operator==(const Scenario&, const Scenario&) = default;

 private:
  static std::string text_of(double value);  // the shortest text that reads back to the same bits
  static std::string text_of(int value);
  static std::string text_of(bool value);
  static std::string text_of(const char* value);
  static std::string text_of(const std::string& value);
};

// One JSON object with sorted keys, without what is left empty: equal scenarios have equal texts. A model in memory is
// written by the format of the catalog (Catalog::add(ModelFormat)), to the same bits. Throws UsageError for a model
// without a catalog or without a format, ModelError for a model that the format cannot hold.
std::string to_json(const Scenario& scenario);
std::string to_json(const Scenario& scenario, const Catalog& catalog);
// Throws UsageError with the reason for anything else than to_json() makes; keys may come in any order.
Scenario scenario_from_json(const std::string& text);
Scenario scenario_from_json(const std::string& text, const Catalog& catalog);

// The scenario with everything that is left empty decided: equal results come from equal completed scenarios. Throws
// ScenarioError as run() does.
Scenario completed(const Scenario& scenario, const Catalog& catalog);

// The hash of all that determines the result: SHA-256, in hexadecimal digits, of the completed scenario as JSON, of the
// texts of its model files or the numbers of its model, and of the version of the library. The same in every process
// and on every machine. What a user's own stepper or problem computes is known by its name alone.
std::string content_key(const Scenario& scenario, const Catalog& catalog);

}  // namespace catena
