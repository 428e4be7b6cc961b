// What an experiment says of the end of its run: causes and remedies, the record, the last step of one that failed.
#include <catena/driver/detail/thrown.hpp>
#include <catena/experiment/detail/failure_record.hpp>
#include <catena/experiment/detail/remedies.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/measure/detail/failure_cause.hpp>
#include <catena/output/detail/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace catena {
using namespace detail;

// Of velocities that the start has moved by more than what an assembly leaves.
void Experiment::look_at_start(const Culprit& remark) {
  constexpr double assembled = 1e-6;
  if (remark.quantity != velocity_removed || found_.checkpoint) return;  // a resumed run has said so
  double speed = 1.0;
  for (const double v : system_->initial_state().v) speed = std::max(speed, std::abs(v));
  if (!(std::abs(remark.value) > assembled * speed)) return;
  notify(RemarkKey::initial_velocities,
         fmt::format("the initial velocities miss {} by {:.3g}: they were moved to the nearest that the "
                     "constraints allow",
                     remark.name, std::abs(remark.value)),
         remark);
}

// Adds to the message of a failure what a user can do.
void Experiment::explain(RunResult& result, const State& state) {
  if (result.status == Status::unsupported && found_.checkpoint && result.culprit.quantity == "memory")
    throw UsageError(fmt::format(
        "{}: the memory that it keeps has {} numbers, which is not what {} with these options has",
        found_.file.string(), result.culprit.value, setup_.scenario.stepper));
  if (result.status == Status::unsupported && result.steps == 0) {
    if (const std::string why = backend_refusal(*system_, setup_, catalog_); !why.empty())
      throw UsageError(why);
    if (!result.message.empty())
      result.message += fmt::format("; steppers that take {} with their default options: {}",
                                    setup_.scenario.model ? "this model" : setup_.scenario.problem,
                                    steppers_for(*setup_.problem, catalog_));
  }
  find_cause(*system_, state, result);
  if (checkpoints_ && (result.sink_failed || result.interrupted || result.status == Status::exception))
    if (const std::string summary = checkpoints_->summary(); !summary.empty())
      result.message += "; " + summary;
}

void Experiment::fill_record(const RunResult& result, State state) {
  Report& report = record_.report;
  fill_from_run(report, *system_, state, *setup_.stepper, monitor_, result);
  report.before_steps = steps_->before_steps();
  for (Remark& remark : verdict_.remarks(state, result, report.statistics, report.traits))
    report.run.remarks.push_back(std::move(remark));
  end_for_open_joint(*system_, state, setup_.run.open_joints_fail, report.run);
  const bool wanted = context_.final_values || !setup_.settings.output.empty();
  if (wanted) fill_final_values(report, *system_, state);
  if (wanted || !setup_.scenario.record.empty()) try {
      fill_quantities(report, *system_, state, {.selection = setup_.selection, .sources = sources()});
    } catch (const NamedError&) {
      end_for_exception(report.run, {});
    }
  if (results_)
    for (const std::filesystem::path& file : results_->files())
      if (std::error_code none; std::filesystem::exists(file, none))  // not one that a resumed run misses
        report.files.push_back(file.string());
  record_.state = std::move(state);
}

// Of a step that Newton's iteration, its matrix, its numbers or its error have failed, or of such a start.
void Experiment::examine_failure() {
  const RunResult& result = record_.report.run;
  const bool folder = !setup_.settings.output.empty(), start = result.status == Status::inconsistent_start;
  const bool failed = recoverable(result.reason()) || result.reason() == Status::step_too_small;
  if (!(failed && result.failed_step > 0.0) && !start) return;
  if (!folder && !context_.examine_failures) return;
  FailureRecord failure{.version = version(),
                        .termination = to_text(result),
                        .scenario = setup_.asked,
                        .model = {},
                        .state = record_.state,
                        .step = start ? setup_.run.step : result.failed_step,
                        .start = start};
  try {
    const StepExamination examined =
        examine_step(*system_, *setup_.stepper, failure.state, failure.step, start);
    constexpr int iterates = 3;
    record_.report.failure = lines_of(*system_, examined, iterates);
    if (!folder) return;
    if (start && !context_.resume) checkpoints_->begin(*system_);  // the run has not come to it
    for (const ModelCopy& copy : model_copies(setup_.files))
      failure.model.push_back({copy.name.string(), read_whole(copy.source)});
    const std::string json = to_json(failure, *system_, examined, catalog_);
    record_.report.failure_file = folder_->write_failure(json).string();
    record_.report.files.push_back(record_.report.failure_file);
  } catch (const std::exception& why) {  // of an element, of a model that no file can hold, of the folder
    record_.report.failure.push_back(std::string("  no record of this failure: ") + why.what());
  }
}

}  // namespace catena
