// Parallel loops run on as many threads as the scope says, and on no more.
#include "support/crowd.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace catena;
using catena_test::Crowd;

TEST_CASE("a loop runs on as many threads as its scope says, every index once") {
  for (const int count : {1, 2, 4, 1, 3}) {
    const ThreadScope scope(count);
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
  CHECK(threads() == 1);
  const ThreadScope all(0);
  CHECK(threads() >= 1);
}

TEST_CASE("loops inside of loops share the threads of the scope") {
  const ThreadScope two(2);
  Crowd crowd(2);
  parallel_for(8, [&](int) { parallel_for(8, [&](int) { crowd.meet(); }); });
  CHECK(crowd.count() == 2);
}

TEST_CASE("scopes nest, and those of other threads do not matter") {
  const ThreadScope three(3);
  {
    const ThreadScope one(1);
    CHECK(threads() == 1);
  }
  CHECK(threads() == 3);
  std::atomic<int> outside{0}, inside{0}, in_body{0};
  std::thread other([&] {
    outside = threads();
    const ThreadScope two(2);
    inside = threads();
    parallel_for(4, [&](int) { in_body = threads(); });
  });
  other.join();
  CHECK(outside == 1);
  CHECK(inside == 2);
  CHECK(in_body == 2);
  CHECK(threads() == 3);
}

TEST_CASE("two threads run loops at once, each on the threads of its own scope") {
  std::vector<int> counts(2);
  const auto loop = [&](int which) {
    const ThreadScope scope(2 + which);
    Crowd crowd(2 + which);
    parallel_for(50, [&](int) { crowd.meet(); });
    counts[static_cast<std::size_t>(which)] = crowd.count();
  };
  std::thread other([&] { loop(1); });
  loop(0);
  other.join();
  CHECK(counts == std::vector<int>{2, 3});
}
