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

// An equal share of the rows for each part, for loops that take each row by itself.
struct RowsOfPart {
  int first, last;
};
inline RowsOfPart rows_of_part(const System& system, const SystemPart& part) {
  const auto begin = [&](int number) {
    return static_cast<int>(static_cast<long>(system.layout().lambda_size()) * number / system.parts());
  };
  return {begin(part.number), begin(part.number + 1)};
}

}  // namespace catena::detail
