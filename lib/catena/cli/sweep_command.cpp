#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/report_command.hpp>
#include <catena/cli/detail/sweep_text.hpp>
#include <catena/cli/detail/typed_number.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/rank_rows.hpp>
#include <catena/study/sweep.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

// What was typed as numbers, with the complaints of all of it.
struct SweepNumbers {
  Complaints complaints;

  // A whole number from `least`; `standard` where nothing was typed.
  int whole(const std::string& name, const std::string& text, int least, int standard) {
    int number = standard;
    if (!text.empty()) complaints.attempt([&] { number = whole_number("--" + name, text, least); });
    return number;
  }
  double duration(const std::string& name, const std::string& text) {
    if (text.empty()) return 0.0;
    const std::optional<double> seconds = parse_duration(text);
    if (seconds && *seconds > 0.0) return *seconds;
    complaints.add("--" + name + " " + text +
                   ": a time above 0 is a number with s, min, h or nothing (seconds) behind it, \"10s\" say");
    return 0.0;
  }
  void shard(const std::string& text, SweepOptions& options) {
    if (text.empty()) return;
    const std::size_t slash = text.find('/');
    const std::optional<int> which = parse_integer(text.substr(0, slash));
    const std::optional<int> of =
        slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
    if (which && of && *which >= 1 && *which <= *of) {
      options.shard = *which;
      options.shards = *of;
    } else {
      complaints.add("--shard " + text + ": write I/N with 1 <= I <= N, 2/8 say");
    }
  }
};

Sampling sampling_of(const std::string& name) {
  const std::vector<std::string> names{"random", "latin", "sobol", "saltelli"};
  const Sampling kinds[] = {Sampling::random, Sampling::latin_hypercube, Sampling::sobol, Sampling::saltelli};
  if (name.empty()) return Sampling::random;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return kinds[k];
  throw UsageError("--sampling " + name + ": " + unknown_name("sampling", name, names));
}

Sweep sweep_of(const SweepRequest& request, SweepNumbers& numbers) {
  Complaints& complaints = numbers.complaints;
  Sweep sweep;
  sweep.base.problem = request.problem;
  complaints.attempt([&] { sweep.base.parameters = parse_settings(request.parameters, "--set"); });
  complaints.attempt([&] { sweep.base.options = parse_settings(request.options, "--option"); });
  for (const auto& member : request.members)
    if (!member.second.empty())
      complaints.attempt([&] { set_member(sweep.base, member.first, member.second); });
  for (const std::string& axis : request.vary) try {
      sweep.axes.push_back(axis_from_text(axis));
    } catch (const UsageError& error) {
      complaints.add(std::string("--vary ") + error.what());
    }
  for (const std::string& text : request.keep) try {
      for (Reduction& reduction : reductions_from_text(text)) sweep.keep.push_back(std::move(reduction));
    } catch (const UsageError& error) {
      complaints.add(std::string("--keep ") + error.what());
    }
  complaints.attempt([&] { sweep.sampling = sampling_of(request.sampling); });
  sweep.samples = static_cast<std::size_t>(numbers.whole("samples", request.samples, 1, 0));
  sweep.seed = static_cast<std::uint64_t>(numbers.whole("sample-seed", request.sample_seed, 0, 0));
  return sweep;
}

class SweepProgress {
 public:
  SweepProgress(std::ostream& out, bool shown) : out_(out), shown_(shown) {}
  ~SweepProgress() {
    if (width_ > 0) out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void operator()(const SweepCounts& counts) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || (width_ > 0 && now < next_)) return;
    next_ = now + std::chrono::milliseconds(100);
    std::string text = progress_line(counts, std::chrono::duration<double>(now - begun_).count());
    const std::size_t width = text.size();
    text.resize(std::max(width, width_), ' ');  // covers the line before
    out_ << '\r' << text << std::flush;
    width_ = text.size();
  }

 private:
  std::ostream& out_;
  const bool shown_;
  std::size_t width_ = 0;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = begun_;
};

