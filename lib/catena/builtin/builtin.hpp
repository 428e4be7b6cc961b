#pragma once
#include <catena/experiment/catalog.hpp>

namespace catena {

// Everything that comes with the library but the format of model files: problems, steppers, back ends, joints, forces,
// studies, quantities. It needs neither YAML nor the command line, which adds the format by itself; other programs that
// name model files say catalog.add(yaml_models()) (io/parts/yaml_models.hpp).
Catalog builtin();

}  // namespace catena
