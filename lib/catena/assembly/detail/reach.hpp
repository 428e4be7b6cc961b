// How large the numbers are that position rows of joints are made of.
#pragma once
#include <catena/assembly/detail/element_groups.hpp>
#include <catena/system/system.hpp>

#include <vector>

namespace catena::detail {

// Largest sum of two arms of a joint between points, with the rod of a distance [m]. Places of bodies are not among them:
// anchors and low parts cancel them (docs/decisions/004).
double longest_arms(const ElementLayout& elements);

// Of each constraint the largest size of its bodies, sum of its arms, or rod [m]; of one whose rows are no differences of
// points, and where that is 0, the layout's reach. size: of each block.
std::vector<double> reach_of_constraints(const ElementLayout& elements, const SystemLayout& layout,
                                         const std::vector<double>& size);

// Constraints whose position rows take the places of bodies as they are, in the order of dual blocks: those of users that
// do not say otherwise, and of discs, whose plane may lie askew, so that large coordinates cancel in the height above it
// wherever the disc has rolled to.
std::vector<PlaceRows> place_rows_of(const Model& model, const ElementLayout& elements);

// Constraints whose position rows hold differences that stay open, in the order of dual blocks.
std::vector<OpenRows> open_rows_of(const ElementLayout& elements);

// How many rows of a constraint, the first ones, are lengths.
int leading_lengths(const ElementPool& pool);

}  // namespace catena::detail
