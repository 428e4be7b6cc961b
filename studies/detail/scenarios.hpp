// What the scenarios of the studies name.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/experiment.hpp>

namespace catena::detail {

// Problems, steppers and quantities of the library; linear systems are solved by the steppers' own back end.
const Catalog& study_catalog();

}  // namespace catena::detail
