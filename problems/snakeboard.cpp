#include <catena/problems/snakeboard.hpp>

#include <cmath>
#include <numbers>

namespace catena {

void visit(OptionVisitor& visitor, SnakeboardParameters& p) {
  visitor.real({"force", "N", "on the centre of the board along its axis; 0: conservative", -1e4, 1e4},
               p.force);
  visit_choice(visitor,
               {"sign", "", "of the front wheels' third entry; source: as printed, which breaks down"},
               p.sign, {"corrected", "source"});
}

void SnakeboardDefinition::force_derivatives(const Vec<double, 6>& q, const Vec<double, 6>&, double,
                                             Mat<double, 6, 6>& K, Mat<double, 6, 6>& D) const {
  D = K = Mat<double, 6, 6>::Zero();
  K(0, 2) = force_along * std::sin(q[2]);
  K(1, 2) = -force_along * std::cos(q[2]);
  K(3, 3) = rotor_stiffness;
  K(4, 4) = K(5, 5) = wheel_stiffness;
}

namespace {

constexpr double psi_0 = 0.2, phi_f_0 = std::numbers::pi / 3.0;  // [rad], all else zero

}  // namespace

std::unique_ptr<System> Snakeboard::own_system() const {
  const bool corrected = p_.sign == SnakeboardParameters::Sign::corrected;
  const SnakeboardDefinition board{.force_along = p_.force, .front_side = corrected ? 1.0 : -1.0};
  return std::make_unique<CoordinateSystem<SnakeboardDefinition>>(
      board, Vec<double, 6>{{0.0, 0.0, 0.0, psi_0, 0.0, phi_f_0}});
}

std::vector<Invariant> Snakeboard::invariants() const {
  if (p_.force != 0.0) return {};
  const double energy =
      SnakeboardDefinition{}.potential(Vec<double, 6>{{0.0, 0.0, 0.0, psi_0, 0.0, phi_f_0}});
  return {{"energy", "J", energy, "without the force F the springs alone do work; the wheels roll freely"}};
}

std::vector<Reference> Snakeboard::references() const {
  const SnakeboardParameters source;
  if (p_.force != source.force || p_.sign != source.sign) return {};
  const char* computed = "computed for Catena with the corrected sign";
  return {
      {0.5,
       "coordinates",
       "q",
       {0.343214655527, -0.132140013908, -0.629201731819, 0.526817386540, 0.284972455976, -0.0514890697469},
       12,
       computed},
      {0.5,
       "coordinates",
       "v",
       {1.35248022055, -0.754884128135, -1.32429075988, -0.332901339656, -3.39220268523, 5.30534937065},
       10,
       computed}};
}

}  // namespace catena
