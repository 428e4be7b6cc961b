#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/report_command.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/detail/run_section.hpp>
#include <catena/study/detail/companion_run.hpp>
#include <catena/study/detail/digit_search.hpp>

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

// Reads the number of an option from its text; without a text `into` keeps its value.
template <class Options, class T>
void read_number(Complaints& complaints, const std::string& name, const std::optional<std::string>& text,
                 T Options::*member, std::optional<T>& into) {
  if (!text) return;
  complaints.attempt([&] {
    Options options;
    set_option([&](OptionVisitor& v) { visit(v, options); }, name, *text, "--" + name + " " + *text);
    into = options.*member;
  });
}

void read_checkpoint(Complaints& complaints, const std::optional<std::string>& text,
                     std::optional<double>& into) {
  if (!text) return;
  into = parse_duration(*text);
  if (!into)
    complaints.add(fmt::format(
        "--checkpoint {}: a time is a number with s, min, h or nothing (seconds) behind it, \"10s\" say",
        *text));
}

// What --digits asks for; 0: nothing.
int read_digits(Complaints& complaints, const RunRequest& request) {
  constexpr int most = 12;  // with 13 the companion's tolerance is 1e-15, which no stepper resolves
  if (!request.digits) return 0;
  const std::optional<int> digits = parse_integer(*request.digits);
  if (!digits || *digits < 1 || *digits > most)
    complaints.add(fmt::format("--digits {}: a whole number from 1 to {}", *request.digits, most));
  if (const auto typed = request.members.find("tolerance");
      typed != request.members.end() && !typed->second.empty())
    complaints.add("--tolerance beside --digits, which chooses the tolerance: give one of the two");
  return digits.value_or(0);
}

ExitCode exit_code_of(const RunResult& result, bool strict, const Console& console) {
  if (result.sink_failed) return exit_cannot_write;
  if (result.interrupted) return exit_code_of_signal(console);
  if (result.status == Status::unsupported) return exit_bad_input;
  if (result.status != Status::ok) return exit_run_ended_early;
  return strict && !result.remarks.empty() ? exit_remarks : exit_ok;
}

// Signals end the run from here on; before, the process.
class BeginToListen : public Observer {
 public:
  void begin(const System&) override { listen_.emplace(); }
  bool observe(const State&) override { return true; }

 private:
  std::optional<ListenToSignals> listen_;
};

// Runs a scenario and reports to people and, where asked, to programs.
class RunAndReport {
 public:
  RunAndReport(const std::string& json, bool strict, const Console& console)
      : json_(json), strict_(strict), console_(console) {}

  RunAndReport& with_error_bars(bool wanted) {
    error_bars_ = wanted;
    return *this;
  }
  // Why there are none though they were asked for; empty: no such reason.
  RunAndReport& without_error_bars(std::string why) {
    no_bars_ = std::move(why);
    return *this;
  }
  // Of the scenario that is to be run; nullptr: none were asked for.
  RunAndReport& with_digits(const FoundDigits* found) {
    found_ = found;
    return *this;
  }

