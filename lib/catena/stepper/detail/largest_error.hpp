// The largest of the errors of an increment.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace catena::detail {

// In units of scale, one an error; the last one that is no number wins.
inline StepError largest_error(const double* errors, const std::vector<double>& scale) {
  StepError found;
  for (std::size_t k = 0; k < scale.size(); ++k) {
    const double relative = std::abs(errors[k]) / scale[k];
    if (!(relative <= found.largest)) found = {relative, static_cast<int>(k)};
  }
  return found;
}

}  // namespace catena::detail
