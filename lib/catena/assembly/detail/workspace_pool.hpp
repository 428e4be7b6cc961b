// Work arrays that several threads may ask for at once, each for arrays of its own.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace catena::detail {

// Holds one set of arrays from the beginning and makes another only where more callers than ever before are at
// work at the same time; so a single caller allocates nothing. Leases, not arrays of a thread: a thread that
// waits for a parallel loop may begin a second evaluation before it ends the first.
template <class Workspace>
class WorkspacePool {
 public:
  explicit WorkspacePool(std::function<std::unique_ptr<Workspace>()> make) : make_(std::move(make)) {
    free_.push_back(make_());
    made_ = 1;
  }

  // The arrays until the lease ends; what they hold is left from whoever had them before.
  class Lease {
   public:
    explicit Lease(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(workspace_)); }
    Workspace& operator*() const { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

 private:
  std::unique_ptr<Workspace> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // giving back never allocates
      return make_();
    }
    std::unique_ptr<Workspace> last = std::move(free_.back());
    free_.pop_back();
    return last;
  }
  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  std::function<std::unique_ptr<Workspace>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
  std::size_t made_ = 0;
};

}  // namespace catena::detail
