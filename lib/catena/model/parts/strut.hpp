// Spring, damper, friction and actuator between two points, linear or by functions.
#pragma once
#include <catena/model/detail/strut_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

#include <array>
#include <string>

namespace catena {

// With the distance l of the points, each is pushed away from the other by
//     Q = a(t) - k (l - l0) - c l' - spring(l) - damper(l') - friction l' / sqrt(l'^2 + friction_rate^2)   [N]
// It has no direction, and no value, where the points coincide. A linear one alone: SpringDamper, which is cheaper.
struct Strut {
  static constexpr const char* type_name = "strut";
  static constexpr const char* summary =
      "spring, damper, friction and actuator between two points, by functions";
  static constexpr bool couples = true;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  double stiffness = 0.0;        // k [N/m]
  double damping = 0.0;          // c [N s/m]
  double free = 0.0;             // l0 [m]
  Function spring = 0.0;         // of l [m]: [N]
  Function damper = 0.0;         // of l' [m/s]: [N]
  Function actuator = 0.0;       // a, of the time [s]: [N]
  double friction = 0.0;         // [N], not negative
  double friction_rate = 1e-3;   // rate up to which friction grows [m/s], positive
  std::string name = {};

  std::string defect_at(const BodyFrame<double>* f, double t) const;
  bool does_work() const { return kernel<double>().law.does_work(); }
  static constexpr const char* jump = detail::passed_over_text;
  bool may_jump() const { return spring.has_integral() && !spring.break_points().empty(); }
  bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const;

  template <class S>
  detail::StrutWrench<S> kernel() const {
    detail::StrutWrench<S> k{{cast<S>(point_a), cast<S>(point_b)}};
    complete(k);
    return k;
  }
  template <class Kernel>
  void complete(Kernel& k) const {
    k.law = {stiffness, damping, free, &spring, &damper, &actuator, friction, friction_rate};
  }
};

void visit(ElementVisitor& visitor, Strut& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(Strut);

}  // namespace catena
