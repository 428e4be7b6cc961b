// The numbers that the joints and forces of a model are made of, for keys of scenarios and checkpoints.
#pragma once
#include <catena/model/model.hpp>

#include <cstdint>

namespace catena::detail {

// A checksum of what every joint and force states about itself: its type, its bodies, its parameters, and the members of
// types with a listing. Two drives that differ from some instant on, two springs that differ far from the start have
// different ones, where their values near the start are equal. A user's type without a listing is known by its type,
// its name and its bodies alone.
std::uint64_t element_digest(const Model& model);

}  // namespace catena::detail
