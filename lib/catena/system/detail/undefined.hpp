// The joint or force that is the cause where numbers are not finite.
#pragma once
#include <catena/system/system.hpp>

namespace catena::detail {

// Makes culprit the joint or force that has no value at a point, where there is one; true: there is.
inline bool find_undefined(const System& system, const Point& at, Culprit& culprit) {
  Culprit found;
  Evaluation wanted;
  wanted.undefined = &found;
  system.evaluate(at, wanted);
  if (found.name.empty()) return false;
  culprit = found;
  return true;
}

}  // namespace catena::detail
