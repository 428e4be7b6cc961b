#include <catena/driver/detail/stop_scope.hpp>

namespace catena::detail {

const std::atomic<bool>*& StopScope::flag() {
  thread_local const std::atomic<bool>* flag = nullptr;
  return flag;
}

}  // namespace catena::detail
