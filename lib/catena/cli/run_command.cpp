#include <catena/assembly/body_system.hpp>
#include <catena/cli/backend_choice.hpp>
#include <catena/cli/folder_keeper.hpp>
#include <catena/cli/model_problem.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/output_request.hpp>
#include <catena/cli/progress.hpp>
#include <catena/cli/run_command.hpp>
#include <catena/cli/run_record.hpp>
#include <catena/cli/set_up.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/cli/writable.hpp>
#include <catena/math/parallel.hpp>
#include <catena/output/report.hpp>
#include <catena/output/result_set.hpp>
#include <catena/output/version.hpp>
#include <catena/sparse/backends/spqr.hpp>

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <new>
#include <ostream>

namespace catena {
namespace {

struct ThreadOption {
  int threads = 1;
};

void visit(OptionVisitor& visitor, ThreadOption& o) {
  visitor.integer(
      {"threads", "1", "threads of the run; 0: as many as the machine offers; same bits for any", 0, 1024},
      o.threads);
}

// One run from request to report, as verbs.
class RunCommand {
 public:
  RunCommand(const RunRequest& request, const Catalog& catalog, const Console& console, bool resumes)
      : request_(request), catalog_(catalog), console_(console), resumes_(resumes) {
    report_.problem = request.problem;
    report_.version = version();
  }

  ExitCode operator()() {
    if (!request_.json.empty() && request_.json != "-")
      if (const std::string why = unwritable(request_.json); !why.empty()) {
        console_.err << "catena: cannot write " << request_.json << ": " << why << "; nothing was run\n";
        return exit_cannot_write;
      }
    ExitCode code = exit_ok;
    try {
      choose();
      build();
      code = run();
    } catch (const std::bad_alloc&) {
      code = refuse("not enough memory for this problem");
    } catch (const ModelFileError& error) {
      in_file_ = true;
      code = refuse(error.what());
    } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
      code = refuse(error.what());
    }
    return tell(code);
  }

 private:
  void choose() {
    const auto begin = std::chrono::steady_clock::now();
    OpenedProblem opened = open_problem(request_.problem, catalog_);
    report_.seconds_build = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    request_ = complete_request(request_, opened, catalog_);
    spare_earlier_run(request_.output, request_.overwrite, resumes_);
    if (opened.file) model_files_ = opened.file->files();
    if (!request_.output.empty()) refuse_pipes(request_.output, model_files_);
    problem_ = std::move(opened.problem);
    const Visitable parameters = [&](OptionVisitor& v) { problem_->visit(v); };
    set_options(parameters, request_.parameters, "--set", "problem " + request_.problem);
    report_.parameters = option_values(parameters);

    const ProblemDefaults defaults = problem_->defaults();
    report_.stepper = request_.stepper.empty() ? defaults.stepper : request_.stepper;
    const std::unique_ptr<StepperSetup> setup = catalog_.stepper(report_.stepper).setup();
    const Visitable options = [&](OptionVisitor& v) { setup->visit(v); };
    set_options(options, request_.options, "--option", "stepper " + report_.stepper);
    report_.options = option_values(options);

    LinearSolverFactory backend;
    if (!request_.backend.empty() || !catalog_.backends().empty()) {
      const CatalogBackend& chosen =
          request_.backend.empty() ? catalog_.backends().front() : catalog_.backend(request_.backend);
      backend = chosen.make;
      report_.backend = chosen.name;
    }
    if (const std::string own = setup->own_backend(); !own.empty()) {
      if (!request_.backend.empty())
        throw UsageError("stepper " + report_.stepper + " solves its linear systems by " + own +
                         " and takes no other back end: leave --backend out");
      report_.backend = own;
    }
    stepper_ = setup->make(backend, catalog_.fallback());

    run_options_.step = defaults.step;
    run_options_.end = defaults.end;
    const Visitable run_options = [&](OptionVisitor& v) { catena::visit(v, run_options_); };
    set(run_options, "step", request_.step);
    set(run_options, "end", request_.end);
    set(run_options, "every", request_.every);
    if (run_options_.end / run_options_.step > 1e12)
      throw UsageError("more than 1e12 steps: choose --step or --end otherwise");
    report_.end = run_options_.end;
    report_.every = run_options_.every;

    const Visitable results_options = [&](OptionVisitor& v) { catena::visit(v, results_options_); };
    set(results_options, "format", request_.format);
    set(results_options, "interval", request_.interval);
    refuse_format(results_defect(results_options_));

    if (request_.checkpoint)
      checkpoint_interval_ = checkpoint_interval(*request_.checkpoint, request_.output);

    ThreadOption thread_option;
    set([&](OptionVisitor& v) { visit(v, thread_option); }, "threads", request_.threads);
    set_threads(thread_option.threads);
  }

