#include <catena/problems/helix_chain.hpp>

#include <numbers>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, HelixChainParameters& p) {
  visitor.integer({"n", "1", "number of bars", 1, 10e6}, p.n);
  visit_choice(visitor, {"joint", "1", "kind of the joints; hinges lie along body y", 0, 1}, p.joint,
               chain_joint_names());
  visitor.real({"gravity", "m/s^2", "along -z", 0.0, 1e6}, p.gravity);
}

Model HelixChain::model() const {
  const double length = 0.4, side = 0.1, mass = 1000.0 * length * side * side;
  const double along = mass * side * side / 6, across = mass * (length * length + side * side) / 12;
  const ChainLink bar{.mass = mass,
                      .inertia = {{along, across, across}},
                      .begin = {{-0.5 * length, 0.0, 0.0}},
                      .end = {{0.5 * length, 0.0, 0.0}}};
  const Quat step = turn(0, 0.01 * std::numbers::pi) * turn(2, 0.02 * std::numbers::pi);
  std::vector<Quat> orientations{Quat::Identity()};
  while (static_cast<int>(orientations.size()) < p_.n)
    orientations.push_back(normalized(orientations.back() * step));
  return build_chain(bar, orientations, p_.joint, Vec3::Unit(1), {{0.0, 0.0, -p_.gravity}});
}

std::vector<ObservedPoint> HelixChain::observed_points() const {
  return {{"tip", p_.n - 1, {{0.2, 0.0, 0.0}}}};
}

std::vector<Invariant> HelixChain::invariants() const {
  std::vector<Invariant> kept{
      {"energy", "J", initial_potential(model()), "gravity is conservative and the joints do no work"}};
  if (p_.joint == ChainJoint::spherical)
    kept.push_back({"angular momentum about world z", "kg m^2/s", 0.0,
                    "gravity and the ball joint at the origin have no moment about it"});
  return kept;
}

}  // namespace catena
