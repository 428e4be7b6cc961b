#include <catena/driver/detail/run_loop.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/failure_record.hpp>
#include <catena/experiment/detail/folder_for_a_while.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/output/detail/version.hpp>

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

// Returns the first.
std::filesystem::path write_model(const std::vector<ModelText>& files, const FolderForAWhile& folder) {
  for (const ModelText& file : files) {
    const std::filesystem::path at = folder / file.name;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream stream(at, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream) throw SinkError("cannot write " + at.string());
  }
  return folder / files.front().name;
}

Setup set_up_again(Scenario scenario, const ReplayChanges& changes, const Catalog& catalog) {
  for (const auto& [name, value] : changes.options) scenario.options[name] = value;
  if (!changes.backend.empty()) scenario.backend = changes.backend;
  Complaints complaints;
  Setup setup = set_up(scenario, {}, catalog, complaints);
  complaints.throw_if_any();
  return setup;
}

}  // namespace

Replay replay(const FailureRecord& record, const ReplayChanges& changes, const Catalog& catalog) {
  Scenario scenario = record.scenario;
  std::optional<FolderForAWhile> folder;
  if (!record.model.empty()) {
    scenario.problem = write_model(record.model, folder.emplace()).string();
  }
  const Setup setup = set_up_again(std::move(scenario), changes, catalog);
  const std::unique_ptr<System> system = make_system(*setup.problem, setup.stepper->traits().coordinates);
  State like = system->initial_state();
  like.discrete.resize(ControllerSchedule(*system, {}).discrete_size());
  if (const std::string misfit = misfit_of(record.state, like); !misfit.empty())
    throw UsageError("the record does not fit its model: " + misfit);
  if (const Outcome attached = setup.stepper->attach(*system); attached.status != Status::ok)
    throw UsageError(attached.culprit.name);

  Replay again;
  if (record.version != version())
    again.remark = fmt::format("the record was made by catena {}, this is {}", record.version, version());
  const double h = changes.step.value_or(record.step);
  State state = record.state;
  if (!record.start && !setup.stepper->continues(state)) {
    again.remark +=
        std::string(again.remark.empty() ? "" : "; ") +
        "the changes belong to another history of the method, so that it starts anew from this state";
    if (const Outcome started = setup.stepper->start(state, h); started.status != Status::ok) {
      again.examined = {.start = true, .t = state.t, .h = h, .outcome = started};
      again.lines = lines_of(*system, again.examined, 0);
      again.json = to_json(*system, again.examined);
      return again;
    }
  }
  again.examined = examine_step(*system, *setup.stepper, state, h, record.start);
  again.lines = lines_of(*system, again.examined, 1000);
  again.json = to_json(*system, again.examined);
  return again;
}

}  // namespace catena::detail
