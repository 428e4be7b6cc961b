#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/experiment/detail/run_identity.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/measure/detail/joined_memory.hpp>
#include <catena/measure/detail/joint_stiffness.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/detail/result_size.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Of the results; what is wrong with them is reported in the words of the command line.
ResultsOptions results_options(const Setup& setup) {
  ResultsOptions options;
  options.format = setup.settings.format;
  options.interval = setup.settings.interval.value_or(options.interval);
  options.record = setup.scenario.record;
  options.precision = setup.scenario.precision == "float32" ? Precision::float32 : Precision::float64;
  return options;
}

std::string format_complaint(const RunSettings& settings, const std::string& defect) {
  return defect.empty() ? "" : "--format " + settings.format + ": " + defect;
}

// None of the parts of a run that have a name asked for more than there is.
void end_for_memory(RunResult& result) {
  result.status = Status::exception;
  result.message = not_enough_memory;
  result.culprit = {{}, memory_of_machine, std::numeric_limits<double>::quiet_NaN(), not_enough_memory};
}

}  // namespace

Record run(const Scenario& scenario, const Catalog& catalog, const RunContext& context) {
  Experiment experiment(scenario, context, catalog);
  experiment.run();
  return experiment.take_record();
}

Record try_run(const Scenario& scenario, const Catalog& catalog, const RunContext& context) {
  RunContext of_study = context;
  of_study.file_says_output = false;
  Experiment experiment(scenario, std::move(of_study), catalog);
  std::string why;
  bool lacks_memory = false;
  try {
    experiment.run();
    return experiment.take_record();
  } catch (const std::bad_alloc&) {
    lacks_memory = true;
  } catch (const std::exception& error) {
    why = error.what();
  }
  Record record = experiment.take_record();
  record.report.error = why;
  if (lacks_memory) end_for_memory(record.report.run);
  try {
    if (record.key.empty()) {
      experiment.check();
      record.key = experiment.key();
    }
  } catch (const std::exception&) {
    record.scenario = scenario;
    record.key = refused_key(scenario, why);
  }
  return record;
}

Experiment::Experiment(Scenario scenario, RunContext context, const Catalog& catalog)
    : asked_(std::move(scenario)), context_(std::move(context)), catalog_(catalog) {
  record_.scenario = asked_;
  record_.report.problem = asked_.problem;
  record_.report.version = version();
}

Experiment::~Experiment() = default;

void Experiment::notify(RemarkKey key, const std::string& sentence, const Culprit& culprit) {
  record_.report.notices.push_back({key, culprit, sentence});
  if (context_.notify) context_.notify(sentence);
}

void Experiment::check(const Complaints& others) {
  if (checked_) return;
  const double begin = seconds_now();
  Complaints complaints;
  setup_ = set_up(asked_, context_.settings, catalog_, complaints);
  if (!context_.file_says_output) {
    const std::optional<int> threads = setup_.settings.threads;
    setup_.settings = context_.settings;
    setup_.settings.threads = threads;
  }
  record_.scenario = setup_.scenario;
  Report& report = record_.report;
  report.parameters = setup_.parameters;
  report.moved = setup_.moved;
  report.seed = setup_.scenario.seed;
  report.options = setup_.options;
  report.stepper = setup_.scenario.stepper;
  report.backend = setup_.backend;
  report.end = setup_.run.end;
  report.every = setup_.run.every;
  report.reactions = describe(setup_.reactions);
  refuse_settings(complaints);
  complaints.add(others);
  complaints.throw_if_any();
  checked_ = true;
  report.seconds_build = seconds_now() - begin;
}

const std::string& Experiment::key() {
  if (!record_.key.empty()) return record_.key;
  if (setup_.scenario.model) prepare();
  record_.key = content_key(setup_, dynamic_cast<const MultibodySystem*>(system_.get()));
  return record_.key;
}

void Experiment::prepare(const Complaints& others) {
  check(others);
  if (system_) return;
  const double begin = seconds_now();
  const ThreadScope threads(setup_.settings.threads.value_or(1));
  build();
  record_.report.seconds_build += seconds_now() - begin;
}

void Experiment::refuse_settings(Complaints& complaints) const {
  const RunSettings &given = context_.settings, &all = setup_.settings;
  const std::string& folder = all.output;
  if (folder.empty() && complaints.file_is_good()) {
    if (!given.format.empty()) complaints.add("--format needs --output DIR, the folder for the results");
    if (given.interval) complaints.add("--interval needs --output DIR, the folder for the results");
    if (all.overwrite) complaints.add("--overwrite needs --output DIR, the folder whose results are to go");
    if (all.checkpoint) complaints.add("--checkpoint needs --output DIR, the folder for the checkpoints");
  }
  if (!folder.empty() && !context_.resume)
    if (const std::string complaint = folder_complaint(); !complaint.empty()) complaints.add(complaint);
  if (!folder.empty())
    for (const std::string& file : setup_.files)
      if (std::error_code error; !std::filesystem::is_regular_file(file, error))
        complaints.add(
            fmt::format("--output {} keeps a copy of the model, and {} can be read only once: write the "
                        "model to a file first",
                        folder, file));
  if (const std::string wrong = format_complaint(all, results_defect(results_options(setup_)));
      !wrong.empty())
    complaints.add(wrong);
}

