// Processes of their own, for what must be seen from outside: signals, kill -9, limits of the system.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace catena_test {

inline constexpr int by_signal = 1000;  // added to the number of the signal that has ended a process

class Process {
 public:
  // work: in the child, which ends with its exit code; what it prints is appended to the log.
  Process(const std::function<int()>& work, const std::filesystem::path& log) {
    std::fflush(nullptr);  // else the child writes what is still in the buffers once more
    child_ = fork();
    REQUIRE(child_ >= 0);
    if (child_ > 0) return;
    // Those that a shell's background jobs and nohup have ignored from the start stay so otherwise.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) std::signal(number, SIG_DFL);
    if (std::freopen(log.c_str(), "ab", stdout) == nullptr ||
        std::freopen(log.c_str(), "ab", stderr) == nullptr)
      _exit(99);
    _exit(work());
  }
  // The program. before: in the child, first.
  Process(
      std::vector<std::string> arguments, const std::filesystem::path& log,
      const std::function<void()>& before = [] {}, const catena::Catalog& catalog = catena::builtin())
      : Process(
            [&] {
              before();
              arguments.insert(arguments.begin(), "catena");
              std::vector<char*> argv;
              for (std::string& word : arguments) argv.push_back(word.data());
              return catena::cli(static_cast<int>(argv.size()), argv.data(), catalog);
            },
            log) {}
  ~Process() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Process(Process&& other) noexcept : child_(std::exchange(other.child_, -1)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(child_, other.child_);
    return *this;
  }

  void signal(int number) const { kill(child_, number); }
  // Waits. The exit code, or by_signal + the signal.
  int end() {
    int status = 0;
    REQUIRE(waitpid(child_, &status, 0) == child_);
    return code_of(status);
  }
  bool ended_within(std::chrono::milliseconds time, int& code) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_) {
        code = code_of(status);
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  int code_of(int status) {
    child_ = -1;
    return WIFSIGNALED(status) ? by_signal + WTERMSIG(status) : WEXITSTATUS(status);
  }

  pid_t child_ = -1;
};

// From beginning to end.
inline int exit_code(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  return Process(arguments, log).end();
}

}  // namespace catena_test
