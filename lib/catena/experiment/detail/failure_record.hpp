// failure.json: a step that failed, with all that it takes to take it again.
#pragma once
#include <catena/experiment/detail/step_examination.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/system/system.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

struct ModelText {
  std::string name;  // relative to the folder that holds them all
  std::string text;
};

struct FailureRecord {
  std::string version;      // of the program
  std::string termination;  // the sentence on the end of the run
  Scenario scenario;        // with what the model file adds
  std::vector<ModelText>
      model;           // model files, the one that was asked for first; empty: a problem of the catalog
  State state;         // the last one accepted
  double step = 0.0;   // [s] of the attempt
  bool start = false;  // the start failed, no step was taken
};

// One JSON object; docs/howto/when_a_step_fails.md lists its keys. Doubles read back to the same bits; those that are not
// finite become null. Throws UsageError for a model in memory that no format of the catalog can hold.
std::string to_json(const FailureRecord& record, const System& system, const StepExamination& examined,
                    const Catalog& catalog);
// The keys of the examination alone, as a JSON object.
std::string to_json(const System& system, const StepExamination& examined);

// Throws UsageError with the reason for anything that is no such file.
FailureRecord read_failure(const std::filesystem::path& file, const Catalog& catalog);

// What is changed when the step is taken again.
struct ReplayChanges {
  Settings options = {};            // of the stepper
  std::string backend = {};         // empty: as it was
  std::optional<double> step = {};  // [s]
};

struct Replay {
  StepExamination examined = {};
  std::vector<std::string> lines = {};  // of it, all iterates
  std::string json = {};                // of it
  std::string remark = {};              // on how it was done, where there is something to say
};

// Takes the step again. Throws UsageError, FileError, ModelError for what cannot be set up.
Replay replay(const FailureRecord& record, const ReplayChanges& changes, const Catalog& catalog);

}  // namespace catena::detail
