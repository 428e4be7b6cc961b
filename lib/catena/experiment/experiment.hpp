// Runs a scenario and records what came of it.
#pragma once
#include <catena/experiment/detail/checkpoint_writer.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/experiment/parts/run_record.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/measure/parts/step_counter.hpp>
#include <catena/measure/parts/step_integrals.hpp>
#include <catena/output/detail/result_set.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace catena {

// Runs from the problem's initial state to the end of the scenario. Numerical failures end the record with a status, and so
// do exceptions of forces, joints, quantities, controllers, events and observers (Status::exception, with their name).
// Throws ScenarioError where the scenario makes no sense, ModelError for a model that makes none, UsageError where the
// stepper or its back end does not take the system, or the folder cannot be used. Two runs do not see each other: they
// may run in two threads, with the bits that each has alone.
Record run(const Scenario& scenario, const Catalog& catalog, const RunContext& context = {});

// As run(), for sweeps: what run() throws becomes a record with the reason in report.error and what was known of the scenario.
// A machine without the memory for it is none of the scenario's mistakes, and ends the run (Record::lacks_memory()).
// The key of a scenario that cannot be completed is a hash of what was asked for and of the reason. What a model file says
// of its results does not count (RunContext::file_says_output).
Record try_run(const Scenario& scenario, const Catalog& catalog, const RunContext& context = {});

// The same in parts, for those who ask for the key before they run, or report what was known when a part failed.
class Experiment {
 public:
  // As for run(); the catalog outlives it. Nothing is checked yet.
  Experiment(Scenario scenario, RunContext context, const Catalog& catalog);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  ~Experiment();

  // Problem, stepper and options: completes the scenario. `others`: further complaints, of a command line say, to be
  // reported with its own. Throws ScenarioError; the report then has what was known.
  void check(const Complaints& others = {});
  // content_key() of the scenario, by the same set-up; after check(). A model in memory is known by the numbers of its
  // system, which is made for it: throws ModelError as prepare() does.
  const std::string& key();
  // The system too, and check() where that is not done. Throws as run() does for what is wrong with the request.
  void prepare(const Complaints& others = {});
  // Once; prepares what is not prepared. Throws UsageError where the stepper or its back end does not take the system, or
  // the folder cannot be used.
  void run();

  const Record& record() const { return record_; }                 // complete after run()
  Record take_record() { return std::move(record_); }              // instead, without a copy
  const RunSettings& settings() const { return setup_.settings; }  // complete after check()
  double end() const { return setup_.run.end; }                    // [s]
  // Of the results that are on disk.
  const std::vector<std::string>& files() const { return record_.report.files; }

 private:
  void refuse_settings(Complaints& complaints) const;
  std::string folder_complaint() const;
  void build();
  void find_redundant_rows(const State& state);
  void open_folder(State& state);
  void resume(const Identity& identity, State& state);
  void attach_results();
  void attach_table();
  MeasureSources sources() const;
  // What observers remember of the run so far, for checkpoints, and back. False: these are not their numbers.
  std::vector<double> observed() const;
  bool remember(const std::vector<double>& observed);
  void explain(RunResult& result, const State& state);
  void fill_record(const RunResult& result, State state);
  void examine_failure();
  // Into the report, and to the user at once.
  void look_at_start(const Culprit& remark);
  void notify(RemarkKey key, const std::string& sentence, const Culprit& culprit = {});

  const Scenario asked_;
  RunContext context_;
  const Catalog& catalog_;
  detail::Setup setup_;
  bool checked_ = false;
  std::unique_ptr<System> system_;
  Monitor monitor_;
  detail::RunVerdict verdict_{monitor_};
  std::optional<StepIntegrals> integrals_;
  Listeners listeners_;
  std::optional<detail::RunFolder> folder_;
  std::optional<detail::CheckpointWriter> checkpoints_;
  detail::FoundCheckpoint found_;
  std::optional<detail::ResultSet> results_;
  std::optional<StepCounter> steps_;
  std::optional<TableSink> table_;
  Record record_;
};

}  // namespace catena