ExitCode exit_code_of(const SweepCounts& counts, int allowed, const Console& console) {
  if (counts.interrupted) return exit_code_of_signal(console);
  if (counts.out_of_time) return exit_time_limit;
  return counts.failed > static_cast<std::size_t>(allowed) ? exit_run_ended_early : exit_ok;
}

template <class Write>
void write_text(const std::string& name, const Write& write) {
  std::ofstream file(name, std::ios::binary);
  write(file);
  if (!file.flush()) throw SinkError("cannot write " + name);
}

// all.csv: all.series.csv.
std::string series_file(const std::string& csv) {
  return std::filesystem::path(csv).replace_extension("series.csv").string();
}

bool begins_with(const std::filesystem::path& file, std::string_view expected) {
  std::string begin(expected.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return static_cast<bool>(stream) && begin == expected;
}

// Files that this command has written are written anew; the tables that it reads, and files of others, are not touched.
void refuse_to_replace(const StudyRequest& request) {
  namespace fs = std::filesystem;
  struct Written {
    std::string flag, file;
    std::string_view begin;
  };
  std::vector<Written> all;
  if (!request.csv.empty()) {
    all.push_back({"--csv", request.csv, "row,"});
    all.push_back({"--csv", series_file(request.csv), "row,"});
  }
  if (!request.hdf5.empty()) all.push_back({"--hdf5", request.hdf5, "\211HDF\r\n\032\n"});
  std::error_code none;
  const auto place = [&](const std::string& file) { return fs::weakly_canonical(file, none); };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Written& one = all[k];
    if (fs::is_regular_file(one.file, none) && fs::file_size(one.file, none) > 0 &&
        !begins_with(one.file, one.begin))
      throw UsageError(one.flag + ' ' + one.file +
                       ": the file is there and is none that this command has written; name another one");
    if (!request.output.empty() && place(request.output) == place(one.file))
      throw UsageError(one.flag + ' ' + one.file + " is the file of --output too");
    for (std::size_t other = 0; other < k; ++other)
      if (all[other].flag != one.flag && place(all[other].file) == place(one.file))
        throw UsageError(one.flag + ' ' + one.file + " is the file of " + all[other].flag + " too");
  }
}

}  // namespace

namespace {

// ranks: null: this process is alone.
ExitCode run_request(SweepRequest request, const Catalog& catalog, const Console& console, Ranks* ranks) {
  read_sweep_file(request);
  SweepNumbers numbers;
  Sweep sweep = sweep_of(request, numbers);
  SweepOptions options{.folder = request.output};
  options.threads = numbers.whole("threads", request.threads, 0, 1);
  options.threads_of_row = numbers.whole("threads-of-row", request.threads_of_row, 1, 1);
  const int allowed = numbers.whole("allow-failed", request.allow_failed, 0, 0);
  options.row_seconds = numbers.duration("row-limit", request.row_limit);
  options.seconds = numbers.duration("time-limit", request.time_limit);
  numbers.shard(request.shard, options);
  if (request.output.empty() && !request.shard.empty())
    numbers.complaints.add("--shard " + request.shard + " needs --output DIR, the folder for its table");
  if (ranks != nullptr && !request.threads.empty())
    numbers.complaints.add(
        "--threads " + request.threads +
        ": each of several ranks runs one row at a time; --threads-of-row gives it more threads");
  options.retry = request.retry;
  options.stop = console.stop;
  numbers.complaints.attempt([&] { check_report(request.report, request.output); });
  numbers.complaints.throw_if_any();
  const SweepRows rows(std::move(sweep), catalog);
  if (rows.most_threads() > 0 && !request.threads_of_row.empty())
    throw UsageError("--threads-of-row " + request.threads_of_row +
                     " is for all rows, and --vary threads varies it: leave one of them out");

  SweepCounts counts;
  {
    std::optional<SweepProgress> progress(std::in_place, console.err, console.progress);
    options.progress = [&](const SweepCounts& now) { (*progress)(now); };
    options.overdue =
        [&](const SweepCounts& now) {  // rows that are cut lose no more than those that end by themselves
          console.out << (console.progress ? "\n" : "") << counts_text(now, request.shard) << std::flush;
          console.err << "catena: --time-limit: " << to_string(exit_time_limit) << std::endl;
          std::_Exit(exit_time_limit);
        };
    const ListenToSignals listen;
    std::string summary, not_drawn;
    options.table = [&](SweepTable& table) {
      summary = sweep_text(table);
      if (!request.output.empty() && table.rows() == table.planned())
        not_drawn = table.draw(std::filesystem::path(request.output) / "pictures");
    };
    counts = run_sweep(rows, catalog, options, ranks);
    if (ranks != nullptr && ranks->rank() > 0) return exit_ok;
    progress.reset();
    // At once: ranks that one of them has left have a second.
    if (counts.interrupted && !request.output.empty())
      console.err << "catena: interrupted: the same command continues with the rows that are left"
                  << std::endl;
    console.out << counts_text(counts, request.shard) << summary;
    if (!not_drawn.empty()) console.err << "catena: " << not_drawn << '\n';
  }
  if (counts.out_of_time) console.err << "catena: --time-limit: " << to_string(exit_time_limit) << '\n';
  return write_report(request.report, request.output, catalog, console,
                      exit_code_of(counts, allowed, console));
}

}  // namespace

