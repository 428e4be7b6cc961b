// Work in a process of its own: its peak of memory is its own, and where it is killed the caller is not.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace catena::detail {

struct OwnProcess {
  std::string answer = {};  // what the work returned; empty where it did not end
  std::size_t peak_bytes =
      0;           // of its resident memory, the pages shared with the caller at its start included
  int signal = 0;  // that killed it; 0: none did
  int exit_status = 0;

  bool ended() const { return signal == 0 && exit_status == 0; }
};

// Forks, waits, and returns what the work returned there. What the work changes is lost, and what it throws ends it with an
// exit status other than 0. The caller has no other threads that hold locks. Throws SinkError where no process can be made.
OwnProcess in_own_process(const std::function<std::string()>& work);
// So many at once; `which` counts from 0.
std::vector<OwnProcess> in_own_processes(int count, const std::function<std::string(int which)>& work);

}  // namespace catena::detail
