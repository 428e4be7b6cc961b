// Model files as problems: `catena run chain.yaml`.
#pragma once
#include <catena/cli/catalog.hpp>
#include <catena/cli/run_command.hpp>
#include <catena/io/read_model.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena {

// chain.yaml, chain.yml or anything with a slash in it: a file, not a problem of the catalog.
bool names_model_file(const std::string& problem);

// What one section `run` says. Options belong to the stepper, which it names itself, or a file that it includes, or else
// is that of the problem.
struct RunOfFile {
  std::string stepper;
  std::vector<std::pair<std::string, std::string>> values = {};  // key and text, options apart
  std::vector<std::string> options = {};                         // key=value
};

// A problem that was asked for by name or file, and what the file says about running it.
struct OpenedProblem {
  std::unique_ptr<Problem> problem;
  std::shared_ptr<const ModelFile>
      file;                          // null: a problem of the catalog. The model itself is in the problem
  std::vector<RunOfFile> runs = {};  // of all its files; the last one counts most
};
// With the parameters that stand in the file. Throws UsageError, and ModelFileError with all mistakes of the file.
OpenedProblem open_problem(const std::string& name, const Catalog& catalog, const ReadLimits& limits = {});

// The request with what the sections `run` of its files say and the request itself leaves open. Options of a stepper
// that is not used are dropped.
RunRequest complete_request(const RunRequest& request, const OpenedProblem& opened);

}  // namespace catena
