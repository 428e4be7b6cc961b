#include <catena/io/detail/scenario_file.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/io/read_model.hpp>

#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;
namespace {

Model parse_model(const std::string& text, const ElementTypes& types) {
  const std::string whole = "the model of a scenario";
  const LoadFile load = [&](const std::string& name) {
    if (name != whole) throw std::runtime_error("a model in a scenario includes no files");
    return text;
  };
  const ReadRest refuse_rest = [](const ModelFile& file, FileErrors& errors) {
    const char* why = "a text of a model holds a model alone: what is run is said beside it";
    if (file.problem) errors.add(file.problem, why);
    for (const auto* sections : {&file.sets, &file.runs})
      for (const FileNode& node : *sections) errors.add(node, why);
  };
  return std::move(read_model_file(whole, types, load, {}, refuse_rest).model);
}

}  // namespace

ModelFormat yaml_models() {
  return {
      .read = [](const std::string& path, const Catalog& catalog,
                 const Settings& parameters) { return read_scenario_file(path, catalog, parameters).opened; },
      .write = [](const Model& model, const ElementTypes& types) { return write_model(model, types); },
      .parse = parse_model};
}

}  // namespace catena
