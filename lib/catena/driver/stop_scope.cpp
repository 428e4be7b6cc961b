#include <catena/driver/stop_scope.hpp>

namespace catena {

const std::atomic<bool>*& StopScope::flag() {
  thread_local const std::atomic<bool>* flag = nullptr;
  return flag;
}

}  // namespace catena
