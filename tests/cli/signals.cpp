// What schedulers and shells do to a run: signals, limits of file size and memory.
#include <catena/output/detail/results_file.hpp>
#include <catena/problems/problem.hpp>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace catena;
using catena_test::by_signal;
using catena_test::file_text;
using catena_test::Process;
using catena_test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// Waits until the file is there and has so many bytes.
bool appears(const fs::path& file, std::uintmax_t bytes) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until) {
    std::error_code none;
    if (const auto size = fs::file_size(file, none); !none && size >= bytes) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

std::vector<std::string> endless(const fs::path& out, const std::string& format) {
  return {"run",     "rod_chain", "--set",      "n=3",  "--end",    "100000",     "--step",   "0.001",
          "--every", "100",       "--interval", "0.01", "--output", out.string(), "--format", format};
}

// A problem whose set-up takes its time.
struct Slow : Problem {
  std::string summary() const override { return "takes half a minute to make"; }
  void visit(OptionVisitor&) override {}
  Model model() const override {
    std::this_thread::sleep_for(std::chrono::seconds(30));
    return {};
  }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 0.1, 1.0}; }
};

}  // namespace

TEST_CASE(
    "signals of shells and schedulers end a run with a checkpoint, valid results and their own exit code") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) {
    CAPTURE(number);
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "out", log = folder.path() / "log";
    Process run(endless(out, "csv"), log);
    REQUIRE(appears(out / "scalars.csv", 3000));  // it is under way
    run.signal(number);
    const int code = run.end();
    INFO(file_text(log));
    REQUIRE(code == 128 + number);
    const nlohmann::json report = nlohmann::json::parse(file_text(out / "report.json"));
    CHECK(report.at("exit_status") == 128 + number);
    CHECK(fs::exists(out / "checkpoint-1"));
    const double t = report.at("time");
    CHECK(t > 0.0);
    const std::string end = std::to_string(t + 0.1);
    Process resumed({"resume", out.string(), "--end", end}, log);
    CHECK(resumed.end() == exit_ok);
  }
}

TEST_CASE("SIGXCPU and SIGUSR1 come more than once and do not end a run that writes its checkpoint") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", log = folder.path() / "log";
  for (const int number : {SIGXCPU, SIGUSR1}) {
    fs::remove_all(out);
    Process run(endless(out, "csv"), log);
    REQUIRE(appears(out / "scalars.csv", 3000));
    for (int k = 0; k < 3; ++k) run.signal(number);
    CHECK(run.end() == 128 + number);
  }
}

TEST_CASE("an ignored signal stays ignored, and in the set-up a signal ends the program at once") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", log = folder.path() / "log";
  {
    Process run(endless(out, "csv"), log, [] { std::signal(SIGHUP, SIG_IGN); });  // as nohup does
    REQUIRE(appears(out / "scalars.csv", 3000));
    run.signal(SIGHUP);
    const auto size = fs::file_size(out / "scalars.csv");
    CHECK(appears(out / "scalars.csv", size + 3000));  // it continues
    run.signal(SIGTERM);
    CHECK(run.end() == 128 + SIGTERM);
  }
  Catalog catalog = builtin();
  catalog.add<Slow>("slow");
  for (const char* command : {"run", "check", "write"}) {
    CAPTURE(command);
    const auto begin = std::chrono::steady_clock::now();
    Process slow(
        {command, "slow"}, log, [] {}, catalog);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    slow.signal(SIGINT);
    CHECK(slow.end() == by_signal + SIGINT);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  }
}

TEST_CASE("a limit on the size of files is an error of writing") {
  for (const char* format : {"csv", "hdf5", "vtk"}) {
    CAPTURE(format);
    if (std::string_view(format) == "hdf5" && !detail::has_hdf5()) continue;
    for (const rlim_t bytes : {rlim_t{20'000}, rlim_t{60'000}}) {
      CAPTURE(bytes);
      const TemporaryFolder folder;
      const fs::path out = folder.path() / "out", log = folder.path() / "log";
      std::vector<std::string> request = endless(out, format);
      request[3] = "n=200";
      Process run(request, log, [=] {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
      });
      const int code = run.end();
      const std::string said = file_text(log);
      INFO(said);
      CHECK(code == exit_cannot_write);
      if (std::string_view(format) != "hdf5") CHECK(said.find("File too large") != std::string::npos);
    }
  }
}

TEST_CASE("tables in CSV are written by the clock, their headers at once") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", log = folder.path() / "log";
  std::vector<std::string> request = endless(out, "csv");
  Process run(request, log);
  REQUIRE(appears(out / "scalars.csv", 3000));
  run.signal(SIGKILL);
  CHECK(run.end() == by_signal + SIGKILL);
  const std::string table = file_text(out / "scalars.csv");
  CHECK(table.starts_with("time [s]"));
  CHECK(table.size() < 65536);  // less than a buffer, which is written in any case
}
