#include <catena/assembly/parts/body_system.hpp>
#include <catena/linear/detail/sampling.hpp>
#include <catena/math/detail/index.hpp>

namespace catena::detail {

std::string sampling_element(const System& system) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return {};
  const Model& model = bodies->model();
  const auto samples = [&](const Model::ElementRef& at) {
    return model.pools()[index(at.pool)]->sampling_period(at.element) > 0.0;
  };
  for (int k = 0; k < static_cast<int>(model.constraints().size()); ++k)
    if (samples(model.constraints()[index(k)])) return model.constraint_label(ConstraintId{k});
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k)
    if (samples(model.forces()[index(k)])) return model.force_label(ForceId{k});
  return {};
}

}  // namespace catena::detail
