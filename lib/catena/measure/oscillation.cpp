#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/assembly/detail/quaternion_algebra.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
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

std::vector<double> diagonal_of(const ConstBlockRef& A) {
  std::vector<double> out;
  for (int i = 0; i < A.rows; ++i) out.push_back(A(i, i));
  return out;
}

// The same of a block of the seven coordinates of a body, of displacements and of turns about its axes. A quaternion has one
// direction more than there are turns, along which it has a stiffness of its own.
std::vector<double> of_six_velocities(const ConstBlockRef& A, const double* q) {
  const Mat<double, 3, 4> map = quaternion_map(quaternion_part(q));  // e' = map^T omega / 2
  std::vector<double> out = {A(0, 0), A(1, 1), A(2, 2)};
  for (int i = 0; i < 3; ++i) {
    double sum = 0.0;
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) sum += 0.25 * map(i, j) * A(3 + j, 3 + k) * map(i, k);
    out.push_back(sum);
  }
  return out;
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
  // Of the largest inertia of the body: less is roundoff, as about the axis of a rod.
  constexpr double roundoff_of_inertia = 1e-14;
  const bool seven = dynamic_cast<const QuaternionSystem*>(&system) != nullptr;
  Oscillation fastest;
  for (int b = 0; b < pattern.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(stiffness).H(b), M = std::as_const(mass).H(b);
    const int first = pattern.primal_offset[static_cast<std::size_t>(b)];
    const double* const size = system.layout().scale.data() + first;
    const std::vector<double> k = seven ? of_six_velocities(K, state.q.data() + first) : diagonal_of(K),
                              m = seven ? of_six_velocities(M, state.q.data() + first) : diagonal_of(M);
    const auto inertia = [&](std::size_t i) { return m[i] * (i < 3 || !seven ? size[i] * size[i] : 1.0); };
    double largest = 0.0;
    for (std::size_t i = 0; i < m.size(); ++i) largest = std::max(largest, inertia(i));
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (!(inertia(i) > roundoff_of_inertia * largest)) continue;
      const double rate = std::sqrt(std::abs(k[i]) / m[i]);
      if (rate > fastest.rate) fastest = {.rate = rate, .runs_away = k[i] < 0.0, .block = b};
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
