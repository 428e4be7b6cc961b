#include <catena/problems/box_chain.hpp>
#include <catena/problems/detail/chain_builder.hpp>

#include <cmath>
#include <numbers>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, BoxChainParameters& p) {
  visitor.real({"mass", "kg", "of each box", 1e-9, 1e9}, p.mass);
  visitor.real({"inertia_x", "kg m^2", "principal moment about body x", 1e-12, 1e12}, p.inertia_x);
  visitor.real({"inertia_y", "kg m^2", "principal moment about body y", 1e-12, 1e12}, p.inertia_y);
  visitor.real({"inertia_z", "kg m^2", "principal moment about body z, the long axis", 1e-12, 1e12},
               p.inertia_z);
  visitor.real({"length", "m", "between the joints of a box", 1e-6, 1e6}, p.length);
  visitor.real({"gravity", "m/s^2", "downwards; 0 leaves the chain at rest", 0.0, 1e6}, p.gravity);
}

Model BoxChain::model() const {
  const double quarter = std::numbers::pi / 4;
  const auto euler_zxz = [](double a, double b, double c) { return turn(2, a) * turn(0, b) * turn(2, c); };
  const Quat down = euler_zxz(quarter, quarter, 0.0), up = euler_zxz(quarter, 3 * quarter, 0.0);
  const ChainLink box{.mass = p_.mass,
                      .inertia = {{p_.inertia_x, p_.inertia_y, p_.inertia_z}},
                      .begin = {{0.0, 0.0, 0.5 * p_.length}},
                      .end = {{0.0, 0.0, -0.5 * p_.length}}};
  return build_chain(box, {down, down, up, up}, ChainJoint::spherical, Vec3::Unit(1),
                     {{0.0, 0.0, -p_.gravity}});
}

std::vector<ObservedPoint> BoxChain::observed_points() const {
  return {{"tip", 3, {{0.0, 0.0, -0.5 * p_.length}}}};
}

std::vector<Invariant> BoxChain::invariants() const {
  return {{"energy", "J", initial_potential(model()), "gravity is conservative and the joints do no work"},
          {"angular momentum about world z", "kg m^2/s", 0.0,
           "gravity has no moment about a vertical through the joint"}};
}

std::vector<Reference> BoxChain::references() const {
  const BoxChainParameters paper;
  if (p_.mass != paper.mass || p_.inertia_x != paper.inertia_x || p_.length != paper.length ||
      p_.gravity != paper.gravity) {  // the planar motion turns about body x alone
    return {};
  }
  const double centres[4][2] = {{0.3433760289, -1.4601687926},
                                {1.6715346532, -4.0517982516},
                                {3.7669461444, -6.1914768786},
                                {6.3271489944, -6.8140326150}};  // (x~, z) [m]
  std::vector<Reference> known;
  for (int k = 0; k < 4; ++k) {
    const double x = centres[k][0] / std::numbers::sqrt2;
    known.push_back({1.0,
                     "link " + std::to_string(k + 1),
                     "position [m]",
                     {-x, x, centres[k][1]},
                     10,
                     "planar four-link equations in angles, integrated to 1e-10; computed for Catena"});
  }
  return known;
}

}  // namespace catena
