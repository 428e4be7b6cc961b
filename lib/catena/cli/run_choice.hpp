// What a run is made of, as the command line and a model file ask for it.
#pragma once
#include <catena/cli/model_problem.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/report.hpp>
#include <catena/output/result_set.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

class RunChoice {
 public:
  RunChoice(const RunRequest& typed, const Catalog& catalog, bool resumes)
      : request(typed), catalog_(catalog), resumes_(resumes) {}

  // Fills what follows and the choices in the report. All mistakes of the file and of the command line are told at
  // once, as far as one does not hide another: throws UsageError where only `complaints` holds any, else
  // ModelFileError with `file_error`.
  void choose(Report& report);

  RunRequest request;                    // with what a model file adds
  std::vector<std::string> model_files;  // none: a problem of the catalog
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Stepper> stepper;
  RunOptions run;
  ResultsOptions results;
  double checkpoint_interval = 0.0;  // [s]

  Complaints complaints;   // about the command line
  std::string file_error;  // about the model file, each line with its place

 private:
  void choose_parameters(Report& report);
  void choose_stepper(Report& report);
  void choose_run(Report& report);
  // False: it complained.
  bool set(const Visitable& options, const std::string& name, const std::optional<std::string>& text);

  const Catalog& catalog_;
  const bool resumes_;
};

// Throws UsageError for a defect of the format of results.
void refuse_format(const ResultsOptions& results, const std::string& defect);

}  // namespace catena
