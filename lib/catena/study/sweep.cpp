#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/running_rows.hpp>
#include <catena/study/detail/sweep_identity.hpp>
#include <catena/study/ensemble.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <system_error>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr int kills_of_crashed = 2;
const char* const crashed_status = "crashed";

// Why the scenario makes no sense; empty: it does.
std::string refusal(const Scenario& scenario, const Catalog& catalog) {
  try {
    Experiment(scenario, {}, catalog).check();
  } catch (const std::exception& error) {
    return error.what();
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
    if (left.size() >= wrong.size()) continue;
    lines += fmt::format("\n{0} is an option of the stepper: --vary option.{0}=...", key);
    scenario = std::move(moved);
    wrong = left;
  }
  return lines;
}

// One wrong row is a result, a name that is spelt wrong in all of them a mistake of the request.
void refuse_senseless(const SweepRows& rows, const Catalog& catalog) {
  const std::string first = refusal(rows.scenario(0), catalog);
  if (first.empty() || (rows.count() > 1 && refusal(rows.scenario(rows.count() - 1), catalog).empty()))
    return;
  throw UsageError(first + meant_options(rows.keys(), rows.scenario(0), first, catalog));
}

void refuse_unknown_statuses(const std::vector<std::string>& statuses) {
  std::vector<std::string> known{"failed", "refused", crashed_status};
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

class SweepRun {
 public:
  SweepRun(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options)
      : rows_(rows),
        catalog_(catalog),
        options_(options),
        store_(in_folder(options, sweep_file(options.shard, options.shards)), identity_of(rows, catalog),
               rows.keys()),
        running_(in_folder(options, sweep_file(options.shard, options.shards) + ".running")) {}

  SweepCounts operator()() {
    if (!options_.retry.empty()) store_.remove(options_.retry);
    const std::vector<std::size_t> suspects = sort_out_left();
    counts_.ok = store_.count("status = 'ok'");
    counts_.failed = store_.count("status <> 'ok'");
    counts_.crashed = store_.count(fmt::format("status = '{}'", crashed_status));
    counts_.done_before = counts_.ok + counts_.failed;
    const std::vector<std::size_t> pending = missing_rows(suspects);
    if (options_.progress) options_.progress(counts_);
    // Alone, so that the next kill has one row as its cause.
    for (const std::size_t row : suspects) run_these({row}, 1);
    run_these(pending, options_.threads);
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
    EnsembleOptions ensemble{.threads = threads,
                             .threads_of_row = std::max(options_.threads_of_row, rows_.most_threads()),
                             .row_seconds = options_.row_seconds,
                             .keep_tables = true,
                             .stop = options_.stop};
    if (rows_.most_threads() > 0)
      ensemble.threads_in = [&](std::size_t k) { return rows_.threads(these[k]); };
    if (options_.seconds > 0.0) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begun_;
      ensemble.seconds = options_.seconds - used.count();
      if (ensemble.seconds <= 0.0) return;
    }
    ensemble.done = [&](std::size_t k, Record& record) { keep(these[k], record); };
    run_rows(
        these.size(),
        [&](std::size_t k) {
          running_.begin(these[k]);
          return rows_.scenario(these[k]);
        },
        catalog_, ensemble);
  }

  void keep(std::size_t row, const Record& record) {
    std::string missing;
    RowResult result = result_of(row, rows_, record, missing);
    if (!missing.empty()) {
      if (!kept_) throw UsageError(missing);  // rather than after hours
      result.status = "refused";
      result.error = missing;
      result.numbers.clear();
      result.series.clear();
    }
    kept_ = kept_ || record.ok();
    store_.add(result);
    running_.end(row);
    ++(result.status == "ok" ? counts_.ok : counts_.failed);
    if (options_.progress) options_.progress(counts_);
  }

  const SweepRows& rows_;
  const Catalog& catalog_;
  const SweepOptions& options_;
  RowStore store_;
  RunningRows running_;  // behind the store, which has the file to itself
  SweepCounts counts_;
  bool kept_ = false;  // all that is to be kept, of one row
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string sweep_file(int shard, int shards) { return fmt::format("rows-{}-of-{}.sqlite", shard, shards); }

SweepCounts run_sweep(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options) {
  if (options.shards < 1 || options.shard < 1 || options.shard > options.shards)
    throw UsageError(fmt::format("shard {}/{}: the first is 1/{}, the last {}/{}", options.shard,
                                 options.shards, std::max(1, options.shards), std::max(1, options.shards),
                                 std::max(1, options.shards)));
  refuse_unknown_statuses(options.retry);
  refuse_senseless(rows, catalog);
  return SweepRun(rows, catalog, options)();
}

}  // namespace catena