// Why the folder of the output cannot be used: results that nobody asked to replace, or files of others with names that
// the run writes or removes. Empty: it can.
std::string Experiment::folder_complaint() const {
  const std::string& folder = setup_.settings.output;
  const std::string what = "--output " + folder + ": ";
  try {
    if (const std::string earlier = earlier_results(folder); !earlier.empty() && !setup_.settings.overwrite)
      return what + fmt::format(
                        "the folder holds {}; name another folder, resume that run by `catena resume {}`, or "
                        "replace it with --overwrite",
                        earlier, folder);
    const std::vector<std::string> others =
        foreign_names(folder, names_of_run(setup_.settings.format, setup_.files));
    return others.empty() ? "" : what + foreign_sentence(folder, others);
  } catch (const SinkError& error) {
    return what + error.what();
  }
}

void Experiment::build() {
  system_ = make_system(*setup_.problem, setup_.stepper->traits().coordinates);
  if (!setup_.reactions.text.empty()) try {
      joint_stiffness(*system_, setup_.reactions);
    } catch (const SelectionError& error) {
      throw UsageError(setup_.named("reactions") + " " + setup_.reactions.text + ": " + error.what());
    }
  steps_.emplace(*setup_.stepper);
  integrals_.emplace(*system_, setup_.selection, sources());
  const RunSettings& settings = setup_.settings;
  const std::string& record = setup_.scenario.record;
  if (!record.empty()) {  // the standard quantities are those that are there
    const std::string missing = record_defect(record, catalog_.quantities(), *system_, sources());
    if (!missing.empty()) throw UsageError(setup_.named("record") + " " + record + ": " + missing);
  }
  if (settings.output.empty()) return;
  const std::string wrong = format_complaint(settings, results_defect(results_options(setup_), *system_));
  if (!wrong.empty()) throw UsageError(wrong);
}

void Experiment::run() {
  prepare();
  key();
  const ThreadScope threads(setup_.settings.threads.value_or(1));
  State state = system_->initial_state();
  find_redundant_rows(state);
  listeners_ = context_.listeners;
  listeners_.observers.insert(listeners_.observers.begin(), {&monitor_, &verdict_, &*steps_, &*integrals_});
  record_.manifest = manifest_of(setup_);
  record_.manifest.commit = catalog_.commit();
  if (!setup_.settings.output.empty()) {
    open_folder(state);
    attach_results();
  }
  attach_table();
  setup_.run.verdict = false;  // verdict_ is known to checkpoints
  RunResult result =
      found_.checkpoint
          ? catena::run(*system_, *setup_.stepper, state, setup_.run, listeners_, found_.checkpoint->run)
          : catena::run(*system_, *setup_.stepper, state, setup_.run, listeners_);
  look_at_start(result.start_remark);
  explain(result, state);
  fill_record(result, std::move(state));
  examine_failure();
  if (folder_ && !result.sink_failed) try {
      FileList(setup_.settings.output).leave_out_missing();
    } catch (const SinkError&) {  // the list stays as it is, longer than it need be
    }
}

void Experiment::find_redundant_rows(const State& state) {
  const double begin = seconds_now();
  Report& report = record_.report;
  report.redundancy = redundant_rows(*system_, state);
  report.seconds_build += seconds_now() - begin;
  std::string remark = to_text(report.redundancy);
  if (report.redundancy.locks(system_->layout().v_size()))
    remark += (remark.empty() ? "" : "; ") + locking_text(report.redundancy);
  if (const BodySystem* const bodies = bodies_of(*system_); bodies != nullptr)
    for (const std::string& sentence : forces_of_open_reactions(bodies->model(), report.redundancy)) {
      if (report.redundancy.here_only == 0) throw UsageError(sentence + no_unique_motion);
      remark += "; " + sentence;
    }
  if (!remark.empty())
    notify(report.redundancy.here_only > 0 ? RemarkKey::singular_state : RemarkKey::redundant_rows, remark,
           report.redundancy.weakest);
}

// Checkpoints in the folder of the output, and the one that this run is resumed from.
void Experiment::open_folder(State& state) {
  const Identity identity = identity_of(setup_, *system_);
  folder_.emplace(setup_.settings.output);
  if (context_.resume) resume(identity, state);
  FolderRequest request{setup_.asked, setup_.settings, context_.error_bars};
  request.scenario.every = setup_.run.every;
  request.scenario.end = setup_.run.end;
  checkpoints_.emplace(*folder_, std::move(request), setup_.files, identity, [this] { return observed(); });
  if (found_.checkpoint) checkpoints_->resumed_from(found_.file, state.t);
  listeners_.sinks.insert(listeners_.sinks.begin(), &*checkpoints_);  // the first to refuse a folder
  listeners_.checkpoints = &*checkpoints_;
}

