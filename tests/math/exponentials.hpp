// The exponential as every instruction set computes it.
#pragma once
#include <catena/math/parts/isa.hpp>

namespace catena {

// Of eight rotation vectors, component by component: theta[8 k + lane]. Out come the quaternions likewise, w first.
using Exponentials = void (*)(const double* theta, double* q);

struct CompiledExponentials {
  Exponentials lanes;         // eight at once
  Exponentials lane_by_lane;  // in scalar code of the same instruction set
};

}  // namespace catena
