// Model files and texts of models in YAML, for catalogs: docs/reference/model_file.md lists every key.
#pragma once
#include <catena/experiment/parts/model_format.hpp>
#include <catena/io/parts/write_model.hpp>

namespace catena {

//   Catalog catalog = builtin();
//   catalog.add(yaml_models());
//
// The command line does so by itself.
ModelFormat yaml_models();

}  // namespace catena
