// From a scenario to what a run needs: problem, system, stepper and options, checked.
#pragma once
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/measure/parts/multiplier_choice.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>
#include <catena/measure/parts/reaction_rule.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {
class MultibodySystem;
}

namespace catena::detail {

struct Setup {
  Scenario asked;        // with what the model file adds
  Scenario scenario;     // completed
  RunSettings settings;  // with what the model file adds
  std::vector<OptionValue> parameters, options;
  std::string backend;             // in use; a stepper may bring its own
  bool reuses_pivots = false;      // the back end does: CatalogBackend
  std::vector<std::string> files;  // model files that were read
  std::string content;             // a hash of their texts
  std::vector<MovedBody> moved;    // by their assembly
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Stepper> stepper;
  Selection selection;     // of quantities, by Scenario::record
  ReactionRule reactions;  // by Scenario::reactions
  MultiplierChoice multipliers = MultiplierChoice::method;
  RunOptions run;
  Settings places;  // of members of the scenario that the model file adds: where it says them

  // How complaints name a member: "--record", or "chain.yaml:12:5: record".
  std::string named(const std::string& member) const {
    const auto found = places.find(member);
    return found == places.end() ? "--" + member : found->second + ": " + member;
  }
};

// All complaints about the scenario are added to `complaints`; with any of them the setup is incomplete.
Setup set_up(const Scenario& scenario, const RunSettings& settings, const Catalog& catalog,
             Complaints& complaints);

// How long after its start a run is looked at for its identity (driver/checkpoint.hpp): within the run [s].
double later_instant(const RunOptions& run, const System& system);

// See scenario.hpp; of a setup without complaints. system: that of its model where there is one already, else null.
std::string content_key(const Setup& setup, const MultibodySystem* system);
// Of a scenario that cannot be completed.
std::string refused_key(const Scenario& scenario, const std::string& error);

// The problem's own system, or its model in the coordinates wanted. Throws ModelError for a model that makes no
// sense.
std::unique_ptr<System> make_system(const Problem& problem, Coordinates coordinates);

}  // namespace catena::detail
