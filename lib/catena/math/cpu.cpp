#include <catena/math/parts/cpu.hpp>

#include <cstdlib>
#include <fstream>

namespace catena {
namespace {

int offered_by_processor() {
#if defined(__x86_64__) && !defined(CATENA_ONE_ISA)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  return avx512 ? 2 : 1;
#else
  return 0;
#endif
}

int lowered_by_environment(int level) {
  const char* const text = std::getenv("CATENA_ISA_MAX");
  if (text == nullptr || text[0] < '0' || text[0] > '2' || text[1] != '\0') return level;
  const int limit = text[0] - '0';
  return limit < level ? limit : level;
}

}  // namespace

int instruction_set() {
  static const int level = lowered_by_environment(offered_by_processor());
  return level;
}

const char* instruction_set_name(int level) {
  switch (level) {
    case 2:
      return "AVX-512";
    case 1:
      return "AVX2";
    default:
      return "baseline";
  }
}

namespace {

std::string read_processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(':');
    const auto first = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    if (first != std::string::npos) return line.substr(first);
  }
  return "unknown processor";
}

}  // namespace

std::string processor_name() {
  static const std::string name =
      read_processor_name();  // every manifest has it, and the kernel writes the file anew
  return name;
}

}  // namespace catena
