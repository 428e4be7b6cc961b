#include <catena/problems/detail/chain_builder.hpp>
#include <catena/problems/straight_box_chain.hpp>

#include <cmath>
#include <numbers>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, StraightBoxChainParameters& p) {
  visitor.integer({"n", "1", "number of boxes", 1, 10e6}, p.n);
  visitor.real({"gravity", "m/s^2", "downwards", 0.0, 1e6}, p.gravity);
}

Model StraightBoxChain::model() const {
  const ChainLink box{
      .mass = 12.0, .inertia = {{9.25, 10.0, 1.25}}, .begin = {{0.0, 0.0, -1.5}}, .end = {{0.0, 0.0, 1.5}}};
  // Body z along world x, body y along world y.
  const double half = std::sqrt(0.5);
  const std::vector<Quat> level(static_cast<std::size_t>(p_.n), Quat{half, 0.0, half, 0.0});
  Model model = build_chain(box, level, ChainJoint::spherical, Vec3::Unit(1), {{0.0, 0.0, -p_.gravity}});
  // sqrt(1/2) is rounded; over a long chain that would lift the far end and leave an energy of roundings.
  for (int k = 0; k < p_.n; ++k) model.body(BodyId{k}).position = {{3.0 * k + 1.5, 0.0, 0.0}};
  return model;
}

std::vector<ObservedPoint> StraightBoxChain::observed_points() const {
  return {{"tip", p_.n - 1, {{0.0, 0.0, 1.5}}}};
}

std::vector<Invariant> StraightBoxChain::invariants() const {
  return {
      {"energy", "J", 0.0, "gravity is conservative and the joints do no work; all boxes start at z = 0"}};
}

}  // namespace catena
