// Model files as problems: `catena run chain.yaml`.
#pragma once
#include <catena/cli/catalog.hpp>
#include <catena/cli/run_command.hpp>
#include <catena/io/read_model.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

// chain.yaml, chain.yml or anything with a slash in it: a file, not a problem of the catalog.
bool names_model_file(const std::string& problem);

// A problem that was asked for by name or file, and what the file says about running it.
struct OpenedProblem {
  std::unique_ptr<Problem> problem;
  std::shared_ptr<const ModelFile>
      file;  // null: a problem of the catalog. The model itself is in the problem
};
// With the parameters that stand in the file. Throws UsageError and ModelFileError.
OpenedProblem open_problem(const std::string& name, const Catalog& catalog, const ReadLimits& limits = {});

// The request with what the file's section `run` says and the request itself leaves open. Options of the file
// belong to the file's stepper and are dropped with it. Throws ModelFileError.
RunRequest complete_request(const RunRequest& request, const OpenedProblem& opened, const Catalog& catalog);

// The keys of the section `run`, for the reference page.
std::vector<KeyInfo> run_section_keys();

}  // namespace catena