  void refuse_format(const std::string& defect) const {
    if (!defect.empty()) throw UsageError("--format " + results_options_.format + ": " + defect);
  }

  static void set(const Visitable& options, const std::string& name, const std::optional<std::string>& text) {
    if (text) set_option(options, name, *text, "--" + name + " " + *text);
  }

  void build() {
    const auto begin = std::chrono::steady_clock::now();
    system_ = make_system(*problem_, stepper_->traits().coordinates);
    if (const auto* bodies = dynamic_cast<const BodySystem*>(system_.get())) model_ = &bodies->model();
    if (!request_.output.empty()) refuse_format(results_defect(results_options_, *system_));
    report_.seconds_build += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  ExitCode run() {
    State state = system_->initial_state();
    look_for_redundant_rows(state);
    Monitor monitor;
    Listeners listeners{.observers = {&monitor}, .stop = console_.stop};
    if (!request_.output.empty()) survive(state, monitor, listeners);
    std::optional<ResultSet> results;
    if (!request_.output.empty()) {
      results.emplace(request_.output, results_options_, context(monitor));
      results->take_part(listeners);
    }
    std::optional<ProgressBar> progress;
    if (console_.progress) {
      progress.emplace(console_.err, state.t, run_options_.end);
      listeners.observers.push_back(&*progress);
    }
    RunResult result = found_.checkpoint ? catena::run(*system_, *stepper_, state, run_options_, listeners,
                                                       found_.checkpoint->run)
                                         : catena::run(*system_, *stepper_, state, run_options_, listeners);
    progress.reset();
    if (result.status == Status::unsupported && result.steps == 0)
      if (const std::string why =
              backend_refusal(*system_, report_.stepper, report_.backend, request_, catalog_);
          !why.empty())
        return refuse(why);
    if (result.status == Status::unsupported && !result.message.empty() && result.steps == 0)
      result.message += fmt::format("; steppers that take {} with their default options: {}",
                                    request_.problem, steppers_for(*problem_, catalog_));
    if (keeper_ && (result.sink_failed || result.interrupted))
      if (const std::string standing = keeper_->standing(); !standing.empty())
        result.message += "; " + standing;
    fill_from_run(report_, *system_, state, *stepper_, monitor, result);
    if (!request_.json.empty() || !request_.output.empty()) fill_final_values(report_, *system_, state);
    if (results)
      for (const std::filesystem::path& file : results->files()) report_.files.push_back(file.string());
    if (result.sink_failed) return exit_cannot_write;
    if (result.interrupted) return exit_interrupted;
    if (result.status == Status::unsupported) return exit_bad_input;
    return result.status == Status::ok ? exit_ok : exit_run_ended_early;
  }

  // What the results say besides the states.
  ResultsContext context(const Monitor& monitor) const {
    ResultsContext context{.system = system_.get(), .stepper = stepper_.get(), .monitor = &monitor};
    if (model_ != nullptr)
      for (const ObservedPoint& p : problem_->observed_points())
        context.points.push_back({p.name, p.body, p.point});
    context.manifest = manifest_of(report_, run_options_);
    return context;
  }

  // Checkpoints in the folder of the output, and the one that this run goes on from.
  void survive(State& state, Monitor& monitor, Listeners& listeners) {
    const Identity identity = identity_of(report_, run_options_, !model_files_.empty(), *system_);
    folder_.emplace(request_.output);
    if (resumes_) go_on(identity, state, monitor);
    keeper_.emplace(*folder_, request_, model_files_, identity, checkpoint_interval_, monitor);
    if (found_.checkpoint) keeper_->goes_on_from(found_.file, state.t);
    listeners.sinks.push_back(&*keeper_);
    listeners.checkpoints = &*keeper_;
  }

  void go_on(const Identity& identity, State& state, Monitor& monitor) {
    folder_->lock();
    found_ = folder_->find(identity);
    for (const std::string& refused : found_.refused) console_.err << "catena: not used: " << refused << '\n';
    if (!found_.checkpoint) {
      if (!found_.refused.empty())
        throw UsageError("no checkpoint in " + request_.output + " can be used: " + found_.refused.front());
      console_.err << "catena: there is no checkpoint in " << request_.output
                   << " yet: the run begins anew\n";
      return;
    }
    if (run_options_.end < found_.checkpoint->state.t)
      throw UsageError(fmt::format("the run in {} has reached t = {} s already, behind its end at {} s",
                                   request_.output, found_.checkpoint->state.t, run_options_.end));
    if (!monitor.remember(found_.checkpoint->observed))
      throw UsageError(found_.file.string() + " does not say what was observed");
    state = found_.checkpoint->state;
    report_.resumed_from = found_.file.string();
    report_.refused = found_.refused;
    report_.resume_restarted = !stepper_->traits().copyable_memory;
    report_.finished_before = state.t == run_options_.end;
    if (report_.finished_before)
      console_.err << fmt::format(
          "catena: the run in {} is finished, at t = {} s; --end T takes it further\n", request_.output,
          state.t);
  }

  void look_for_redundant_rows(const State& state) {
    const auto begin = std::chrono::steady_clock::now();
    // Initial positions may miss by 1e-9 m (Model::check_initial_positions), more than that of a small body.
    report_.redundancy = find_redundancy(
        *system_, state, [](const BlockMatrix& m) { return rank_of_rows(m, {.tolerance = 1e-8}); });
    report_.seconds_build += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::string remark = to_text(report_.redundancy);
    if (!remark.empty()) console_.err << "catena: " << remark << '\n';
  }

  ExitCode refuse(const std::string& why) {
    report_.error = why;
    return exit_bad_input;
  }

  // The report goes to stdout, or to stderr where stdout is to hold nothing but JSON.
  ExitCode tell(ExitCode code) {
    note(code);
    const bool json_to_out = request_.json == "-";
    std::string file;
    if (!request_.json.empty() && !json_to_out) file = request_.json;
    const bool folder_stands = !report_.files.empty();
    if (!file.empty() && !write(file)) code = exit_cannot_write;
    if (folder_stands && !write((std::filesystem::path(request_.output) / "report.json").string()))
      code = exit_cannot_write;
    note(code);
    if (!report_.error.empty())
      console_.err << (in_file_ ? "" : "catena: ") << report_.error << '\n';
    else
      (json_to_out ? console_.err : console_.out) << to_text(report_);
    for (const std::string& remark : report_.run.remarks) console_.err << "catena: " << remark << '\n';
    if (report_.run.status != Status::ok && report_.error.empty())
      console_.err << "catena: " << termination(report_) << '\n';
    if (json_to_out) console_.out << to_json(report_) << std::flush;
    return code;
  }

  void note(ExitCode code) {
    report_.exit_status = code;
    report_.exit_text = to_string(code);
  }

  bool write(const std::string& path) {
    std::ofstream stream(path, std::ios::binary);
    stream << to_json(report_) << std::flush;
    if (stream) return true;
    console_.err << "catena: cannot write " << path << '\n';
    return false;
  }

  RunRequest request_;  // with what a model file adds
  const Catalog& catalog_;
  const Console& console_;
  const bool resumes_;
  bool in_file_ = false;              // the error begins with file and line
  double checkpoint_interval_ = 0.0;  // [s]
  std::optional<RunFolder> folder_;
  std::optional<FolderKeeper> keeper_;
  FoundCheckpoint found_;
  std::vector<std::string> model_files_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<System> system_;
  const Model* model_ = nullptr;
  RunOptions run_options_;
  ResultsOptions results_options_;
  Report report_;
};

}  // namespace

ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console,
                     bool resumes) {
  return RunCommand(request, catalog, console, resumes)();
}

}  // namespace catena
