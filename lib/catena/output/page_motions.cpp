#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/detail/named_motions.hpp>
#include <catena/output/detail/page_motions.hpp>
#include <catena/output/detail/page_numbers.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace catena::detail {
namespace {

constexpr std::size_t most = 6;  // as many as catena check names

}  // namespace

std::string page_motions(const System& system, const State& state) {
  nlohmann::ordered_json words = nlohmann::ordered_json::array();
  std::vector<double> velocities;
  bool more = false;
  if (const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system)) {
    FactoredRows rows(system, state);
    const std::vector<NamedMotion> found = named_motions(*bodies, rows, static_cast<int>(most) + 1);
    more = found.size() > most;
    for (std::size_t k = 0; k < std::min(most, found.size()); ++k) {
      // Names are of joints that rest in all others, which needs all motions.
      words.push_back(more                      ? std::string()
                      : found[k].joints.empty() ? bodies_in_words(found[k], 3)
                                                : joints_in_words(found[k], 3));
      for (int b = 0; b < bodies->model().body_count(); ++b) {
        if (bodies->v_offset(BodyId{b}) < 0) continue;
        const std::array<double, 6> six = bodies->six(BodyId{b}, found[k].velocity.data());
        velocities.insert(velocities.end(), six.begin(), six.end());
      }
    }
  }
  return fmt::format(R"("motions":{{"words":{},"more":{},"velocity":{}}})",
                     words.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace), more,
                     page_floats(velocities));
}

}  // namespace catena::detail
