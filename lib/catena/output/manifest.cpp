#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/output/parts/report.hpp>

#include <unistd.h>

#include <ctime>

namespace catena {
using namespace detail;
namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "gcc " __VERSION__;
#else
constexpr const char* compiler = "unknown";
#endif

std::string host() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Manifest::Entries machine_entries(const std::string& commit) {
  return {{"catena_version", version()},
          {"commit", commit},
          {"compiler", compiler},
          {"flags", CATENA_FLAGS},
          {"processor", processor_name()},
          {"instruction_set", instruction_set_name(instruction_set())},
          {"threads", std::to_string(threads())},
          {"host", host()},
          {"date_begun", date_now()}};
}

Manifest::Entries entries(const std::vector<OptionValue>& options) {
  Manifest::Entries list;
  for (const OptionValue& o : options)
    list.emplace_back(o.name, to_text(o) + (o.unit == "1" || o.unit.empty() ? "" : " " + o.unit));
  return list;
}

}  // namespace catena
