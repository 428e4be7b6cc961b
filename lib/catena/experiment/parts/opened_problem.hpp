// A problem that was asked for by name, by file or as a model, and what its file says of running it.
#pragma once
#include <catena/experiment/parts/run_context.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/output/parts/report.hpp>
#include <catena/problems/problem.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

// One section `run` of a model file.
struct RunOfFile {
  std::string
      stepper;  // that the options belong to: named here, by a file that it includes, or the problem's
  Scenario scenario = {};  // what it says, all else empty
  RunSettings settings = {};
  Settings places = {};  // by key: where its value is, "chain.yaml:12:5"
};

struct OpenedProblem {
  std::unique_ptr<Problem> problem;
  std::vector<std::string> files = {};  // that were read, the one asked for first; empty: there is no file
  std::string content = {};             // a hash of their texts
  std::vector<RunOfFile> runs = {};     // of all its files; the last one counts most
  std::vector<MovedBody> moved = {};    // by the assembly of its file
  Settings parameters = {};  // of the files, in the units that the problem lists; it was made with them
};

// chain.yaml, chain.yml or anything with a slash in it: a file, not a problem of the catalog.
bool names_model_file(const std::string& problem);

// Throws UsageError for an unknown name, FileError for a file with mistakes.
OpenedProblem open_problem(const Scenario& scenario, const Catalog& catalog);

// Sets the parameters of the problem to those of the scenario, and refuses those that it has not. Throws UsageError with
// all complaints.
void set_parameters(OpenedProblem& opened, const Scenario& scenario);

// Fills what the scenario and the settings leave empty from the sections of the file. Options of a stepper that is not
// used are dropped.
void complete_from_file(Scenario& scenario, RunSettings& settings, const OpenedProblem& opened);

// Whether a section `run` of the scenario's file says what to record. Of a file with mistakes it is false: a run reports them.
bool file_says_record(const Scenario& scenario, const Catalog& catalog);

// A model as a problem. Its parameters are those of its file, as they were when it was read: open_problem() makes it with
// others, a visitor that sets them changes nothing.
class ModelProblem final : public Problem {
 public:
  ModelProblem(Model model, std::string summary, std::vector<ObservedPoint> points = {},
               std::vector<OptionValue> parameters = {});
  std::string summary() const override { return summary_; }
  void visit(OptionVisitor& visitor) override;
  Model model() const override { return model_; }
  ProblemDefaults defaults() const override;
  std::vector<ObservedPoint> observed_points() const override { return points_; }

  static constexpr const char* stepper = "generalized_alpha";  // where nobody names one

 private:
  Model model_;
  std::string summary_;
  std::vector<ObservedPoint> points_;
  std::vector<OptionValue> parameters_;
};

}  // namespace catena
