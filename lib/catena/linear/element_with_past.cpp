#include <catena/assembly/parts/body_system.hpp>
#include <catena/linear/detail/element_with_past.hpp>
#include <catena/math/detail/index.hpp>

namespace catena::detail {

Culprit element_with_past(const System& system) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return {};
  const Model& model = bodies->model();
  Culprit found;
  const auto has_past = [&](const Model::ElementRef& at) {
    const ElementPool& pool = *model.pools()[index(at.pool)];
    if (const double period = pool.sampling_period(at.element); period > 0.0)
      found = {{}, "sampling period", period, "samples the motion at instants"};
    else if (pool.integrates(at.element))
      found = {{}, "integral", 0.0, "has an integral over the time, which positions do not show"};
    return !found.quantity.empty();
  };
  for (int k = 0; k < static_cast<int>(model.constraints().size()) && found.name.empty(); ++k)
    if (has_past(model.constraints()[index(k)])) found.name = model.constraint_label(ConstraintId{k});
  for (int k = 0; k < static_cast<int>(model.forces().size()) && found.name.empty(); ++k)
    if (has_past(model.forces()[index(k)])) found.name = model.force_label(ForceId{k});
  return found;
}

}  // namespace catena::detail
