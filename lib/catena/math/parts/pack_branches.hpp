// Comparisons of packs, for a user's gap that branches: they have a value where all lanes agree. Where they do not, they
// say so, and answer for the first lane; who evaluates packs asks, and evaluates lane by lane instead.
#pragma once
#include <catena/math/parts/pack.hpp>

CATENA_BEGIN_ISA

// Whether a comparison since the last reset has had two answers; of this thread.
inline bool& lanes_disagree() {
  thread_local bool disagree = false;
  return disagree;
}

inline bool operator<(const Pack8& a, const Pack8& b) {
  const Pack8 answer = select_less(a, b, Pack8(1.0), Pack8(0.0));
  const double first = lane(answer, 0);
  for (int l = 1; l < lanes; ++l)
    if (lane(answer, l) != first) lanes_disagree() = true;
  return first != 0.0;
}
inline bool operator>(const Pack8& a, const Pack8& b) { return b < a; }
inline bool operator<=(const Pack8& a, const Pack8& b) { return !(b < a); }
inline bool operator>=(const Pack8& a, const Pack8& b) { return !(a < b); }
inline double plain(const Pack8& a) {
  for (int l = 1; l < lanes; ++l)
    if (lane(a, l) != lane(a, 0)) lanes_disagree() = true;
  return lane(a, 0);
}

CATENA_END_ISA
