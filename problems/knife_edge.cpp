#include <catena/model/joints.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/problems/knife_edge.hpp>

#include <cmath>
#include <limits>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, KnifeEdgeParameters& p) {
  visitor.real({"incline", "rad", "of the plane against the level; downhill is x", 0.0, 1.5}, p.incline);
  visitor.real({"gravity", "m/s^2", "its part across the plane does nothing", 0.0, 1e6}, p.gravity);
  visitor.real({"mass", "kg", "of the body", 1e-6, 1e6}, p.mass);
  visitor.real({"inertia", "kg m^2", "about the normal of the plane through the centre of mass", 1e-9, 1e9},
               p.inertia);
  visitor.real({"offset", "m", "of the blade behind the centre of mass", -1e3, 1e3}, p.offset);
  visitor.real({"heading", "rad", "of the blade against downhill, at the start", -1e3, 1e3}, p.heading);
  visitor.real({"spin", "rad/s", "at the start", -1e4, 1e4}, p.spin);
  visitor.real({"speed", "m/s", "along the blade, at the start", -1e4, 1e4}, p.speed);
}

namespace {

double downhill(const KnifeEdgeParameters& p) { return p.gravity * std::sin(p.incline); }

Vec3 along(double heading) { return {{std::cos(heading), std::sin(heading), 0.0}}; }
Vec3 across(double heading) { return {{-std::sin(heading), std::cos(heading), 0.0}}; }

// Blade under the centre: theta' is constant, u' = g cos theta with u the speed along the blade.
SkateMotion cycloid(const KnifeEdgeParameters& p, double t) {
  SkateMotion m;
  const double g = downhill(p), w = p.spin, from = p.heading;
  m.spin = w;
  m.heading = from + w * t;
  const double to = m.heading, s0 = std::sin(from), s1 = std::sin(to);
  double speed = 0.0;
  if (w == 0.0) {
    const double rate = g * std::cos(from);
    speed = p.speed + rate * t;
    m.position = (t * (p.speed + 0.5 * rate * t)) * along(from);
  } else {
    const double steady = p.speed - g / w * s0;  // u = steady + g/w sin theta
    speed = steady + g / w * s1;
    m.position = {{steady / w * (s1 - s0) + 0.5 * g / (w * w) * (s1 * s1 - s0 * s0),
                   steady / w * (std::cos(from) - std::cos(to)) +
                       g / (w * w) * (0.5 * (to - from) - 0.25 * (std::sin(2 * to) - std::sin(2 * from))),
                   0.0}};
  }
  m.velocity = speed * along(to);
  m.lambda = -p.mass * (g * s1 + speed * w);
  return m;
}

// Blade at a behind the centre, no force: u' = a w^2, w' = -(a/k^2) u w with k^2 = (J + m a^2)/m, u the speed of the
// blade; u^2 + k^2 w^2 = E^2, u = E tanh tau, w = E/k sech tau, tau' = a E/k^2, theta = (k/a) gd(tau).
SkateMotion sleigh(const KnifeEdgeParameters& p, double t) {
  SkateMotion m;
  const double a = p.offset, k = std::sqrt(p.inertia / p.mass + a * a);
  const double e = std::hypot(p.speed, k * p.spin);
  if (p.spin == 0.0) {
    m.heading = p.heading;
    m.velocity = p.speed * along(m.heading);
  } else {
    const auto gudermann = [](double tau) { return 2.0 * std::atan(std::tanh(0.5 * tau)); };
    const double turn = std::copysign(1.0, p.spin);
    const double begin = std::atanh(p.speed / e), tau = begin + a * e / (k * k) * t;
    const double u = e * std::tanh(tau);
    m.spin = turn * e / (k * std::cosh(tau));
    m.heading = p.heading + turn * k / a * (gudermann(tau) - gudermann(begin));
    m.velocity = u * along(m.heading) + (a * m.spin) * across(m.heading);
    // The only force acts at the blade, across it: J w' = -a (-lambda).
    m.lambda = -p.inertia * u * m.spin / (k * k);
  }
  m.position = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return m;
}

}  // namespace

bool has_exact_motion(const KnifeEdgeParameters& p) { return p.offset == 0.0 || downhill(p) == 0.0; }

SkateMotion exact_motion(const KnifeEdgeParameters& p, double t) {
  return p.offset == 0.0 ? cycloid(p, t) : sleigh(p, t);
}

Model KnifeEdgeProblem::model() const {
  Model model;
  model.gravity = {{downhill(p_), 0.0, 0.0}};
  const BodyId skate =
      model.add(Body{.name = "skate",
                     .mass = p_.mass,
                     .inertia = diagonal(Vec3::Constant(p_.inertia)),
                     .orientation = orientation_from_axis_angle(Vec3::Unit(2), p_.heading),
                     .velocity = p_.speed * along(p_.heading) + (p_.offset * p_.spin) * across(p_.heading),
                     .angular_velocity = {{0.0, 0.0, p_.spin}}});
  model.add(KnifeEdge{
      .bodies = {skate}, .point = {{-p_.offset, 0.0, 0.0}}, .side = Vec3::Unit(1), .name = "blade"});
  return model;
}

std::vector<ObservedPoint> KnifeEdgeProblem::observed_points() const {
  return {{"blade", 0, {{-p_.offset, 0.0, 0.0}}}};
}

std::vector<Invariant> KnifeEdgeProblem::invariants() const {
  const double speed_2 = p_.speed * p_.speed + p_.offset * p_.offset * p_.spin * p_.spin;
  std::vector<Invariant> kept = {
      {"energy", "J", 0.5 * (p_.mass * speed_2 + p_.inertia * p_.spin * p_.spin),
       "gravity is conservative and the blade does no work; the centre starts at the origin"}};
  if (p_.offset == 0.0)
    kept.push_back({"angular velocity about body z", "rad/s", p_.spin,
                    "the force on the blade goes through the centre of mass"});
  return kept;
}

std::vector<Reference> KnifeEdgeProblem::references() const {
  if (!has_exact_motion(p_)) return {};
  const char* source = "exact solution";
  std::vector<Reference> known;
  for (const double t : {1.0, 2.0, 5.0}) {
    const SkateMotion m = exact_motion(p_, t);
    const double half = 0.5 * m.heading;
    if (p_.offset == 0.0)
      known.push_back({t, "skate", "position [m]", {m.position[0], m.position[1], 0.0}, 12, source});
    known.push_back({t, "skate", "velocity [m/s]", {m.velocity[0], m.velocity[1], 0.0}, 12, source});
    known.push_back({t, "skate", "quaternion", {std::cos(half), 0.0, 0.0, std::sin(half)}, 12, source});
  }
  return known;
}

// On the incline; of the sleigh the place is not known.
std::optional<std::vector<RigidBodyState>> KnifeEdgeProblem::exact_bodies(double t) const {
  if (p_.offset != 0.0) return std::nullopt;
  const SkateMotion m = exact_motion(p_, t);
  return std::vector<RigidBodyState>{{.position = m.position,
                                      .orientation = orientation_from_axis_angle(Vec3::Unit(2), m.heading),
                                      .velocity = m.velocity,
                                      .angular_velocity = {{0.0, 0.0, m.spin}}}};
}

}  // namespace catena
