// The one arena: it runs on as many threads as it was set to, and on no more.
#include "support/crowd.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace catena;
using catena_test::Crowd;

TEST_CASE("a loop runs on as many threads as the arena has, every index once") {
  for (const int count : {1, 2, 4, 1, 3}) {
    set_threads(count);
    CHECK(threads() == count);
    Crowd crowd(count);
    std::atomic<int> calls[100] = {};
    parallel_for(100, [&](int i) {
      ++calls[i];
      crowd.meet();
    });
    CHECK(crowd.count() == count);
    for (const auto& c : calls) CHECK(c == 1);
  }
  set_threads(0);
  CHECK(threads() >= 1);
}

TEST_CASE("loops inside of loops share the threads of the arena") {
  set_threads(2);
  Crowd crowd(2);
  in_arena([&] { parallel_for(8, [&](int) { parallel_for(8, [&](int) { crowd.meet(); }); }); });
  CHECK(crowd.count() == 2);
  set_threads(0);
}
