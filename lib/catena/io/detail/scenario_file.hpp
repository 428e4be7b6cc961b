// Model files as what a scenario needs: the problem, and what the sections `run` say of running it.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/io/read_model.hpp>

#include <string>

namespace catena::detail {

struct ScenarioFile {
  OpenedProblem opened;
  ModelFile file;  // without its model, which the problem holds, where it names none of the catalog
};

// parameters: of the scenario; those that the file has count in place of its own. Throws ModelFileError with all errors of
// the file.
ScenarioFile read_scenario_file(const std::string& path, const Catalog& catalog, const Settings& parameters,
                                const ReadLimits& limits = {});

}  // namespace catena::detail
