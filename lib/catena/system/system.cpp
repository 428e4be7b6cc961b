#include <catena/system/system.hpp>

#include <algorithm>
#include <cassert>

namespace catena {

void System::bracket(const double*, const double*, double* out) const {
  std::fill(out, out + layout().v_size(), 0.0);
}

void System::inverse_tangent(const double*, const double* delta, double* out) const {
  std::copy(delta, delta + layout().v_size(), out);
}

void System::rate(const Point&, double*) const {
  assert(false && "this system has no kinematic equation of its own: ask has_rate() first");
}

std::optional<double> System::power(const Point&) const { return {}; }

bool System::update_discrete(State&) const { return false; }

std::vector<RigidBodyState> System::bodies(const State&) const { return {}; }

std::vector<std::string> System::body_names() const { return {}; }

void System::evaluate_lagrangian(double, const double*, const double*, const LagrangianTerms&) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

void System::momentum(const double*, const double*, double*) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

void System::velocity(const double*, const double*, double*) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

}  // namespace catena
