#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/shared_analyses.hpp>
#include <catena/study/ensemble.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using Clock = std::chrono::steady_clock;

// So many seconds from now; 0: never.
class Limit {
 public:
  explicit Limit(double seconds) : seconds_(seconds) {}
  bool reached() const {
    return seconds_ > 0.0 && std::chrono::duration<double>(Clock::now() - begun_).count() > seconds_;
  }

 private:
  const double seconds_;
  const Clock::time_point begun_ = Clock::now();
};

// Ends a run that takes too long, or for which the ensemble has no time.
class RowClock final : public Observer {
 public:
  RowClock(double seconds, const Limit& of_all) : of_row_(seconds), of_all_(of_all) {}
  std::string name() const override { return "limit of a row"; }
  bool observe(const State&) override {
    too_long_ = of_row_.reached();
    no_time_ = of_all_.reached();
    return !too_long_ && !no_time_;
  }
  bool too_long() const { return too_long_; }
  bool no_time() const { return no_time_; }

 private:
  const Limit of_row_;
  const Limit& of_all_;
  bool too_long_ = false, no_time_ = false;
};

Record run_row(std::size_t row, const Scenario& scenario, const Catalog& catalog,
               const EnsembleOptions& options, const Limit& limit) {
  RunContext context = options.context ? options.context(row) : RunContext{};
  const int most = options.threads_of_row;
  context.settings.threads = options.threads_in ? std::clamp(options.threads_in(row), 1, most) : most;
  context.keep_table = options.keep_tables;
  context.listeners.stop = options.stop;
  RowClock clock(options.row_seconds, limit);
  context.listeners.observers.push_back(&clock);
  Record record = try_run(scenario, catalog, context);
  RunResult& result = record.report.run;
  if (result.status != Status::stopped) return record;
  if (clock.no_time())
    result.interrupted = true;
  else if (clock.too_long())
    result.message = fmt::format("the row took longer than {} s", options.row_seconds);
  return record;
}

bool stopped(const EnsembleOptions& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

Record not_ended(const Scenario& scenario) {
  Record record;
  record.scenario = scenario;
  record.report.error = "interrupted before it ended";
  record.report.run.status = Status::stopped;
  record.report.run.interrupted = true;
  return record;
}

}  // namespace

void run_rows(std::size_t count, const std::function<Scenario(std::size_t row)>& scenario,
              const Catalog& catalog, const EnsembleOptions& options) {
  const ThreadScope scope(options.threads);
  const std::size_t at_once =
      static_cast<std::size_t>(std::max(1, threads() / std::max(1, options.threads_of_row)));
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex one_at_a_time;
  const Limit limit(options.seconds);
  const auto run_next_rows = [&](int) {
    const SharedAnalyses shared;  // neighbouring rows mostly have one structure
    // Held until the failure is noted: who waits for it reports no row behind that.
    std::unique_lock<std::mutex> lock(one_at_a_time, std::defer_lock);
    try {
      while (!failed && !stopped(options) && !limit.reached()) {
        const std::size_t row = next++;
        if (row >= count) return;
        Record record = run_row(row, scenario(row), catalog, options, limit);
        if (record.report.run.interrupted || !options.done) continue;
        lock.lock();
        if (!failed) options.done(row, record);
        lock.unlock();
      }
    } catch (...) {
      failed = true;
      throw;
    }
  };
  parallel_for(static_cast<int>(std::min(at_once, count)), run_next_rows);
}

std::vector<Record> run_ensemble(std::span<const Scenario> scenarios, const Catalog& catalog,
                                 const EnsembleOptions& options) {
  std::vector<Record> records(scenarios.size());
  std::vector<char> ended(scenarios.size(), 0);
  EnsembleOptions all = options;
  all.done = [&](std::size_t row, Record& record) {
    if (options.done) options.done(row, record);
    records[row] = std::move(record);
    ended[row] = 1;
  };
  run_rows(
      scenarios.size(), [&](std::size_t row) { return scenarios[row]; }, catalog, all);
  for (std::size_t row = 0; row < scenarios.size(); ++row)
    if (ended[row] == 0) records[row] = not_ended(scenarios[row]);
  return records;
}

}  // namespace catena
