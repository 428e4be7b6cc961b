// Runs of models that tests write as files.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/yaml_models.hpp>

#include "support/temporary_folder.hpp"

#include <fstream>
#include <string>

namespace catena_test {

// What the program knows: the library, and model files.
inline const catena::Catalog& with_model_files() {
  static const catena::Catalog catalog = [] {
    catena::Catalog all = catena::builtin();
    all.add(catena::yaml_models());
    return all;
  }();
  return catalog;
}

// The scenario with a file of this text as its problem.
inline catena::Record run_text(const std::string& text, catena::Scenario scenario) {
  const TemporaryFolder folder;
  scenario.problem = (folder.path() / "model.yaml").string();
  std::ofstream(scenario.problem) << text;
  return catena::try_run(scenario, with_model_files());
}

}  // namespace catena_test
