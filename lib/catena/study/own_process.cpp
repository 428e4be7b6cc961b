#include <catena/driver/sink.hpp>
#include <catena/study/detail/own_process.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace catena::detail {
namespace {

[[noreturn]] void answer_and_end(const std::function<std::string()>& work, int pipe) {
  int status = 1;
  try {
    const std::string answer = work();
    std::size_t written = 0;
    while (written < answer.size()) {
      const ssize_t count = ::write(pipe, answer.data() + written, answer.size() - written);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      written += static_cast<std::size_t>(count);
    }
    status = written == answer.size() ? 0 : 1;
  } catch (...) {  // the caller reads the exit status
  }
  ::_exit(status);  // without the destructors and buffers of the caller, of which this process has copies
}

std::string read_all(int pipe) {
  std::string text;
  std::array<char, 4096> part = {};
  for (;;) {
    const ssize_t count = ::read(pipe, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

OwnProcess in_own_process(const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) throw SinkError(std::string("no pipe to a process: ") + std::strerror(errno));
  std::fflush(nullptr);  // else both processes write what waits
  const pid_t child = ::fork();
  if (child < 0) {
    const int why = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw SinkError(std::string("no process can be made: ") + std::strerror(why));
  }
  if (child == 0) {
    ::close(ends[0]);
    answer_and_end(work, ends[1]);
  }
  ::close(ends[1]);
  OwnProcess done;
  done.answer = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  rusage used = {};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    done.signal = WTERMSIG(status);
  else
    done.exit_status = WEXITSTATUS(status);
  done.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024U;  // Linux counts in kB
  if (!done.ended()) done.answer.clear();
  return done;
}

}  // namespace catena::detail
