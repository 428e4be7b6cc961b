// The threads of parallel loops. Work is cut by its pattern, never by the number of threads, so results carry the same
// bits for any number of them.
#pragma once
#include <functional>
#include <memory>

namespace catena {

namespace parallel_detail {
struct Arena;
}

// While it lives, parallel loops that this thread begins run on so many threads (0: as many as the machine offers), and
// so do loops inside of their bodies. Scopes of other threads do not matter. The innermost one counts; without any,
// loops run on the calling thread alone.
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
  ~ThreadScope();

 private:
  std::unique_ptr<parallel_detail::Arena> arena_;
  parallel_detail::Arena* outer_;
};

// Of the innermost scope of this thread; 1 without one.
int threads();

// Runs body(i) for i in [0, count), in any order and on any thread. The caller guarantees that different
// i write to different memory. With one thread it is a plain loop.
void parallel_for(int count, const std::function<void(int)>& body);

}  // namespace catena
