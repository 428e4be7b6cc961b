// What the built-in constraints and forces refuse of their parameters.
#include <catena/model/distance_constraint.hpp>
#include <catena/model/error.hpp>
#include <catena/model/point_force.hpp>
#include <catena/model/revolute_joint.hpp>
#include <catena/model/spherical_joint.hpp>
#include <catena/model/spring_damper.hpp>
#include <catena/model/torque.hpp>

#include <cmath>

namespace catena {
namespace {

// Collects the first complaint.
struct Checker {
  std::string defect = {};

  Checker& finite(const char* what, double x) {
    if (defect.empty() && !std::isfinite(x))
      defect = std::string(what) + " must be finite, is " + message_number(x);
    return *this;
  }
  Checker& finite(const char* what, const Vec3& a) {
    for (int k = 0; k < 3; ++k)
      if (defect.empty() && !std::isfinite(a[k]))
        defect = std::string(what) + " must be finite, has " + message_number(a[k]);
    return *this;
  }
  Checker& axis(const char* what, const Vec3& a) {
    finite(what, a);
    if (defect.empty() && !(norm(a) > 1e-150 && std::isfinite(norm(a))))
      defect = std::string(what) + " must have a direction, has length " + message_number(norm(a));
    return *this;
  }
};

}  // namespace

std::string SphericalJoint::defect() const {
  return Checker{}.finite("point_a", point_a).finite("point_b", point_b).defect;
}

std::string RevoluteJoint::defect() const {
  return Checker{}
      .finite("point_a", point_a)
      .finite("point_b", point_b)
      .axis("axis_a", axis_a)
      .axis("axis_b", axis_b)
      .defect;
}

std::string DistanceConstraint::defect() const {
  Checker c;
  c.finite("point_a", point_a).finite("point_b", point_b).finite("length", length);
  if (c.defect.empty() && !(length > 0.0)) return "length must be positive, is " + message_number(length);
  return c.defect;
}

std::string SpringDamper::defect() const {
  Checker c;
  c.finite("point_a", point_a).finite("point_b", point_b).finite("stiffness", stiffness);
  c.finite("damping", damping).finite("rest_length", rest_length);
  if (c.defect.empty() && rest_length < 0.0)
    return "rest_length must not be negative, is " + message_number(rest_length);
  return c.defect;
}

std::string PointForce::defect() const {
  return Checker{}.finite("point", point).finite("force", force).defect;
}

std::string Torque::defect() const { return Checker{}.finite("torque", torque).defect; }

}  // namespace catena
