// What results hold of a run: which quantities, and in how many digits.
#pragma once
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>

#include <cstdint>

namespace catena {

enum class Precision : std::uint8_t { float64, float32 };

struct Recording {
  Selection selection = standard_selection(builtin_quantities());
  MeasureSources sources = {};
  Precision precision = Precision::float64;
};

}  // namespace catena
