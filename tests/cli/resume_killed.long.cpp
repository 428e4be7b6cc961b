// Runs that are killed with -9 at random times, by Ctrl-C, and by a disk that is full.
#include <catena/experiment/detail/run_folder.hpp>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::by_signal;
using catena_test::exit_code;
using catena_test::file_text;
using catena_test::Process;
using catena_test::TemporaryFolder;
using Json = nlohmann::json;

namespace {

Json lasting(const std::filesystem::path& folder) {
  const Json report = Json::parse(file_text(folder / "report.json"));
  Json kept;
  for (const char* key :
       {"status", "time", "steps", "energy_initial", "energy_final", "energy_error_max",
        "position_residual_max", "velocity_residual_max", "acceleration_residual_max", "worst", "positions",
        "quaternions", "velocities", "angular_velocities", "multipliers"})
    kept[key] = report.at(key);
  return kept;
}

void check_same(const std::filesystem::path& a, const std::filesystem::path& b) {
  CHECK(lasting(a) == lasting(b));
  for (const char* name : {"scalars.csv", "bodies.csv", "points.csv", "multipliers.csv"}) {
    CAPTURE(name);
    CHECK((file_text(a / name) == file_text(b / name)));
  }
}

std::vector<std::string> request(const std::filesystem::path& folder, const std::string& end) {
  return {"run",     "helix_chain", "--set",        "n=8",  "--step",   "0.0005",        "--end",    end,
          "--every", "7",           "--checkpoint", "0.01", "--output", folder.string(), "--format", "csv"};
}

}  // namespace

TEST_CASE("a run killed with -9 at random times, again and again, ends with the bits of one that was not") {
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole", parts = folder.path() / "parts";
  const std::string log = (folder.path() / "log").string();
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(exit_code(request(whole, "24.0"), log) == exit_ok);
  // A second and a half; half a minute by sanitizers, where a start takes as long as other runs.
  const auto all = static_cast<unsigned>(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  std::mt19937 random(20240229);
  int kills = 0;
  for (int round = 0; round < 3; ++round) {
    Process child(request(parts, "24.0"), log);
    int code = -1;
    unsigned longest =
        150 + all / 20;  // [ms] grows, so that a busy machine comes to its first checkpoint as well
    while (!child.ended_within(std::chrono::milliseconds(15 + random() % longest), code)) {
      child.signal(SIGKILL);
      code = child.end();
      if (code != by_signal + SIGKILL) break;  // it was at its end already
      ++kills;
      longest += 25 + all / 100;
      REQUIRE(kills < 300);
      if (std::filesystem::exists(parts / "run.json"))
        child = Process({"resume", parts.string()}, log);
      else
        child = Process(request(parts, "24.0"), log);
    }
    INFO(file_text(log));
    REQUIRE(code == exit_ok);
    check_same(whole, parts);
    std::filesystem::remove_all(parts);
  }
  MESSAGE("killed " << kills << " times");
  CHECK(kills >= 6);
}

TEST_CASE("Ctrl-C ends a run cleanly with a checkpoint and a valid report, SIGTERM too") {
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole", parts = folder.path() / "parts";
  const std::string log = (folder.path() / "log").string();
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove_all(parts);
    std::filesystem::remove_all(whole);
    Process child(request(parts, "1000"), log);
    while (!std::filesystem::exists(parts / "checkpoint-2"))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    child.signal(signal);
    CHECK(child.end() == 128 + signal);
    const Json report = Json::parse(file_text(parts / "report.json"));
    CHECK(report["status"] == "stopped");
    CHECK(report["exit_status"] == 128 + signal);
    CHECK(report["steps"].get<long>() > 0);
    const auto bodies = file_text(parts / "bodies.csv");
    CHECK(bodies.back() == '\n');
    CHECK(RunFolder(parts).checkpoints().size() == 2);
    const double t = report["time"].get<double>();
    // On the grid of 0.0005, a little further, and as if nothing had been.
    const std::string end = std::to_string((std::floor(t / 0.25) + 1.0) * 0.25);
    CHECK(exit_code({"resume", parts.string(), "--end", end}, log) == exit_ok);
    CHECK(exit_code(request(whole, end), log) == exit_ok);
    check_same(whole, parts);
  }
}

TEST_CASE("a disk that is full ends the run with what was saved, and the checkpoint before is kept") {
  // A limit to the size of files acts as the full disk: write() fails with EFBIG instead of ENOSPC.
  const TemporaryFolder folder;
  const auto whole = folder.path() / "whole", parts = folder.path() / "parts";
  const std::string log = (folder.path() / "log").string(), full = (folder.path() / "full").string();
  REQUIRE(exit_code(request(whole, "2.0"), log) == exit_ok);
  // A checkpoint is at 0.035 s, an instant of the output, however fast the machine; the limit is met at about 0.05 s.
  REQUIRE(exit_code(request(parts, "0.035"), log) == exit_ok);
  Process child({"resume", parts.string(), "--end", "2.0"}, full, [] {
    const rlimit limit{200000, 200000};  // bytes of a file; bodies.csv of the whole run has more
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
  });
  REQUIRE(std::filesystem::file_size(whole / "bodies.csv") > 300000);
  CHECK(child.end() == exit_cannot_write);
  const std::string text = file_text(full);
  INFO(text);
  CHECK(text.find("cannot write " + (parts / "bodies.csv").string() + ": File too large") !=
        std::string::npos);
  CHECK(text.find("are saved: catena resume " + parts.string() + " continues from there") !=
        std::string::npos);
  REQUIRE(!RunFolder(parts).checkpoints().empty());
  // What was flushed is what the whole run wrote.
  const std::string some = file_text(parts / "bodies.csv"), all = file_text(whole / "bodies.csv");
  CHECK(some.size() > 100000);
  CHECK((all.compare(0, some.size(), some) == 0));
  // Where the disk has space again, the run continues.
  CHECK(exit_code({"resume", parts.string()}, log) == exit_ok);
  check_same(whole, parts);
}

TEST_CASE("a report that cannot be written to a full device ends with its exit code") {
  if (!std::filesystem::exists("/dev/full")) {
    MESSAGE("not tested: no /dev/full here");
    return;
  }
  const TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  CHECK(exit_code({"run", "rod_chain", "--end", "0.01", "--json", "/dev/full"}, log) == exit_cannot_write);
  CHECK(file_text(log).find("cannot write /dev/full") != std::string::npos);
}
