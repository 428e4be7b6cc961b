// The one arena: it runs on as many threads as it was set to, and on no more.
#include <catena/math/parallel.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

using namespace catena;

namespace {

// The threads that a loop runs on. Every body waits until `wanted` of them have come, for a while at most: a loop on
// fewer threads than it was promised ends too, and is told by the count.
class Crowd {
 public:
  explicit Crowd(std::size_t wanted) : wanted_(wanted) {}
  void meet() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      seen_.insert(std::this_thread::get_id());
      count_ = seen_.size();
    }
    while (count_ < wanted_ && std::chrono::steady_clock::now() < end_) std::this_thread::yield();
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t wanted_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::mutex mutex_;
  std::set<std::thread::id> seen_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace

TEST_CASE("a loop runs on as many threads as the arena has, every index once") {
  for (const int count : {1, 2, 4, 1, 3}) {
    set_threads(count);
    CHECK(threads() == count);
    Crowd crowd(static_cast<std::size_t>(count));
    std::atomic<int> calls[100] = {};
    parallel_for(100, [&](int i) {
      ++calls[i];
      crowd.meet();
    });
    CHECK(crowd.count() == static_cast<std::size_t>(count));
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
