#include <catena/math/parts/threads.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>

// libtbb is not instrumented for the thread sanitizer, so in such a build this file is not either (else every
// hand-over inside TBB's headers looks like a race). It states the order that TBB establishes: code before a loop happens
// before every body, every body before the code after the loop. Bodies are not ordered among themselves, so that a race
// between two of them is still found (tests/structure/injected_race.cpp).
#ifdef CATENA_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace catena {

struct parallel_detail::Arena {
  int count = 1;
  std::unique_ptr<tbb::task_arena> tasks;  // null: loops are plain ones
};

namespace {

using parallel_detail::Arena;

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

// Both also where a body throws: TBB waits for the other bodies before the loop throws.
class OfBody {
 public:
  explicit OfBody(HandOver& order) : order_(order) { order_.enter(); }
  OfBody(const OfBody&) = delete;
  OfBody& operator=(const OfBody&) = delete;
  ~OfBody() { order_.leave(); }

 private:
  HandOver& order_;
};
class OfLoop {
 public:
  explicit OfLoop(HandOver& order) : order_(order) { order_.fork(); }
  OfLoop(const OfLoop&) = delete;
  OfLoop& operator=(const OfLoop&) = delete;
  ~OfLoop() { order_.join(); }

 private:
  HandOver& order_;
};

// By default TBB uses at most as many threads as there are processors; the tests of equal bits need more. A raised limit
// is kept: the limit makes no threads, arenas do.
void raise_limit(int count) {
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> limit;
  static int allowed = tbb::info::default_concurrency();
  const std::lock_guard<std::mutex> lock(mutex);
  if (count <= allowed) return;
  limit.reset();
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(count));
  allowed = count;
}

// The arena of the innermost scope, and of the loop whose body this thread is running.
thread_local Arena* current = nullptr;

class Inside {
 public:
  explicit Inside(Arena* arena) : before_(current) { current = arena; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { current = before_; }

 private:
  Arena* before_;
};

}  // namespace

ThreadScope::ThreadScope(int count) : arena_(std::make_unique<Arena>()), outer_(current) {
  arena_->count = count > 0 ? count : std::max(1, tbb::info::default_concurrency());
  if (arena_->count > 1) {
    raise_limit(arena_->count);
    arena_->tasks = std::make_unique<tbb::task_arena>(arena_->count);
  }
  current = arena_.get();
}

ThreadScope::~ThreadScope() { current = outer_; }

int threads() { return current == nullptr ? 1 : current->count; }

void parallel_for(int count, const std::function<void(int)>& body) {
  Arena* const arena = current;
  if (arena == nullptr || !arena->tasks || count < 2) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  HandOver order;
  const auto ordered_body = [&](int i) {
    const OfBody of_body(order);
    const Inside inside(arena);
    body(i);
  };
  const OfLoop of_loop(order);
  arena->tasks->execute([&] { tbb::parallel_for(0, count, ordered_body, tbb::simple_partitioner{}); });
}

}  // namespace catena