  ExitCode operator()(const Scenario& scenario, RunContext context, const Complaints& complaints,
                      const Catalog& catalog) {
    if (!json_.empty() && json_ != "-")
      if (const std::string why = unwritable(json_); !why.empty()) {
        console_.err << "catena: cannot write " << json_ << ": " << why << "; nothing was run\n";
        return exit_cannot_write;
      }
    context.final_values = !json_.empty();
    context.examine_failures = true;
    const bool resumed = context.resume;
    context.error_bars = error_bars_ || found_ != nullptr;
    context.keep_table = context.keep_standard = error_bars_ && !resumed;
    context.listeners.stop = console_.stop;
    BeginToListen begin_to_listen;  // until all is written
    context.listeners.observers.push_back(&begin_to_listen);
    context.notify = [this](const std::string& sentence) { console_.err << "catena: " << sentence << '\n'; };
    std::optional<ProgressBar> progress;
    if (console_.progress) context.listeners.observers.push_back(&progress.emplace(console_.err));
    Experiment experiment(scenario, std::move(context), catalog);
    ExitCode code = exit_bad_input;
    std::optional<ErrorBars> bars;
    try {
      experiment.prepare(complaints);
      if (progress) progress->set_end(experiment.end());
      experiment.run();
      code = exit_code_of(experiment.record().report.run, strict_, console_);
      progress.reset();
      if (found_ != nullptr)
        bars = bars_of_search(experiment, code);
      else if (error_bars_)
        bars = measure_error_bars(experiment, resumed, catalog);
      else if (!no_bars_.empty())
        bars = ErrorBars{.companion = "not run", .missing = no_bars_};
    } catch (const std::bad_alloc&) {
      if (experiment.record().report.run.steps > 0) return without_report(experiment);
      refuse("not enough memory for this problem");
    } catch (const ScenarioError& error) {
      refuse(error.what());
      refusal_ = (error.in_file().empty() ? "" : error.in_file() + '\n') +
                 (error.others().empty() ? "" : signed_lines(error.others()));
    } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
      refuse(error.what());
    }
    progress.reset();
    try {
      Report report = experiment.record().report;
      report.error = error_;
      if (bars) report.error_bars = std::move(*bars);
      if (found_ != nullptr) report.digits = found_->digits;
      report.files.insert(report.files.end(), bars_files_.begin(), bars_files_.end());
      return print(report, experiment.settings().output, code);
    } catch (const std::bad_alloc&) {
      return without_report(experiment);
    }
  }

 private:
  // Of a run that has ended before the memory did.
  ExitCode without_report(const Experiment& experiment) const {
    const std::string& folder = experiment.settings().output;
    console_.err << "catena: not enough memory for the report of this run, which has ended: "
                 << to_text(experiment.record().report.run);
    if (!folder.empty()) console_.err << "; its results are in " << folder;
    console_.err << '\n';
    return exit_cannot_write;
  }

  // Of a run that has reached its end, with files in the folder of its results. A companion that cannot run, and a file that
  // cannot be written, leave the run as it is.
  ErrorBars measure_error_bars(const Experiment& experiment, bool resumed, const Catalog& catalog) {
    const Record& record = experiment.record();
    const std::string& folder = experiment.settings().output;
    ErrorBars none{.companion = "not run"};
    if (!record.ok() || record.report.run.interrupted) {
      none.missing = "the run did not reach its end";
      return none;
    }
    const std::filesystem::path earlier = std::filesystem::path(folder) / error_bars_csv;
    if (resumed && record.report.finished_before && std::filesystem::exists(earlier)) {
      none.missing = fmt::format("those of the run are in {}", earlier.string());
      return none;
    }
    try {
      RunContext context{.settings = {.threads = experiment.settings().threads}, .keep_standard = true};
      context.listeners.stop = console_.stop;
      // Of what was there before it was resumed no table is in memory: the run is taken anew, to the same bits, as its end is
      // where it was.
      std::optional<Record> whole;
      if (resumed) whole = try_run(record.scenario, catalog, context);
      if (whole && (!whole->ok() || whole->report.run.interrupted)) {
        none.missing =
            "the run, taken anew for its table, did not reach the end: " + termination(whole->report);
        return none;
      }
      const Record& measured_on = whole ? *whole : record;
      const Companion how = companion_of(measured_on, catalog);
      MeasuredBars measured = error_bars(measured_on, try_run(how.scenario, catalog, context), how);
      if (whole) measured.summary.seconds += whole->report.run.seconds_total;
      if (!folder.empty() && measured.summary.missing.empty())
        bars_files_ = write_error_bars(measured, folder);
      return std::move(measured.summary);
    } catch (const std::bad_alloc&) {
      none.missing = "not enough memory for a second run and its table";
    } catch (const std::exception& error) {
      none.missing = error.what();
    }
    return none;
  }

  // The run is the one that the bars were measured on, to the bits.
  ErrorBars bars_of_search(const Experiment& experiment, ExitCode& code) {
    const std::string& folder = experiment.settings().output;
    const MeasuredBars& measured = found_->measured;
    if (!folder.empty() && measured.bars.rows() > 0) bars_files_ = write_error_bars(measured, folder);
    if (code == exit_ok && !found_->digits.missing.empty()) code = exit_fewer_digits;
    return measured.summary;
  }

  void refuse(const std::string& why) {
    error_ = why;
    refusal_ = signed_lines(why);
  }

  // The report goes to stdout, or to stderr where stdout is to hold nothing but JSON.
  ExitCode print(Report& report, const std::filesystem::path& folder, ExitCode code) {
    note(report, code);
    const bool json_to_out = json_ == "-";
    if (!json_.empty() && !json_to_out && !write(json_, report)) code = exit_cannot_write;
    // The report of a run that was finished before has its counters, which this one has not.
    const std::filesystem::path beside = folder / "report.json";
    const bool is_there = report.finished_before && bars_files_.empty() && std::filesystem::exists(beside);
    if (!report.files.empty() && !is_there && !write(beside.string(), report)) code = exit_cannot_write;
    note(report, code);
    if (!report.error.empty())
      console_.err << refusal_;
    else
      (json_to_out ? console_.err : console_.out) << to_text(report);
    for (const Remark& remark : report.run.remarks) console_.err << "catena: " << remark.text << '\n';
    if (report.run.status != Status::ok && report.error.empty()) print_failure(report, !folder.empty());
    if (code == exit_fewer_digits)
      console_.err << fmt::format("catena: {} digits were asked for, the result has {:.1f}: {}\n",
                                  report.digits.asked, report.digits.reached, report.digits.missing);
    if (json_to_out) console_.out << to_json(report) << std::flush;
    return code;
  }

  void print_failure(const Report& report, bool has_folder) const {
    console_.err << "catena: " << termination(report) << '\n';
    for (const std::string& line : report.failure) console_.err << line << '\n';
    if (!report.failure_file.empty())
      console_.err << "to take this step again: catena replay " << report.failure_file
                   << " [--step H] [--option KEY=VALUE] [--backend NAME]\n";
    else if (!report.failure.empty() && !has_folder)
      console_.err << "to keep the record of this failure: run it with --output DIR\n";
  }

  static void note(Report& report, ExitCode code) {
    report.exit_status = code;
    report.exit_text = to_string(code);
  }

  bool write(const std::string& file, const Report& report) const {
    if (write_text(file, to_json(report))) return true;
    console_.err << "catena: cannot write " << file << '\n';
    return false;
  }

  const std::string& json_;
  const bool strict_;
  bool error_bars_ = false;
  const FoundDigits* found_ = nullptr;
  const Console& console_;
  std::string error_, refusal_, no_bars_;
  std::vector<std::string> bars_files_;
};

}  // namespace

ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console) {
  Complaints complaints;
  Scenario scenario{.problem = request.problem};
  RunContext context{.settings = request.settings};
  complaints.attempt([&] { scenario.parameters = parse_settings(request.parameters, "--set"); });
  complaints.attempt([&] { scenario.options = parse_settings(request.options, "--option"); });
  each_member([&](const ScenarioMember& member, auto) {
    const auto typed = request.members.find(member.name);
    if (typed != request.members.end() && !typed->second.empty())
      complaints.attempt([&] { set_member(scenario, member.name, typed->second); });
  });
  read_number(complaints, "interval", request.interval, &ResultsOptions::interval, context.settings.interval);
  read_checkpoint(complaints, request.checkpoint, context.settings.checkpoint);
  read_number(complaints, "threads", request.threads, &ThreadOption::threads, context.settings.threads);
  const std::string folder = context.settings.output;
  complaints.attempt([&] { check_report(request.report, folder); });
  std::optional<FoundDigits> found;
  if (const int digits = read_digits(complaints, request); digits > 0 && !complaints.any()) {
    complaints.attempt(
        [&] { found = find_digits(scenario, digits, catalog, context.settings.threads.value_or(1)); });
    if (found) scenario = found->scenario;
  }
  const ExitCode code =
      RunAndReport(request.json, request.strict, console)
          .with_error_bars(request.error_bars)
          .with_digits(found ? &*found : nullptr)(scenario, std::move(context), complaints, catalog);
  const bool wrote = code != exit_bad_input && code != exit_cannot_write;
  return wrote ? write_report(request.report, folder, catalog, console, code) : code;
}

ExitCode resume_command(const ResumeRequest& request, const Catalog& catalog, const Console& console) {
  FolderRequest run;
  try {
    run = RunFolder(request.folder).request();
  } catch (const UsageError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_bad_input;
  }
  Complaints complaints;
  run.settings.output = request.folder;
  read_number(complaints, "threads", request.threads, &ThreadOption::threads, run.settings.threads);
  const std::optional<double> before = run.scenario.end;
  if (request.end) complaints.attempt([&] { set_member(run.scenario, "end", *request.end); });
  const bool moved = run.error_bars && run.scenario.end != before;
  read_checkpoint(complaints, request.checkpoint, run.settings.checkpoint);
  RunContext context{.settings = run.settings, .resume = true};
  return RunAndReport(request.json, request.strict, console)
      .with_error_bars(run.error_bars && !moved)
      .without_error_bars(
          moved ? "the end of the run has been moved, and with it its steps: run it anew with --error-bars"
                : "")(run.scenario, std::move(context), complaints, catalog);
}

}  // namespace catena::detail
