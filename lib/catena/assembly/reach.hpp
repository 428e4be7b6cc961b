// How large the numbers are that position rows of joints are made of.
#pragma once
#include <catena/assembly/element_groups.hpp>

namespace catena {

// Largest sum of two arms of a joint between points, with the rod of a distance [m]. Places of bodies are not among them:
// anchors and low parts cancel them (docs/decisions/004).
double longest_arms(const ElementLayout& elements);

// Whether a position row takes the places of bodies as they are: those of users that do not say otherwise, and of discs, whose plane may lie
// askew, so that large coordinates cancel in the height above it wherever the disc has rolled to.
bool sees_world_positions(const ElementLayout& elements);

// How many rows of a constraint, the first ones, are lengths.
int leading_lengths(const ElementPool& pool);

}  // namespace catena
