#include <catena/driver/sink.hpp>
#include <catena/output/detail/other_program.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace catena::detail {

ProgramEnd run_program(const std::string& program, std::vector<std::string> arguments,
                       const std::filesystem::path& words) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ProgramEnd end;
  end.error = posix_spawn_file_actions_init(&actions);
  if (end.error != 0) return end;
  if (!words.empty()) {
    end.error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, words.c_str(),
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (end.error == 0) end.error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  pid_t child = 0;
  if (end.error == 0)
    end.error = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (end.error != 0) return end;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw SinkError("how " + program + " ended is not known: " + std::generic_category().message(errno));
  end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace catena::detail
