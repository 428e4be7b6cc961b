#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/printed.hpp>

namespace catena {
using namespace detail;

ScenarioError::ScenarioError(const Complaints& all)
    : UsageError(all.in_file() + (all.in_file().empty() || all.text().empty() ? "" : "\n") + all.text()),
      in_file_(all.in_file()),
      others_(all.text()) {}

void Complaints::throw_if_any() const {
  if (any()) throw ScenarioError(*this);
}

std::string unknown_name(const std::string& kind, const std::string& typed,
                         const std::vector<std::string>& names) {
  const std::string hint = nearest_hint(typed, names);
  std::string text = "no " + kind + " \"" + typed + "\"";
  if (!hint.empty()) return text + ": " + hint;
  if (names.empty()) return text + ": there are none";
  return text + "; there are " + joined(names);
}

}  // namespace catena
