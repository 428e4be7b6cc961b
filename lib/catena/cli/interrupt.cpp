#include <catena/cli/detail/interrupt.hpp>

#include <csignal>

namespace catena::detail {
namespace {

std::atomic<bool> raised{false};
std::atomic<int> which{0}, listening{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "else a signal handler may not touch them");

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};

extern "C" void catena_on_signal(int number) {
  // SIGXCPU comes every second once the time is used up, and SIGUSR1 more than once from some schedulers; they must not
  // end the process while it writes its checkpoint.
  const bool listened = listening.load(std::memory_order_relaxed) > 0;
  if (!listened || (number != SIGXCPU && number != SIGUSR1)) std::signal(number, SIG_DFL);
  if (!listened) {
    std::raise(number);
    return;
  }
  int none = 0;
  which.compare_exchange_strong(none, number, std::memory_order_relaxed);
  raised.store(true, std::memory_order_relaxed);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  raised = false;
  which = 0;
  for (int k = 0; k < count; ++k) {
    before_[k] = std::signal(ending[k], catena_on_signal);
    if (before_[k] == SIG_IGN) std::signal(ending[k], SIG_IGN);
  }
  file_size_before_ = std::signal(SIGXFSZ, SIG_IGN);
}

InterruptFlag::~InterruptFlag() {
  for (int k = 0; k < count; ++k) std::signal(ending[k], before_[k]);
  std::signal(SIGXFSZ, file_size_before_);
}

const std::atomic<bool>& InterruptFlag::flag() { return raised; }
const std::atomic<int>& InterruptFlag::signal() { return which; }

ListenToSignals::ListenToSignals() { ++listening; }
ListenToSignals::~ListenToSignals() { --listening; }

}  // namespace catena::detail
