#include <catena/driver/detail/write_fully.hpp>
#include <catena/driver/sink.hpp>
#include <catena/study/detail/own_process.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

namespace catena::detail {
namespace {

[[noreturn]] void answer_and_end(const std::function<std::string()>& work, int pipe) {
  int status = 1;
  try {
    const std::string answer = work();
    status = write_fully(pipe, answer.data(), answer.size()) == answer.size() ? 0 : 1;
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

struct Begun {
  pid_t child = 0;
  int pipe = -1;
};

Begun fork_for(const std::function<std::string()>& work) {
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
  return {child, ends[0]};
}

OwnProcess wait_for(const Begun& begun) {
  OwnProcess done;
  done.answer = read_all(begun.pipe);
  ::close(begun.pipe);
  int status = 0;
  rusage used = {};
  while (::wait4(begun.child, &status, 0, &used) < 0)
    if (errno != EINTR)
      throw SinkError(std::string("how a process ended is not known: ") + std::strerror(errno));
  if (WIFSIGNALED(status))
    done.signal = WTERMSIG(status);
  else
    done.exit_status = WEXITSTATUS(status);
  done.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024U;  // Linux counts in kB
  if (!done.ended()) done.answer.clear();
  return done;
}

}  // namespace

OwnProcess in_own_process(const std::function<std::string()>& work) { return wait_for(fork_for(work)); }

std::vector<OwnProcess> in_own_processes(int count, const std::function<std::string(int)>& work) {
  std::vector<Begun> begun;
  std::vector<OwnProcess> done;
  const auto end_all = [&] {
    std::exception_ptr failed;
    for (const Begun& one : begun) {
      try {
        done.push_back(wait_for(one));
      } catch (const SinkError&) {
        failed = std::current_exception();
      }
    }
    if (failed) std::rethrow_exception(failed);
  };
  try {
    for (int k = 0; k < count; ++k) begun.push_back(fork_for([&work, k] { return work(k); }));
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
  return done;
}

}  // namespace catena::detail
