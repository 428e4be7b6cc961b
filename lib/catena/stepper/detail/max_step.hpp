// The option max_step of steppers that choose their steps.
#pragma once
#include <string>

namespace catena::detail {

// Empty, or why no run ends whose steps are no larger; 0: no limit.
inline std::string endless_max_step(double max_step) {
  if (max_step == 0.0 || max_step >= 1e-12) return {};
  return "max_step below 1e-12 s would never end: take more, or 0 for no limit";
}

}  // namespace catena::detail
