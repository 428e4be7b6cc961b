#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/forces_on.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

struct ForceOnBody {
  double rate;  // sqrt(|k| / m) of it alone [rad/s]
  ForceId id;
};

// The model with its bodies where they are in the state.
Model model_at(const BodySystem& system, const State& state) {
  Model model = system.model();
  if (state.q.empty()) return model;
  const std::vector<RigidBodyState> at = system.bodies(state);
  for (int b = 0; b < model.body_count(); ++b) {
    if (model.body(BodyId{b}).fixed) continue;
    model.body(BodyId{b}).position = at[static_cast<std::size_t>(b)].position;
    model.body(BodyId{b}).orientation = at[static_cast<std::size_t>(b)].orientation;
  }
  return model;
}

// The forces on the body of a block, the stiffest for its inertia first.
std::vector<ForceOnBody> stiffness_on(const BodySystem& system, const Oscillation& fastest) {
  const ForcesOn all = forces_on(system.model(), system.velocity_block_name(fastest.block));
  const Model model = model_at(system, fastest.at);
  std::vector<ForceOnBody> found;
  for (const ForceId id : all.forces)
    found.push_back(
        {std::max(oscillation_by(system.model(), id, all.body), oscillation_by(model, id, all.body)), id});
  std::stable_sort(found.begin(), found.end(),
                   [](const ForceOnBody& a, const ForceOnBody& b) { return a.rate > b.rate; });
  return found;
}

// Up to three names.
std::string names_of(const BodySystem& system, const std::vector<ForceOnBody>& forces) {
  constexpr std::size_t most = 3;
  const Model& model = system.model();
  std::string names;
  for (std::size_t k = 0; k < std::min(most, forces.size()); ++k) {
    const Model::ElementRef& at = model.forces()[static_cast<std::size_t>(forces[k].id)];
    names += (k == 0 ? "" : ", ") + model.pools()[static_cast<std::size_t>(at.pool)]->name(at.element);
  }
  return forces.size() > most ? names + " and others" : names;
}

StiffForce stiffest_of(const BodySystem& system, const std::vector<ForceOnBody>& forces) {
  if (forces.empty() || !(forces.front().rate > 0.0)) return {};
  return {system.model().force_label(forces.front().id), forces.front().rate};
}

}  // namespace

Oscillation fastest_oscillation(const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  BlockMatrix stiffness(system.layout().pattern, Border::transposed),
      mass(system.layout().pattern, Border::transposed);
  evaluate_mass_and_rows(system, point_of(state), mass);
  Linearization of_stiffness;
  of_stiffness.matrix = &stiffness;
  of_stiffness.stiffness = 1.0;
  Evaluation wanted;
  wanted.linearization = &of_stiffness;
  State rest = state;  // the forces of dampers turn with their bodies, which is no stiffness
  std::fill(rest.v.begin(), rest.v.end(), 0.0);
  system.evaluate(point_of(rest), wanted);
  // Along its own direction a quaternion has no inertia, but the roundoff of it.
  constexpr double roundoff_of_inertia = 1e-14;
  const double* const scale = system.layout().scale.data();
  Oscillation fastest;
  for (int b = 0; b < pattern.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(stiffness).H(b), M = std::as_const(mass).H(b);
    const double* const size = scale + pattern.primal_offset[static_cast<std::size_t>(b)];
    double largest = 0.0;
    for (int i = 0; i < K.rows; ++i) largest = std::max(largest, M(i, i) * size[i] * size[i]);
    for (int i = 0; i < K.rows; ++i) {
      if (!(M(i, i) * size[i] * size[i] > roundoff_of_inertia * largest)) continue;
      const double rate = std::sqrt(std::abs(K(i, i)) / M(i, i));
      if (rate > fastest.rate) fastest = {.rate = rate, .runs_away = K(i, i) < 0.0, .block = b};
    }
  }
  fastest.at = state;
  return fastest;
}

StiffForce stiffest_force(const System& system, const Oscillation& fastest) {
  const BodySystem* bodies = bodies_of(system);
  return bodies == nullptr ? StiffForce{} : stiffest_of(*bodies, stiffness_on(*bodies, fastest));
}

std::string to_text(const System& system, const Oscillation& fastest, double h) {
  std::string names, stiffest;
  if (const BodySystem* bodies = bodies_of(system)) {
    const std::vector<ForceOnBody> forces = stiffness_on(*bodies, fastest);
    names = names_of(*bodies, forces);
    if (const StiffForce force = stiffest_of(*bodies, forces); !force.name.empty())
      stiffest = printed("; h^2 k/m is %.3g at ", h * force.rate * h * force.rate) + force.name;
  }
  return system.velocity_block_name(fastest.block) +
         printed(fastest.runs_away ? " runs away at %.3g 1/s" : " can oscillate at %.3g rad/s",
                 fastest.rate) +
         (names.empty() ? "" : " on " + names) + printed(", %.2g within a step", h * fastest.rate) +
         stiffest + printed(": take steps below %.2g s", 0.5 / fastest.rate);
}

}  // namespace catena::detail
