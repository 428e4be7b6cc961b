#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/hamiltonian.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace catena::detail {
namespace {

// Whether a force is the gradient of a potential: as its type says, else measured at the initial positions with velocities
// that differ in all components, where it must supply nothing beside the potential.
bool is_conservative(const BodySystem& system, int number) {
  const Model::ElementRef& at = system.model().forces()[index(number)];
  const ElementPool& pool = *system.model().pools()[index(at.pool)];
  if (pool.samples() || (pool.discrete_size() > 0 && !pool.follows_motion())) return false;
  if (const std::optional<bool> works = pool.does_work(at.element)) return !*works;
  constexpr int probes = 3;
  constexpr double roundoff = 1e-12;  // of the power of the wrenches, some thousand units in the last place
  State probe = system.initial_state();
  std::vector<BodyFrame<double>> frames(index(pool.bodies()));
  for (int n = 0; n < probes; ++n) {
    for (std::size_t k = 0; k < probe.v.size(); ++k) probe.v[k] = 2.0 * scattered(k, 0.2654435769 * n) - 1.0;
    system.frames_of(probe, pool, at.element, frames.data());
    const int first = system.discrete_offset(ForceId{number});
    const PowerParts power = pool.power(at.element, frames.data(), probe.t,
                                        first < 0 ? nullptr : probe.discrete.data() + first, nullptr);
    const double size = std::abs(power.of_wrenches) + std::abs(power.of_potential);
    if (size > 0.0 && !(std::abs(power.of_wrenches + power.of_potential) <= roundoff * size + power.error))
      return false;
  }
  return true;
}

bool is_driven(const Model& model, int constraint) {
  const std::vector<RowGroup>& groups =
      model.pools()[index(model.constraints()[index(constraint)].pool)]->plan().groups;
  return std::any_of(groups.begin(), groups.end(), [](const RowGroup& g) { return g.meaning.driven; });
}

}  // namespace

std::string not_hamiltonian(const System& system, const std::string& method, bool autonomous) {
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  if (bodies == nullptr)
    return method +
           " takes bodies of a model in six velocities each, with a constant mass matrix: of systems in "
           "their own "
           "coordinates discrete_action takes those with a Lagrangian, generalized_alpha all";
  const SystemLayout& layout = system.layout();
  for (std::size_t k = 0; k < layout.level.size(); ++k)
    if (layout.level[k] != Level::position)
      return method + " takes position constraints only; " + system.constraint_name(static_cast<int>(k)) +
             " acts on velocities";
  // The mass matrix has blocks of six, and force and tangent operators are those of a rotation in space.
  if (!layout.fewer_velocities.empty())
    return method + " takes rigid bodies only, not " + layout.fewer_velocities;
  const Model& model = bodies->model();
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k)
    if (model.force_label(ForceId{k}) != layout.reaction_force &&  // which Traits::reaction_forces refuses
        !is_conservative(*bodies, k))
      return method + " takes forces with a potential; " + model.force_label(ForceId{k}) +
             " has none: it dissipates, follows a controller, or supplies energy";
  for (int k = 0; autonomous && k < static_cast<int>(model.constraints().size()); ++k)
    if (is_driven(model, k))
      return method + " goes back in time within a step, and takes no constraints that move by themselves; " +
             system.constraint_name(k) + " does: order=2 takes it";
  return {};
}

}  // namespace catena::detail
