// What a step does with the numbers of every part of a system while they are in the cache.
#pragma once
#include <catena/math/parts/threads.hpp>
#include <catena/system/system.hpp>

#include <functional>

namespace catena::detail {

// body(const SystemPart&) writes to components of its part alone.
template <class Body>
void for_each_part(const System& system, Body&& body) {
  const auto one = [&](int number) { body(system.part(number)); };
  parallel_for(system.parts(), std::cref(one));
}

}  // namespace catena::detail
