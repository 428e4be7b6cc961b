#include <catena/assembly/body_system.hpp>
#include <catena/cli/backend_choice.hpp>
#include <catena/cli/folder_keeper.hpp>
#include <catena/cli/progress.hpp>
#include <catena/cli/run_choice.hpp>
#include <catena/cli/run_command.hpp>
#include <catena/cli/run_record.hpp>
#include <catena/cli/set_up.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/cli/writable.hpp>
#include <catena/output/report.hpp>
#include <catena/output/result_set.hpp>
#include <catena/output/version.hpp>
#include <catena/sparse/backends/spqr.hpp>

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <new>
#include <ostream>
#include <system_error>

namespace catena {
namespace {

// One run from request to report, as verbs.
class RunCommand {
 public:
  RunCommand(const RunRequest& request, const Catalog& catalog, const Console& console, bool resumes)
      : choice_(request, catalog, resumes), catalog_(catalog), console_(console), resumes_(resumes) {
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
      choice_.choose(report_);
      build();
      code = run();
    } catch (const std::bad_alloc&) {
      code = refuse("not enough memory for this problem");
    } catch (const ModelFileError& error) {
      choice_.file_error = error.what();
      code = refuse(choice_.file_error + (choice_.complaints.any() ? '\n' + choice_.complaints.text() : ""));
    } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
      code = refuse(error.what());
    }
    return tell(code);
  }

 private:
  void build() {
    const auto begin = std::chrono::steady_clock::now();
    system_ = make_system(*choice_.problem, choice_.stepper->traits().coordinates);
    if (const auto* bodies = dynamic_cast<const BodySystem*>(system_.get())) model_ = &bodies->model();
    if (!request_.output.empty()) refuse_format(choice_.results, results_defect(choice_.results, *system_));
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
      results.emplace(request_.output, choice_.results, context(monitor));
      results->take_part(listeners);
    }
    std::optional<ProgressBar> progress;
    if (console_.progress) {
      progress.emplace(console_.err, state.t, choice_.run.end);
      listeners.observers.push_back(&*progress);
    }
    RunResult result =
        found_.checkpoint
            ? catena::run(*system_, *choice_.stepper, state, choice_.run, listeners, found_.checkpoint->run)
            : catena::run(*system_, *choice_.stepper, state, choice_.run, listeners);
    progress.reset();
    if (result.status == Status::unsupported && result.steps == 0)
      if (const std::string why =
              backend_refusal(*system_, report_.stepper, report_.backend, request_, catalog_);
          !why.empty())
        return refuse(why);
    if (result.status == Status::unsupported && !result.message.empty() && result.steps == 0)
      result.message += fmt::format("; steppers that take {} with their default options: {}",
                                    request_.problem, steppers_for(*choice_.problem, catalog_));
    if (keeper_ && (result.sink_failed || result.interrupted))
      if (const std::string standing = keeper_->standing(); !standing.empty())
        result.message += "; " + standing;
    fill_from_run(report_, *system_, state, *choice_.stepper, monitor, result);
    if (!request_.json.empty() || !request_.output.empty()) fill_final_values(report_, *system_, state);
    if (results)
      for (const std::filesystem::path& file : results->files())
        if (std::error_code none; std::filesystem::exists(file, none))  // not one that a resumed run misses
          report_.files.push_back(file.string());
    if (result.sink_failed) return exit_cannot_write;
    if (result.interrupted) return exit_interrupted;
    if (result.status == Status::unsupported) return exit_bad_input;
    return result.status == Status::ok ? exit_ok : exit_run_ended_early;
  }

  // What the results say besides the states.
  ResultsContext context(const Monitor& monitor) const {
    ResultsContext context{.system = system_.get(), .stepper = choice_.stepper.get(), .monitor = &monitor};
    if (model_ != nullptr)
      for (const ObservedPoint& p : choice_.problem->observed_points())
        context.points.push_back({p.name, p.body, p.point});
    context.manifest = manifest_of(report_, choice_.run);
    return context;
  }

  // Checkpoints in the folder of the output, and the one that this run goes on from.
  void survive(State& state, Monitor& monitor, Listeners& listeners) {
    const Identity identity = identity_of(report_, choice_.run, !choice_.model_files.empty(), *system_);
    folder_.emplace(request_.output);
    if (resumes_) go_on(identity, state, monitor);
    keeper_.emplace(*folder_, request_, choice_.model_files, identity, choice_.checkpoint_interval, monitor);
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
    if (choice_.run.end < found_.checkpoint->state.t)
      throw UsageError(fmt::format("the run in {} has reached t = {} s already, behind its end at {} s",
                                   request_.output, found_.checkpoint->state.t, choice_.run.end));
    if (!monitor.remember(found_.checkpoint->observed))
      throw UsageError(found_.file.string() + " does not say what was observed");
    state = found_.checkpoint->state;
    report_.resumed_from = found_.file.string();
    report_.refused = found_.refused;
    report_.resume_restarted = !choice_.stepper->traits().copyable_memory;
    report_.finished_before = state.t == choice_.run.end;
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
      console_.err << (choice_.file_error.empty() ? signed_lines(report_.error) : refusal_of_file());
    else
      (json_to_out ? console_.err : console_.out) << to_text(report_);
    for (const std::string& remark : report_.run.remarks) console_.err << "catena: " << remark << '\n';
    if (report_.run.status != Status::ok && report_.error.empty())
      console_.err << "catena: " << termination(report_) << '\n';
    if (json_to_out) console_.out << to_json(report_) << std::flush;
    return code;
  }

  // Complaints about a file begin with its name.
  std::string refusal_of_file() const {
    return choice_.file_error + '\n' +
           (choice_.complaints.any() ? signed_lines(choice_.complaints.text()) : "");
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

  RunChoice choice_;
  const RunRequest& request_ = choice_.request;
  const Catalog& catalog_;
  const Console& console_;
  const bool resumes_;
  std::optional<RunFolder> folder_;
  std::optional<FolderKeeper> keeper_;
  FoundCheckpoint found_;
  std::unique_ptr<System> system_;
  const Model* model_ = nullptr;
  Report report_;
};

}  // namespace

ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console,
                     bool resumes) {
  return RunCommand(request, catalog, console, resumes)();
}

}  // namespace catena
