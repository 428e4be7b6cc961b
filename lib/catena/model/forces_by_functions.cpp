// Forces that depend on functions: joint_force, strut, varying_force, varying_torque.
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_force.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/parts/strut.hpp>
#include <catena/model/parts/varying_force.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace catena {
using namespace detail;
namespace {

// 'actuator: the table ends at 2', or "".
std::string defect_of(const char* member, const Function& function, double x) {
  const std::string why = function.defect_at(x);
  return why.empty() ? "" : std::string(member) + ": " + why;
}

std::string defect_of(const CoordinateLaw& law, double s, double rate, double t) {
  std::string why = defect_of("actuator", *law.actuator, t);
  if (why.empty()) why = defect_of("spring", *law.spring, s);
  if (why.empty()) why = defect_of("damper", *law.damper, rate);
  return why;
}

struct LawUnits {
  const char *force, *coordinate, *rate, *stiffness, *damping;
};
constexpr LawUnits along{"N", "m", "m/s", "N/m", "N s/m"},
    about{"N m", "rad", "rad/s", "N m/rad", "N m s/rad"};

template <class E>
void visit_law(ElementVisitor& v, E& e, const LawUnits& u) {
  v.real({"stiffness", u.stiffness, "of a linear spring"}, e.stiffness);
  v.real({"damping", u.damping, "of a linear damper"}, e.damping);
  v.real({"free", u.coordinate, "coordinate at which the linear spring has no force"}, e.free);
  v.function({"spring", u.force, "force that drives the coordinate back, of the coordinate"}, e.spring,
             {u.coordinate, u.force});
  v.function({"damper", u.force, "force against the motion, of the rate"}, e.damper, {u.rate, u.force});
  v.function({"actuator", u.force, "force that drives the coordinate on, of the time"}, e.actuator,
             {"s", u.force});
  v.real({"friction", u.force, "largest Coulomb friction", 0.0}, e.friction);
  v.real({.name = "friction_rate",
          .unit = u.rate,
          .meaning = "rate at which friction is 71 % of its size, of rate / sqrt(rate^2 + friction_rate^2)",
          .minimum = 0.0,
          .above_minimum = true},
         e.friction_rate);
  joint_detail::visit_name(v, e.name);
}

template <class E>
void visit_factor(ElementVisitor& v, E& e) {
  visit_choice(v, {"axes", "", "along which it is given; body: it turns with the body"}, e.axes,
               {"world", "body"});
  v.function({"factor", "1", "by which it is multiplied, of the time"}, e.factor, {"s", "1"});
  joint_detail::visit_name(v, e.name);
}

PointForceWrench<double> at_time(const VaryingForce& e, double t) {
  return {e.point, AppliedVector<double>::make(Vec3(e.factor.at(t).value * e.force), e.axes == Axes::body)};
}
TorqueWrench<double> at_time(const VaryingTorque& e, double t) {
  return {AppliedVector<double>::make(Vec3(e.factor.at(t).value * e.torque), e.axes == Axes::body)};
}

template <class E>
Vec<double, 6> wrench_of(const E& e, const BodyFrame<double>& body, double t) {
  Vec<double, 6> w[1];
  at_time(e, t).wrench(&body, t, w);
  return w[0];
}

}  // namespace

namespace detail {

bool passed_over(const Function& spring, double from, double to) {
  if (from == to) return false;
  constexpr double noticed = 1e-2;  // of all that the energy of the spring differs by along its table
  const double at_first = spring.integral(from), slope = (spring.integral(to) - at_first) / (to - from);
  const std::vector<double> points = spring.break_points();
  double hidden = 0.0;  // [J]
  for (const double x : points)
    if (x > std::min(from, to) && x < std::max(from, to))
      hidden = std::max(hidden, std::abs(spring.integral(x) - at_first - slope * (x - from)));
  const double force = std::max(std::abs(spring.at(from).value), std::abs(spring.at(to).value));
  // Where the force is linear in between, as of a spring of long steps, a quarter is hidden at most.
  if (!(hidden > force * std::abs(to - from))) return false;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double x : points) {
    const double energy = spring.integral(x);
    least = std::min(least, energy);
    most = std::max(most, energy);
  }
  return hidden > noticed * (most - least);
}

}  // namespace detail

// An angle is compared within the half turn to which it belongs.
bool JointForce::jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const {
  constexpr double half_turn = 3.14159265358979323846;
  const auto k = kernel<double>();
  const double from = k.coordinate(before), to = k.coordinate(after);
  if (k.turns && std::abs(to - from) > half_turn) return false;
  return passed_over(spring, from, to);
}
bool Strut::jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const {
  const auto length = [this](const BodyFrame<double>* f) {
    return norm(Vec3(f[1].point(point_b) - f[0].point(point_a)));
  };
  return passed_over(spring, length(before), length(after));
}

ElementDefect JointForce::join(const Model& model) { return join_coordinate(model, *this); }

std::string JointForce::defect_at(const BodyFrame<double>* f, double t) const {
  const auto k = kernel<double>();
  return defect_of(k.law, k.coordinate(f), k.rate(f), t);
}

std::string Strut::defect_at(const BodyFrame<double>* f, double t) const {
  const auto k = kernel<double>();
  const double length = k.length(f, t);
  if (!(length > 0.0)) return "its two points are at the same place, so that it has no direction";
  return defect_of(k.law, length, rate_along(rows::Distance<double>{k.ends, length}, f), t);
}

std::string VaryingForce::defect_at(const BodyFrame<double>*, double t) const {
  return defect_of("factor", factor, t);
}
std::string VaryingTorque::defect_at(const BodyFrame<double>*, double t) const {
  return defect_of("factor", factor, t);
}

Vec<double, 6> VaryingForce::wrench(const BodyFrame<double>& body, double t) const {
  return wrench_of(*this, body, t);
}
Vec<double, 6> VaryingTorque::wrench(const BodyFrame<double>& body, double t) const {
  return wrench_of(*this, body, t);
}
void VaryingForce::derivatives(const BodyFrame<double>* f, double t, Mat<double, 6, 6>* K,
                               Mat<double, 6, 6>* D) const {
  at_time(*this, t).derivatives(f, t, K, D);
}
void VaryingTorque::derivatives(const BodyFrame<double>* f, double t, Mat<double, 6, 6>* K,
                                Mat<double, 6, 6>* D) const {
  at_time(*this, t).derivatives(f, t, K, D);
}

void visit(ElementVisitor& v, JointForce& e) {
  v.joint({"joint", "", "a joint between two markers that is listed before"}, e.joint);
  visit_choice(v, {"coordinate", "", "angle about axis_a, or displacement along it"}, e.coordinate,
               {"angle", "displacement"});
  visit_law(v, e, e.coordinate == JointCoordinate::angle ? about : along);
}

void visit(ElementVisitor& v, Strut& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  visit_law(v, e, along);
}

void visit(ElementVisitor& v, VaryingForce& e) {
  v.bodies({"bodies", "", "the body that it acts on"}, e.bodies.data(), 1);
  v.vector({"point", "m", "where it acts, body frame"}, e.point);
  v.vector({"force", "N", "where factor is 1, along `axes`"}, e.force);
  visit_factor(v, e);
}

void visit(ElementVisitor& v, VaryingTorque& e) {
  v.bodies({"bodies", "", "the body that it acts on"}, e.bodies.data(), 1);
  v.vector({"torque", "N m", "where factor is 1, along `axes`"}, e.torque);
  visit_factor(v, e);
}

}  // namespace catena
