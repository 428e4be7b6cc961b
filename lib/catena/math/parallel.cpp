#include <catena/math/parallel.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

// libtbb is not instrumented for the thread sanitizer, so in such a build this file is not either (else every
// hand-over inside TBB's headers looks like a race), and it states the order that TBB establishes: what comes
// before a loop comes before every body, every body comes before what follows the loop. Bodies are not ordered
// among themselves, so that a race between two of them is still seen (tests/structure/injected_race.cpp).
#ifdef CATENA_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace catena {
namespace {

struct HandOver {
#ifdef CATENA_THREAD_SANITIZER
  char begun = 0, ended = 0;
  void fork() { __tsan_release(&begun); }
  void enter() { __tsan_acquire(&begun); }
  void leave() { __tsan_release(&ended); }
  void join() { __tsan_acquire(&ended); }
#else
  void fork() {}
  void enter() {}
  void leave() {}
  void join() {}
#endif
};

struct Arena {
  int count = 1;
  // TBB stays below the number of processors unless it is told otherwise; the test of equal bits asks for more.
  std::unique_ptr<tbb::global_control> limit;
  std::unique_ptr<tbb::task_arena> arena;
};

Arena& the_arena() {
  static Arena arena;
  return arena;
}

}  // namespace

void set_threads(int count) {
  Arena& a = the_arena();
  a.count = count > 0 ? count : std::max(1, tbb::this_task_arena::max_concurrency());
  a.arena.reset();
  a.limit.reset();
  if (a.count < 2) return;
  a.limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(a.count));
  a.arena = std::make_unique<tbb::task_arena>(a.count);
}

int threads() { return the_arena().count; }

void parallel_for(int count, const std::function<void(int)>& body) {
  Arena& a = the_arena();
  if (!a.arena || count < 2) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  HandOver order;
  const auto ordered_body = [&](int i) {
    order.enter();
    body(i);
    order.leave();
  };
  order.fork();
  a.arena->execute([&] { tbb::parallel_for(0, count, ordered_body, tbb::simple_partitioner{}); });
  order.join();
}

void in_arena(const std::function<void()>& work) {
  Arena& a = the_arena();
  if (!a.arena) {
    work();
    return;
  }
  HandOver order;  // a full arena may run the work on a thread of its own
  order.fork();
  a.arena->execute([&] {
    order.enter();
    work();
    order.leave();
  });
  order.join();
}

}  // namespace catena
