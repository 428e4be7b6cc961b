// Many scenarios at once, on the threads of one process.
#pragma once
#include <catena/experiment/experiment.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace catena {

// How rows are run. Nothing here changes the numbers of a row.
struct EnsembleOptions {
  int threads = 1;         // in all; 0: as many as the machine offers
  int threads_of_row = 1;  // of them inside of each row, whatever a model file says; rows share the others
  double row_seconds =
      0.0;               // [s] of the clock: a row that takes longer ends with Status::stopped; 0: no limit
  double seconds = 0.0;  // [s] of the clock for all: when they are over, it ends as by `stop`; 0: no limit
  bool keep_tables = true;                  // fill Record::table
  const std::atomic<bool>* stop = nullptr;  // set from outside: rows that run end early, no other one begins
  // After each row that has ended by itself, one call at a time, on any thread and in any order. Not for rows that `stop`
  // has ended. What it throws ends the ensemble, and is thrown by it.
  std::function<void(std::size_t row, Record& record)> done = {};
  // Of a row that has fewer than threads_of_row; empty: all have as many.
  std::function<int(std::size_t row)> threads_in = {};
  // Of a row, for observers and the like; empty: that of run(). Its threads, keep_table and listeners.stop are set here.
  std::function<RunContext(std::size_t row)> context = {};
};

// The record of each scenario, in their order, by try_run(): a row that fails or makes no sense is recorded and does not
// touch the others, whose bits are those that run() gives alone. Of a row that `stop` has kept from its end,
// Report::run.interrupted is true, and what it has is half a result or none. Neighbouring rows of one structure share the
// analysis of their matrices.
//
//   const std::vector<Record> records = run_ensemble(scenarios, builtin(), {.threads = 0});
std::vector<Record> run_ensemble(std::span<const Scenario> scenarios, const Catalog& catalog,
                                 const EnsembleOptions& options = {});

// The same where there are too many to be held at once: row by row, in this order, scenario(row) is asked for by the thread
// that runs it, and the record goes to options.done alone.
void run_rows(std::size_t count, const std::function<Scenario(std::size_t row)>& scenario,
              const Catalog& catalog, const EnsembleOptions& options);

}  // namespace catena
