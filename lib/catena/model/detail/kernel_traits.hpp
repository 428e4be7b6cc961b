// What a kernel of rows or of a force declares of itself, with the defaults of those that say nothing.
#pragma once
#include <catena/math/parts/isa.hpp>
#include <catena/model/rows/meaning.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class K>
constexpr PositionUse positions_of() {
  if constexpr (requires { K::meaning; })
    return K::meaning.positions;
  else if constexpr (requires { K::positions; })
    return K::positions;
  else
    return PositionUse::world;
}

// How many points of its bodies the parameters begin with (rows/meaning.hpp).
template <class K>
constexpr int points_of_kernel() {
  if constexpr (requires { K::meaning; })
    return K::meaning.points;
  else if constexpr (requires { K::points; })
    return K::points;
  else
    return 0;
}

// A kernel whose geometric stiffness couples rotations alone declares turning_stiffness; only rows and
// columns 3 ... 5 of its blocks are then read.
template <class K>
constexpr int stiffness_begins_at() {
  if constexpr (requires { K::turning_stiffness; })
    return K::turning_stiffness ? 3 : 0;
  else
    return 0;
}

// Kernels of the library have their numbers in arrays of parameters.
template <class K>
constexpr bool of_library() {
  return requires { K::parameters; };
}

// Whether it gives these rows and columns alone (constraint_evaluation.hpp).
template <class K>
constexpr bool gives_turning() {
  return requires { &K::turning; };
}

CATENA_END_DETAIL_ISA
