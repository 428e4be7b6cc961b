#include <catena/driver/detail/guard_remark.hpp>
#include <catena/math/detail/printed.hpp>

namespace catena::detail {

std::vector<Remark> guard_remarks(const StepperStatistics& statistics) {
  std::vector<Remark> remarks;
  for (const GuardCount& g : statistics.guards) {
    if (!g.reports || g.count == 0) continue;
    std::string remark =
        printed("%s = report: would have refused %ld step%s, the first at t = %.7g s: ", g.name.c_str(),
                g.count, g.count == 1 ? "" : "s", g.first_t);
    if (!g.first.name.empty()) remark += g.first.name + ", ";
    remarks.push_back(
        {RemarkKey::guard, g.first, remark + g.first.quantity + printed(" %.3g", g.first.value)});
  }
  return remarks;
}

}  // namespace catena::detail
