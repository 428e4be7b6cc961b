#include <catena/measure/detail/forces_on.hpp>

namespace catena::detail {

ForcesOn forces_on(const Model& model, const std::string& block) {
  ForcesOn found;
  for (int k = 0; k < model.body_count() && found.body == ground; ++k)
    if ("body \"" + model.body(BodyId{k}).name + '"' == block) found.body = BodyId{k};
  if (found.body == ground) return found;
  for (int f = 0; f < static_cast<int>(model.forces().size()); ++f) {
    const Model::ElementRef& at = model.forces()[static_cast<std::size_t>(f)];
    const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
    for (int i = 0; i < pool.bodies(); ++i)
      if (pool.body(at.element, i) == found.body) {
        found.forces.push_back(ForceId{f});
        break;
      }
  }
  return found;
}

}  // namespace catena::detail
