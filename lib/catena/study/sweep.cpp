#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/rank_rows.hpp>
#include <catena/study/detail/running_rows.hpp>
#include <catena/study/detail/sweep_identity.hpp>
#include <catena/study/ensemble.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr int kills_of_crashed = 2;
constexpr std::size_t most_looked_at = 8;  // rows, before the request is wrong
const char* const crashed_status = "crashed";

// Why the scenario makes no sense; empty: it does.
std::string refusal(const Scenario& scenario, const Catalog& catalog) {
  try {
    Experiment(scenario, {.file_says_output = false}, catalog).check();
  } catch (const std::bad_alloc&) {  // of this machine
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// The same, with what is kept of it. An end that varies is looked at row by row, when they are run.
std::string refusal(const SweepRows& rows, std::size_t row, const Catalog& catalog) {
  const std::vector<std::string>& keys = rows.keys();
  const bool one_end = std::none_of(keys.begin(), keys.end(),
                                    [](const std::string& key) { return key == "end" || key == "problem"; });
  try {
    Experiment experiment(rows.scenario(row), {.file_says_output = false}, catalog);
    experiment.check();
    return one_end ? outside(rows.sweep().keep, 0.0, experiment.end()) : "";
  } catch (const std::bad_alloc&) {
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Why a quantity or a rule names a body or a joint that the system of the row has not; empty: it has them, or has no state
// to begin from.
std::string refusal_of_names(const SweepRows& rows, std::size_t row, const Catalog& catalog) {
  try {
    Experiment(rows.scenario(row), {.file_says_output = false}, catalog).prepare();
  } catch (const UsageError& error) {
    return error.what();
  } catch (const std::exception&) {  // of this row: the next draw may have one
  }
  return {};
}

// Lines on what varies as a parameter and is an option of the stepper; wrong: the refusal of the scenario.
std::string meant_options(const std::vector<std::string>& keys, Scenario scenario, std::string wrong,
                          const Catalog& catalog) {
  std::string lines;
  for (const std::string& key : keys) {
    const auto parameter = scenario.parameters.find(key);
    if (parameter == scenario.parameters.end()) continue;
    Scenario moved = scenario;
    moved.options[key] = parameter->second;
    moved.parameters.erase(key);
    const std::string left = refusal(moved, catalog);
    if (left.size() >= wrong.size() || left.find(key) != std::string::npos) continue;
    lines += fmt::format("\n{0} is an option of the stepper: --vary option.{0}=...", key);
    scenario = std::move(moved);
    wrong = left;
  }
  return lines;
}

// One wrong row is a result, a name that is spelt wrong in all of them a mistake of the request.
void refuse_senseless(const SweepRows& rows, const Catalog& catalog) {
  const std::string first = refusal(rows, 0, catalog);
  if (first.empty() || (rows.count() > 1 && refusal(rows, rows.count() - 1, catalog).empty())) return;
  throw UsageError(first + meant_options(rows.keys(), rows.scenario(0), first, catalog));
}

void refuse_unknown_statuses(const std::vector<std::string>& statuses) {
  std::vector<std::string> known{"failed", "refused", crashed_status, no_memory_status};
  for (int k = 0; k <= static_cast<int>(Status::exception); ++k)
    known.emplace_back(to_string(static_cast<Status>(k)));
  for (const std::string& status : statuses)
    if (std::find(known.begin(), known.end(), status) == known.end())
      throw UsageError("--retry " + status + ": " + unknown_name("status", status, known));
}

std::filesystem::path in_folder(const SweepOptions& options, const std::string& name) {
  if (options.folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) throw SinkError("cannot make " + options.folder.string() + ": " + error.message());
  return options.folder / name;
}

EnsembleOptions row_options(const SweepOptions& options, const SweepRows& rows, int threads) {
  return {.threads = threads,
          .threads_of_row = std::max(options.threads_of_row, rows.most_threads()),
          .row_seconds = options.row_seconds,
          .keep_tables = true,
          .stop = options.stop};
}

// Calls late() from a thread of its own, unless it has gone before so many seconds are over.
class Alarm {
 public:
  Alarm(double seconds, std::function<void()> late) : late_(std::move(late)) {
    thread_ = std::thread([this, seconds] {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return gone_; })) late_();
    });
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      gone_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  const std::function<void()> late_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool gone_ = false;
  std::thread thread_;
};

class SweepRun {
 public:
  SweepRun(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options, RowDealer* dealer)
      : rows_(rows),
        catalog_(catalog),
        options_(options),
        dealer_(dealer),
        identity_(identity_of(rows, catalog)),
        store_(in_folder(options, sweep_file(options.shard, options.shards)), identity_, rows.keys()),
        running_(in_folder(options, sweep_file(options.shard, options.shards) + ".running")) {
    if (store_.is_new()) running_.forget_left();  // rows of another sweep
  }

  SweepCounts operator()() {
    std::vector<std::string> again = options_.retry;
    again.emplace_back(no_memory_status);
    store_.remove(again);
    const std::vector<std::size_t> suspects = sort_out_left();
    counts_.ok = store_.count("status = 'ok'");
    counts_.failed = store_.count("status <> 'ok'");
    counts_.crashed = store_.count(fmt::format("status = '{}'", crashed_status));
    counts_.done_before = counts_.ok + counts_.failed;
    kept_ = counts_.ok > 0;
    const std::vector<std::size_t> pending = missing_rows(suspects);
    if (options_.progress) options_.progress(counts_);
    std::optional<Alarm> alarm;
    if (options_.overdue && options_.seconds > 0.0)
      alarm.emplace(seconds_left() + options_.grace, [this] { give_up(); });
    // Alone, so that the next kill has one row as its cause.
    for (const std::size_t row : suspects) run_these({row}, 1);
    run_these(pending, options_.threads);
    alarm.reset();
    finish_those_without();
    if (dealer_ != nullptr) dealer_->finish();
    store_.database()->refuse_moved();
    counts_.interrupted = counts_.left() > 0 && options_.stop != nullptr && options_.stop->load();
    counts_.out_of_time = counts_.left() > 0 && !counts_.interrupted;
    if (options_.table) {
      SweepTable table(store_.database());
      options_.table(table);
    }
    return counts_;
  }

 private:
  // Of the rows that a killed process was running: which run again. The others are recorded as crashed.
  std::vector<std::size_t> sort_out_left() {
    std::vector<std::size_t> again;
    const std::vector<bool> finished = store_.finished(rows_.count());
    for (const std::size_t row : running_.left()) {
      if (row >= rows_.count() || finished[row]) continue;
      if (store_.count_kill(row) < kills_of_crashed)
        again.push_back(row);
      else
        store_.add({.row = row,
                    .values = rows_.values(row),
                    .status = crashed_status,
                    .error = fmt::format("its process was killed {} times while it ran", kills_of_crashed)});
    }
    running_.forget_left();
    return again;
  }

  std::vector<std::size_t> missing_rows(const std::vector<std::size_t>& suspects) {
    std::vector<bool> not_wanted = store_.finished(rows_.count());
    for (const std::size_t row : suspects) not_wanted[row] = true;
    std::vector<std::size_t> missing;
    const auto first = static_cast<std::size_t>(options_.shard - 1);
    for (std::size_t row = first; row < rows_.count(); row += static_cast<std::size_t>(options_.shards)) {
      ++counts_.rows;
      if (!not_wanted[row]) missing.push_back(row);
    }
    return missing;
  }

  void run_these(const std::vector<std::size_t>& these, int threads) {
    if (dealer_ != nullptr) return deal(these);
    EnsembleOptions ensemble = row_options(options_, rows_, threads);
    if (rows_.most_threads() > 0)
      ensemble.threads_in = [&](std::size_t k) { return rows_.threads(these[k]); };
    if (options_.seconds > 0.0) {
      ensemble.seconds = seconds_left();
      if (ensemble.seconds <= 0.0) return;
    }
    ensemble.done = [&](std::size_t k, Record& record) {
      RankRow row;
      row.result = result_of(these[k], rows_, record, row.missing);
      keep(row);
    };
    run_rows(
        these.size(),
        [&](std::size_t k) {
          running_.begin(these[k]);
          return rows_.scenario(these[k]);
        },
        catalog_, ensemble);
  }

  double seconds_left() const {
    return options_.seconds -
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  void deal(const std::vector<std::size_t>& these) {
    const auto stopped = [&] { return options_.stop != nullptr && options_.stop->load(); };
    const bool answered =
        dealer_->deal(these, {.sweep = to_digest(identity_),
                              .begin = [&](std::size_t row) { running_.begin(row); },
                              .done = [&](const RankRow& row) { keep(row); },
                              .given_up = [&](std::size_t row) { running_.end(row); },
                              .ended = [&] { return options_.seconds > 0.0 && seconds_left() <= 0.0; },
                              .killed = stopped});
    if (!answered) running_.leave();
  }

  // By the alarm.
  void give_up() {
    const std::lock_guard<std::mutex> nothing_is_kept_now(keeping_);
    running_.forget_running();
    counts_.out_of_time = true;
    options_.overdue(counts_);
  }

  // Names of the system, which is made for the rows alone: looked for when one of them was refused, in a few of them from
  // the first to the last.
  void refuse_unknown_names() const {
    const std::size_t looked_at = std::min(most_looked_at, rows_.count());
    std::string first;
    for (std::size_t k = 0; k < looked_at; ++k) {
      const std::size_t row = k == 0 ? 0 : (rows_.count() - 1) * k / (looked_at - 1);
      const std::string why = refusal_of_names(rows_, row, catalog_);
      if (why.empty()) return;
      if (k == 0) first = why;
    }
    throw UsageError(first);
  }

  // A quantity that no row has is a mistake of the request, and one that some of them lack a result of these: rows without
  // it wait until one has it. Shards cannot know of each other's.
  void keep(const RankRow& row) {
    const std::lock_guard<std::mutex> lock(keeping_);
    RowResult result = row.result;
    const bool ended = result.status == "ok";
    if (!row.missing.empty()) {
      refuse(result, row.missing);
      if (!kept_ && options_.shards == 1) {
        running_.end(result.row);
        without_.push_back(std::move(result));
        if (without_.size() == most_looked_at)
          throw UsageError(without_.front().error);  // rather than after hours
        return;
      }
    } else if (const std::string why = store_.refuses(result); !why.empty()) {
      refuse(result, why);
    }
    if (result.status == "refused" && row.missing.empty() && !std::exchange(looked_at_names_, true))
      refuse_unknown_names();
    kept_ = kept_ || (ended && row.missing.empty());
    put(result);
    running_.end(result.row);
    if (kept_) put_those_without();
  }
  static void refuse(RowResult& result, const std::string& why) {
    result.status = "refused";
    result.error = why;
    result.numbers.clear();
    result.series.clear();
  }
  void put(const RowResult& result) {
    store_.add(result);
    ++(result.status == "ok" ? counts_.ok : counts_.failed);
    if (options_.progress) options_.progress(counts_);
  }
  // Behind the last row. Where the sweep has been stopped, these rows run again.
  void finish_those_without() {
    const std::lock_guard<std::mutex> lock(keeping_);
    if (without_.empty()) return;
    const bool all = counts_.left() == without_.size();
    if (all && counts_.failed == 0) throw UsageError(without_.front().error);
    if (all) put_those_without();
  }
  void put_those_without() {
    for (const RowResult& result : std::exchange(without_, {})) put(result);
  }

  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  const SweepRows& rows_;
  const Catalog& catalog_;
  const SweepOptions& options_;
  RowDealer* const dealer_;  // null: the rows run here
  const SweepIdentity identity_;
  RowStore store_;
  RunningRows running_;  // behind the store, which has the file to itself
  SweepCounts counts_;
  bool kept_ = false;               // all that is to be kept, of one row
  std::vector<RowResult> without_;  // rows that lack some of it, as long as no row has it
  bool looked_at_names_ = false;
  std::mutex keeping_;
};

}  // namespace

std::string sweep_file(int shard, int shards) { return fmt::format("rows-{}-of-{}.sqlite", shard, shards); }

SweepCounts run_sweep(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options) {
  return detail::run_sweep(rows, catalog.reading_once(), options, nullptr);
}

namespace detail {
namespace {

// One row at a time, until the first rank has no more of them.
void serve(Ranks& ranks, const SweepRows& rows, const Catalog& catalog, const SweepOptions& options) {
  const auto begun = std::chrono::steady_clock::now();
  const std::string machine = name_of_machine();
  serve_rows(ranks, to_digest(identity_of(rows, catalog)), [&](std::size_t row) {
    std::optional<RankRow> done;
    EnsembleOptions ensemble = row_options(options, rows, 1);
    ensemble.threads = ensemble.threads_of_row;
    if (rows.most_threads() > 0) ensemble.threads_in = [&](std::size_t) { return rows.threads(row); };
    if (options.seconds > 0.0) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begun;
      ensemble.seconds = options.seconds - used.count();
      if (ensemble.seconds <= 0.0) return done;
    }
    ensemble.done = [&](std::size_t, Record& record) {
      done.emplace();
      done->result = result_of(row, rows, record, done->missing);
      done->result.machine = machine;
    };
    run_rows(
        1, [&](std::size_t) { return rows.scenario(row); }, catalog, ensemble);
    return done;
  });
}

}  // namespace

SweepCounts run_sweep(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options,
                      Ranks* ranks) {
  if (options.shards < 1 || options.shard < 1 || options.shard > options.shards)
    throw UsageError(fmt::format("shard {}/{}: the first is 1/{}, the last {}/{}", options.shard,
                                 options.shards, std::max(1, options.shards), std::max(1, options.shards),
                                 std::max(1, options.shards)));
  refuse_unknown_statuses(options.retry);
  if (ranks != nullptr && ranks->rank() > 0) {
    serve(*ranks, rows, catalog, options);
    return {};
  }
  std::optional<RowDealer> dealer;  // from now on the other ranks end with this one, whatever is thrown
  if (ranks != nullptr) dealer.emplace(*ranks);
  refuse_senseless(rows, catalog);
  return SweepRun(rows, catalog, options, dealer ? &*dealer : nullptr)();
}

}  // namespace detail
}  // namespace catena
