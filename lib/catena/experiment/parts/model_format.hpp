// How models are written as text and read. The library has one format, YAML, of component io (io/parts/yaml_models.hpp).
#pragma once
#include <catena/experiment/parts/element_type.hpp>
#include <catena/experiment/parts/opened_problem.hpp>

#include <functional>
#include <string>

namespace catena {

struct ModelFormat {
  // Reads a file, with what its sections say of running it. parameters: of the scenario; those that the file has count in
  // place of its own, and are in OpenedProblem::parameters. Throws FileError with all its mistakes.
  std::function<OpenedProblem(const std::string& path, const Catalog& catalog, const Settings& parameters)>
      read;
  // A text that reads to the same model, bit for bit. Throws ModelError that names everything without a form in text.
  std::function<std::string(const Model& model, const ElementTypes& types)> write;
  // Reads what write() makes. Throws FileError.
  std::function<Model(const std::string& text, const ElementTypes& types)> parse;
};

}  // namespace catena
