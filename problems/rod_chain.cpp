#include <catena/problems/rod_chain.hpp>

#include <cmath>
#include <limits>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, RodChainParameters& p) {
  visitor.integer({"n", "1", "number of rods", 1, 10e6}, p.n);
  visit_choice(visitor, {"joint", "1", "kind of the joints; the motion is the same", 0, 1}, p.joint,
               chain_joint_names());
  visitor.real({"gravity", "m/s^2", "along -y", 0.0, 1e6}, p.gravity);
}

Model RodChain::model() const {
  // The long axis is body x. The planar motion does not depend on the moment about it, which spherical joints need.
  const ChainLink rod{.mass = 1.0,
                      .inertia = {{0.01, 1.0 / 12, 1.0 / 12}},
                      .begin = {{-0.5, 0.0, 0.0}},
                      .end = {{0.5, 0.0, 0.0}}};
  const std::vector<Quat> level(static_cast<std::size_t>(p_.n), Quat::Identity());
  return build_chain(rod, level, p_.joint, Vec3::Unit(2), {{0.0, -p_.gravity, 0.0}});
}

std::vector<ObservedPoint> RodChain::observed_points() const {
  return {{"tip", p_.n - 1, {{0.5, 0.0, 0.0}}}};
}

std::vector<Invariant> RodChain::invariants() const {
  return {{"energy", "J", 0.0, "gravity is conservative and the joints do no work; all rods start at y = 0"}};
}

std::vector<Reference> RodChain::references() const {
  struct Tip {
    int n, digits;
    double t, x, y;
  };
  static constexpr Tip tips[] = {
      {1, 13, 0.5, -0.0902292085737, -0.9959210259454}, {1, 12, 1.0, -0.99996658807187, -0.008174517717},
      {1, 12, 2.0, 0.99946548951804, -0.032691516674},  {2, 12, 0.5, 1.296688536227, -1.405779923190},
      {2, 12, 1.0, -1.662115135816, -1.041466637193},   {2, 12, 2.0, 0.313524776450, -1.914746617562},
      {10, 12, 0.5, 9.667469818600, -1.226278141096},   {10, 12, 1.0, 7.527229015560, -4.906262319715},
      {10, 11, 2.0, -7.60005510842, -5.95615714063},    {100, 12, 0.5, 99.852095758363, -1.226250000000},
      {100, 11, 1.0, 99.03753249227, -4.905000000000},
  };
  std::vector<Reference> known;
  if (p_.gravity != RodChainParameters{}.gravity) return known;
  for (const Tip& tip : tips) {
    if (tip.n == p_.n)
      known.push_back({tip.t, "tip", "position [m]", {tip.x, tip.y, 0.0}, tip.digits, "computed for Catena"});
  }
  return known;
}

}  // namespace catena
