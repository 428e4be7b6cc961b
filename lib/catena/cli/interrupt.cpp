#include <catena/cli/detail/interrupt.hpp>

#include <csignal>

namespace catena::detail {
namespace {

std::atomic<bool> raised{false};
static_assert(std::atomic<bool>::is_always_lock_free, "else a signal handler may not touch it");

extern "C" void catena_on_signal(int number) {
  raised.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  raised = false;
  interrupt_before_ = std::signal(SIGINT, catena_on_signal);
  terminate_before_ = std::signal(SIGTERM, catena_on_signal);
}

InterruptFlag::~InterruptFlag() {
  std::signal(SIGINT, interrupt_before_);
  std::signal(SIGTERM, terminate_before_);
}

const std::atomic<bool>& InterruptFlag::flag() { return raised; }

}  // namespace catena::detail
