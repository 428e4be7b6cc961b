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

// Throws ModelFileError with all errors of the file.
ScenarioFile read_scenario_file(const std::string& path, const Catalog& catalog,
                                const ReadLimits& limits = {});

}  // namespace catena::detail
