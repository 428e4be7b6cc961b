// Sweeps: scenarios that differ in what varies, run so that what ends a process loses no finished one, and tables of what
// came of them.
//
//   Sweep sweep{.base = {.problem = "helix_chain", .end = 0.2}};
//   sweep.axes = {axis_from_text("n=5,10,20")};
//   sweep.keep = {reduction_from_text("max energy/kinetic")};
//   const SweepCounts counts = run_sweep(SweepRows(sweep), builtin(), {.folder = "out", .threads = 0});
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/study/parts/sweep_rows.hpp>
#include <catena/study/parts/sweep_summary.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace catena {

struct SweepCounts {
  std::size_t rows = 0;         // of this shard
  std::size_t ok = 0;           // ended by themselves, with Status::ok
  std::size_t failed = 0;       // any other status: refused and crashed among them
  std::size_t crashed = 0;      // of the failed: their process was killed twice while they ran
  std::size_t done_before = 0;  // of ok and failed, by earlier processes
  bool interrupted = false;     // by stop
  bool out_of_time = false;     // by seconds

  std::size_t left() const { return rows - ok - failed; }
};

// Where and how; nothing here changes a number of the table but times.
struct SweepOptions {
  // Of the table, "rows-1-of-1.sqlite"; made where it is not there. A table of the same sweep is continued: no finished row
  // runs again, whatever ended the process before. Empty: for summaries alone.
  std::filesystem::path folder = {};
  int shard = 1, shards = 1;  // every shards-th row, from this one: a process each, anywhere
  int threads = 1;            // 0: as many as the machine offers
  int threads_of_row = 1;
  double row_seconds = 0.0;  // [s] see EnsembleOptions
  double seconds =
      0.0;  // [s] of the clock for all: then rows that run are left for the next process; 0: no limit
  // Where a row has not ended `grace` behind that limit, in its set-up or in a long step: called by a thread of its own with
  // what is finished. It may end the process: the table is whole, and rows that are left do not count as killed.
  std::function<void(const SweepCounts&)> overdue = {};
  double grace = 1.0;                   // [s]
  std::vector<std::string> retry = {};  // rows with these statuses run again; "failed": all that are not ok
  const std::atomic<bool>* stop = nullptr;                // ends it as the limit of time does
  std::function<void(const SweepCounts&)> progress = {};  // after each row, one call at a time
  std::function<void(SweepTable&)> table = {};            // at the end, where nothing has thrown
};

// Runs what is missing. Throws UsageError where the folder has another sweep or the first and the last row make no sense,
// SinkError where the table cannot be written or another process writes to it.
SweepCounts run_sweep(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options);

// "rows-2-of-8.sqlite".
std::string sweep_file(int shard, int shards);

// The rows of several tables of one sweep in a new one. tables: files, or folders with files of shards. into: empty: in
// memory. Throws UsageError for tables of different sweeps, models or versions, and where there are none; SinkError.
SweepTable collect_sweep(const std::vector<std::filesystem::path>& tables, const std::filesystem::path& into);

}  // namespace catena
