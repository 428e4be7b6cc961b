#include <catena/driver/detail/guard_remark.hpp>

#include <cstdio>

namespace catena::detail {

std::vector<Remark> guard_remarks(const StepperStatistics& statistics) {
  std::vector<Remark> remarks;
  for (const GuardCount& g : statistics.guards) {
    if (!g.reports || g.count == 0) continue;
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  "%s = report: would have refused %ld step%s, the first at t = %.7g s: ", g.name.c_str(),
                  g.count, g.count == 1 ? "" : "s", g.first_t);
    char value[40];
    std::snprintf(value, sizeof value, " %.3g", g.first.value);
    std::string remark = numbers;
    if (!g.first.name.empty()) remark += g.first.name + ", ";
    remarks.push_back({RemarkKey::guard, g.first, remark + g.first.quantity + value});
  }
  return remarks;
}

}  // namespace catena::detail
