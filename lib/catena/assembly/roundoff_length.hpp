// How large the numbers are that position rows of built-in joints are made of.
#pragma once
#include <catena/assembly/element_groups.hpp>

namespace catena {

// Largest sum of two arms, with the rod of a distance, or, of a disc on a plane, distance along the normal of the plane
// [m]; q: seven coordinates a moving body. Places of bodies are not among them: anchors and low parts cancel them
// (docs/decisions/004).
double roundoff_length_of_rows(const ElementLayout& elements, const double* q);

}  // namespace catena