ExitCode sweep_command(const SweepRequest& request, const Catalog& of_program, const Console& console) {
  const Catalog catalog = of_program.reading_once();  // all rows are of the files as they are at the start
  // Processes with a shard each are independent of one another, whoever has started them.
  const std::unique_ptr<Ranks> ranks = request.shard.empty() ? start_ranks() : nullptr;
  if (ranks == nullptr) return run_request(request, catalog, console, nullptr);
  if (ranks->rank() == 0) try {
      return run_request(request, catalog, console, ranks.get());
    } catch (...) {
      end_others(*ranks);
      throw;
    }
  std::ostringstream unseen;  // the first rank says it
  try {
    return run_request(request, catalog, {unseen, unseen, false, console.stop, console.signal}, ranks.get());
  } catch (const std::exception& error) {
    report_refusal(*ranks, "rank " + std::to_string(ranks->rank()) + ": " + error.what());
    return exit_bad_input;
  }
}

ExitCode study_command(const StudyRequest& request, const Console& console) {
  if (request.action != "collect") throw UsageError(unknown_name("action", request.action, {"collect"}));
  std::vector<std::filesystem::path> tables(request.tables.begin(), request.tables.end());
  for (const std::string& file : {request.csv, request.hdf5})
    if (!file.empty())
      if (const std::string why = unwritable(file); !why.empty())
        throw SinkError("cannot write " + file + ": " + why);
  const int allowed =
      request.allow_failed.empty() ? 0 : whole_number("--allow-failed", request.allow_failed, 0);
  refuse_to_replace(request);
  const SweepTable table = collect_sweep(tables, request.output);
  console.out << table.rows() << " of " << table.planned() << " rows, " << table.failed() << " failed\n"
              << sweep_text(table);
  if (!request.csv.empty()) {
    write_text(request.csv, [&](std::ostream& out) { table.write_csv(out); });
    if (!table.series().empty())
      write_text(series_file(request.csv), [&](std::ostream& out) { table.write_series_csv(out); });
  }
  if (!request.hdf5.empty()) table.write_hdf5(request.hdf5);
  if (!request.pictures.empty())
    if (const std::string not_drawn = table.draw(request.pictures); !not_drawn.empty())
      console.err << "catena: " << not_drawn << '\n';
  const std::size_t missing = table.planned() - std::min(table.planned(), table.rows());
  if (missing > 0)
    console.err << "catena: " << missing << (missing == 1 ? " row is" : " rows are")
                << " missing: the same sweep runs them, and `catena study collect` joins all\n";
  return table.failed() + missing > static_cast<std::size_t>(allowed) ? exit_run_ended_early : exit_ok;
}

}  // namespace catena::detail
