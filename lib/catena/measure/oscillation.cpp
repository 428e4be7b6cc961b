#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/oscillation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

// The forces on the body of a block, up to three names, the stiffest first.
std::string forces_on(const BodySystem& system, int block) {
  const Model& model = system.model();
  const std::string name = system.velocity_block_name(block);
  std::vector<std::pair<double, std::string>> found;
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k) {
    const Model::ElementRef& at = model.forces()[static_cast<std::size_t>(k)];
    const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(at.element, i);
      if (id == ground || "body \"" + model.body(id).name + '"' != name) continue;
      found.emplace_back(stiffness_on(model, ForceId{k}, id), pool.name(at.element));
      break;
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string names;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, found.size()); ++k)
    names += (k == 0 ? "" : ", ") + found[k].second;
  return found.size() > 3 ? names + " and others" : names;
}

}  // namespace

Oscillation fastest_oscillation(const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  BlockMatrix stiffness(system.layout().pattern, Border::transposed),
      mass(system.layout().pattern, Border::transposed);
  Linearization of_stiffness, of_mass;
  of_stiffness.matrix = &stiffness;
  of_stiffness.stiffness = 1.0;
  of_mass.matrix = &mass;
  of_mass.mass = 1.0;
  for (Linearization* lin : {&of_stiffness, &of_mass}) {
    Evaluation wanted;
    wanted.linearization = lin;
    system.evaluate(point_of(state), wanted);
  }
  Oscillation fastest;
  for (int b = 0; b < pattern.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(stiffness).H(b), M = std::as_const(mass).H(b);
    for (int i = 0; i < K.rows; ++i) {
      if (!(M(i, i) > 0.0)) continue;
      const double rate = std::sqrt(std::abs(K(i, i)) / M(i, i));
      if (rate > fastest.rate) fastest = {rate, K(i, i) < 0.0, b};
    }
  }
  return fastest;
}

std::string to_text(const System& system, const Oscillation& fastest, double h) {
  const BodySystem* bodies = bodies_of(system);
  const std::string forces = bodies == nullptr ? "" : forces_on(*bodies, fastest.block);
  char rate[80], steps[120];
  std::snprintf(rate, sizeof rate,
                fastest.runs_away ? " runs away at %.3g 1/s" : " can oscillate at %.3g rad/s", fastest.rate);
  std::snprintf(steps, sizeof steps, ", %.2g within a step: take steps below %.2g s", h * fastest.rate,
                0.5 / fastest.rate);
  return system.velocity_block_name(fastest.block) + rate + (forces.empty() ? "" : " on " + forces) + steps;
}

}  // namespace catena::detail
