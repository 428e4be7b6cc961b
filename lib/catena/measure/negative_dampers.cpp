#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/measure/detail/body_rows.hpp>
#include <catena/measure/detail/negative_dampers.hpp>

#include <vector>

namespace catena::detail {

// Of one motion and of its opposite: what drives and motors supply has the other sign, what a damper takes has not.
std::string negative_dampers(const System& system, const State& state) {
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  if (bodies == nullptr) return {};
  constexpr double roundoff = 1e-9;  // of the two powers
  const BodyRows rows(*bodies);
  std::vector<double> v(state.v.size()), back(v);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] = system.layout().scale[k] * (2.0 * scattered(k) - 1.0);
    back[k] = -v[k];
  }
  std::vector<std::string> names;
  for (int k = 0; k < static_cast<int>(bodies->model().forces().size()); ++k) {
    double size = 0.0, other = 0.0;
    Point at = point_of(state);
    at.v = v.data();
    const double there = rows.force_power(k, at, &size);
    at.v = back.data();
    const double again = rows.force_power(k, at, &other);
    if (there + again > roundoff * (size + other)) names.push_back(bodies->model().force_label(ForceId{k}));
  }
  if (names.empty()) return {};
  return listed(names) +
         (names.size() == 1 ? " supplies energy whichever way it moves"
                            : " supply energy whichever way they move") +
         ", as a damper with a negative coefficient does";
}

}  // namespace catena::detail