void Experiment::resume(const Identity& identity, State& state) {
  const std::string& folder = setup_.settings.output;
  folder_->lock();
  const FileList list(folder);
  std::vector<std::string> names = list.names();
  for (std::string& name : names_of_run(setup_.settings.format, {})) names.push_back(std::move(name));
  if (const std::vector<std::string> others = list.foreign(names); !others.empty())
    throw UsageError(foreign_sentence(folder, others));
  State like = system_->initial_state();
  like.discrete.resize(ControllerSchedule(*system_, listeners_.controllers).discrete_size());
  found_ = folder_->find(identity, like);
  for (const std::string& refused : found_.refused) notify(RemarkKey::checkpoint, "not used: " + refused);
  if (!found_.checkpoint) {
    if (!found_.refused.empty())
      throw UsageError("no checkpoint in " + folder + " can be used: " + found_.refused.front());
    notify(RemarkKey::checkpoint, "there is no checkpoint in " + folder + " yet: the run begins anew");
    folder_->remove_outdated();
    return;
  }
  if (setup_.run.end < found_.checkpoint->state.t)
    throw UsageError(fmt::format("the run in {} has reached t = {} s already, behind its end at {} s", folder,
                                 found_.checkpoint->state.t, setup_.run.end));
  if (!remember(found_.checkpoint->observed))
    throw UsageError(found_.file.string() + " does not say what was observed");
  state = found_.checkpoint->state;
  Report& report = record_.report;
  report.resumed_from = found_.file.string();
  report.refused = found_.refused;
  report.resume_restarted = !setup_.stepper->traits().copyable_memory;
  report.finished_before = state.t == setup_.run.end;
  if (setup_.reuses_pivots && !report.finished_before)
    notify(RemarkKey::checkpoint,
           setup_.backend +
               " takes over pivots of earlier matrices, which no checkpoint has: the bits are not "
               "those of one run");
  if (!report.finished_before)
    folder_->remove_outdated();
  else
    notify(RemarkKey::checkpoint,
           fmt::format("the run in {} is finished, at t = {} s; --end T takes it further", folder, state.t));
}

// The numbers of the monitor and of the verdict, which are always as many, then those of the integrals.
std::vector<double> Experiment::observed() const { return joined_memory(monitor_, verdict_, *integrals_); }

bool Experiment::remember(const std::vector<double>& observed) {
  return remember_joined(observed, monitor_, verdict_, *integrals_);
}

// What quantities may use besides the state.
MeasureSources Experiment::sources() const {
  MeasureSources sources{.steps = &*steps_,
                         .monitor = &monitor_,
                         .integrals = integrals_ ? &*integrals_ : nullptr,
                         .redundancy = &record_.report.redundancy,
                         .reactions = setup_.reactions,
                         .multipliers = setup_.multipliers};
  if (bodies_of(*system_) != nullptr)
    for (const ObservedPoint& p : setup_.problem->observed_points())
      sources.points.push_back({p.name, p.body, p.point});
  return sources;
}

void Experiment::attach_results() {
  const ResultsOptions options = results_options(setup_);
  const ResultsContext context{.system = system_.get(),
                               .stepper = setup_.stepper.get(),
                               .monitor = &monitor_,
                               .integrals = &*integrals_,
                               .redundancy = &record_.report.redundancy,
                               .reactions = setup_.reactions,
                               .multipliers = setup_.multipliers,
                               .points = sources().points,
                               .manifest = record_.manifest,
                               .quantities = &catalog_.quantities()};
  const double steps = (setup_.run.end - system_->initial_state().t) / setup_.run.step;
  const std::string remark =
      size_remark(result_size(options, context, 1.0 + std::ceil(steps / setup_.run.every)));
  if (!remark.empty()) notify(RemarkKey::results_size, remark);
  results_.emplace(setup_.settings.output, options, context);
  results_->attach_to(listeners_);
}

void Experiment::attach_table() {
  const bool named = !setup_.scenario.record.empty();
  if (!context_.keep_table || (!named && !context_.keep_standard)) return;
  std::string usual;
  if (!named && bodies_of(*system_) != nullptr)  // a table of the standard ones has q in place of bodies
    for (const char* group :
         {"energy", "momentum", "bodies", "lambda", "reactions", "joints", "forces", "drives", "points"})
      if (record_defect(group, catalog_.quantities(), *system_, sources()).empty())
        usual += (usual.empty() ? "" : ",") + std::string(group);
  Selection selection = named ? setup_.selection : select(catalog_.quantities(), usual, setup_.multipliers);
  listeners_.sinks.push_back(&table_.emplace(std::move(selection), sources(), record_.table));
}

}  // namespace catena
