// Where and how a scenario is run. Nothing here changes its result.
#pragma once
#include <catena/driver/run.hpp>

#include <functional>
#include <optional>
#include <string>

namespace catena {

// As values; what is left empty is decided by the model file, then by the library.
struct RunSettings {
  std::optional<int> threads = {};        // 0: as many as the machine offers; default 1
  std::string output = {};                // folder of the results; empty: no files
  bool overwrite = false;                 // replace the results of an earlier run in the folder
  std::string format = {};                // of the results: csv,hdf5,vtk (ResultsOptions)
  std::optional<double> interval = {};    // [s] see ResultsOptions
  std::optional<double> checkpoint = {};  // [s] of the clock between checkpoints; default: one at the end
};

struct RunContext {
  RunSettings settings = {};
  // What the model file says of its results, `output` say, counts; not in studies, whose runs would share one folder.
  bool file_says_output = true;
  bool resume = false;  // the run in settings.output, from its newest sound checkpoint
  // Fills Record::table; without it the quantities go to the files alone.
  bool keep_table = true;
  // Where the scenario names none: with all results of the motion of a model, else with the standard quantities.
  bool keep_standard = false;
  // Names and values of the final state in the report, 250 bytes a body; always where there is an output folder.
  bool final_values = false;
  // Where a step fails, takes it once more and fills Report::failure; always where there is an output folder, which then
  // gets failure.json.
  bool examine_failures = false;
  // Kept in the folder of the output, for who resumes the run: `catena run --error-bars` measures them afterwards.
  bool error_bars = false;
  // Besides those of the results. Events and controllers do change the result, and no key knows them.
  Listeners listeners = {};
  // Remarks that a user should see before the end; empty: none are given.
  std::function<void(const std::string& sentence)> notify = {};
};

}  // namespace catena
