#include <catena/model/joints.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/problems/rolling_disc.hpp>

#include <cmath>

namespace catena {

void visit(OptionVisitor& visitor, RollingDiscParameters& p) {
  visit_choice(visitor, {"form", "", "a body with joints, or Euler angles with a mass matrix M(q)"}, p.form,
               {"bodies", "euler_angles"});
  visit_choice(visitor, {"motion", "", "steady: a circle at constant lean, exact solution"}, p.motion,
               {"wobble", "steady"});
  visitor.real({"mass", "kg", "of the disc", 1e-6, 1e6}, p.mass);
  visitor.real({"radius", "m", "of the disc", 1e-6, 1e6}, p.radius);
  visitor.real({"gravity", "m/s^2", "along -z", 0.0, 1e6}, p.gravity);
  visitor.real({"heading", "rad", "at the start", -1e3, 1e3}, p.heading);
  visitor.real({"lean", "rad", "of the axis against the vertical, at the start; pi/2: upright", 1e-3, 3.14},
               p.lean);
  visitor.real({"precession", "rad/s", "rate of the heading, at the start", -1e4, 1e4}, p.precession);
  visitor.real({"lean_rate", "rad/s", "at the start; steady motion has none", -1e4, 1e4}, p.lean_rate);
  visitor.real(
      {"spin", "rad/s", "about the axis of the disc, at the start; steady motion has its own", -1e4, 1e4},
      p.spin);
}

namespace {

RollingDiscDefinition definition(const RollingDiscParameters& p) { return {p.mass, p.radius, p.gravity}; }

// The spin about the axis at which the lean stays constant: Omega w (C + m r^2) s = c (A s Omega^2 - m g r).
double steady_spin(const RollingDiscParameters& p) {
  const RollingDiscDefinition d = definition(p);
  const double s = std::sin(p.lean), c = std::cos(p.lean);
  if (p.precession == 0.0)
    throw ModelError(
        "the disc cannot roll steadily: precession must not be 0, give it a value or motion = wobble");
  return c * (d.across() * s * p.precession * p.precession - d.m * d.g * d.r) /
         (p.precession * (d.about() + d.m * d.r * d.r) * s);
}

// Velocities from the three rates; the centre as rolling has it.
RollingDiscState rolling(const RollingDiscParameters& p, double heading, double lean_rate, double spin) {
  const double s = std::sin(p.lean), c = std::cos(p.lean), r = p.radius;
  const double cp = std::cos(heading), sp = std::sin(heading);
  const double ahead = -r * spin, aside = -r * s * lean_rate;
  return {
      {{0.0, 0.0, heading, p.lean, 0.0}},
      {{ahead * cp - aside * sp, ahead * sp + aside * cp, p.precession, lean_rate, spin - p.precession * c}}};
}

bool steady(const RollingDiscParameters& p) { return p.motion == RollingDiscParameters::Motion::steady; }

}  // namespace

RollingDiscState initial_state(const RollingDiscParameters& p) {
  return steady(p) ? rolling(p, p.heading, 0.0, steady_spin(p)) : rolling(p, p.heading, p.lean_rate, p.spin);
}

RollingDiscState steady_state(const RollingDiscParameters& p, double t) {
  const double w = steady_spin(p), heading = p.heading + p.precession * t;
  RollingDiscState state = rolling(p, heading, 0.0, w);
  const double circle = p.radius * w / p.precession;  // radius of the path of the centre, with a sign
  state.q[0] = -circle * (std::sin(heading) - std::sin(p.heading));
  state.q[1] = circle * (std::cos(heading) - std::cos(p.heading));
  state.q[4] = state.v[4] * t;
  return state;
}

std::array<double, 2> steady_multipliers(const RollingDiscParameters& p, double t) {
  const double heading = p.heading + p.precession * t;
  const double size = p.mass * p.radius * steady_spin(p) * p.precession;
  return {-size * std::sin(heading), size * std::cos(heading)};
}

std::vector<RigidBodyState> RollingDiscDefinition::bodies(const Vec<double, 5>& q,
                                                          const Vec<double, 5>& v) const {
  const auto half = [](double angle, int axis) {
    Quat e{std::cos(0.5 * angle), 0.0, 0.0, 0.0};
    (axis == 0 ? e.x : e.z) = std::sin(0.5 * angle);
    return e;
  };
  const double s = std::sin(q[3]), c = std::cos(q[3]), sp = std::sin(q[4]), cp = std::cos(q[4]);
  return {{.position = {{q[0], q[1], r * s}},
           .orientation = half(q[2], 2) * half(q[3], 0) * half(q[4], 2),
           .velocity = {{v[0], v[1], r * c * v[3]}},
           .angular_velocity = {{v[2] * s * sp + v[3] * cp, v[2] * s * cp - v[3] * sp, v[2] * c + v[4]}}}};
}

std::unique_ptr<System> RollingDiscProblem::own_system() const {
  if (p_.form == RollingDiscParameters::Form::bodies) return nullptr;
  const RollingDiscState start = initial_state(p_);
  return std::make_unique<CoordinateSystem<RollingDiscDefinition>>(definition(p_), start.q, start.v);
}

Model RollingDiscProblem::model() const {
  Model model;
  if (p_.form != RollingDiscParameters::Form::bodies) return model;
  model.gravity = {{0.0, 0.0, -p_.gravity}};
  const RollingDiscDefinition d = definition(p_);
  const RollingDiscState start = initial_state(p_);
  const RigidBodyState at = d.bodies(start.q, start.v).front();
  const BodyId disc = model.add(Body{.name = "disc",
                                     .mass = d.m,
                                     .inertia = diagonal(Vec3{{d.across(), d.across(), d.about()}}),
                                     .position = at.position,
                                     .orientation = at.orientation,
                                     .velocity = at.velocity,
                                     .angular_velocity = at.angular_velocity});
  const RollingDisc rolling_joint{.bodies = {disc}, .radius = d.r, .name = "rolling"};
  DiscContact contact = contact_of(rolling_joint);
  contact.name = "contact";
  model.add(contact);
  model.add(rolling_joint);
  return model;
}

std::vector<ObservedPoint> RollingDiscProblem::observed_points() const {
  if (p_.form != RollingDiscParameters::Form::bodies) return {};
  return {{"mark on the rim", 0, {{p_.radius, 0.0, 0.0}}}};
}

std::vector<Invariant> RollingDiscProblem::invariants() const {
  const RollingDiscDefinition d = definition(p_);
  const RollingDiscState start = initial_state(p_);
  const double kinetic = 0.5 * dot(start.v, Vec<double, 5>(d.mass(start.q) * start.v));
  return {{"energy", "J", kinetic + d.potential(start.q),
           "gravity is conservative and the point in contact is at rest; the plane is z = 0"}};
}

std::vector<Reference> RollingDiscProblem::references() const {
  std::vector<Reference> known;
  const auto add = [&](double t, const RollingDiscState& at, int digits, const char* source) {
    if (p_.form == RollingDiscParameters::Form::euler_angles) {
      known.push_back({t, "coordinates", "q", std::vector<double>(at.q.e, at.q.e + 5), digits, source});
      known.push_back({t, "coordinates", "v", std::vector<double>(at.v.e, at.v.e + 5), digits, source});
      return;
    }
    const RigidBodyState b = definition(p_).bodies(at.q, at.v).front();
    known.push_back(
        {t, "disc", "position [m]", std::vector<double>(b.position.e, b.position.e + 3), digits, source});
    known.push_back(
        {t, "disc", "velocity [m/s]", std::vector<double>(b.velocity.e, b.velocity.e + 3), digits, source});
    const Quat& e = b.orientation;
    known.push_back({t, "disc", "quaternion", {e.w, e.x, e.y, e.z}, digits, source});
  };
  RollingDiscParameters computed;
  computed.form = p_.form;
  if (p_ == computed) {
    const char* source =
        "computed for Catena: Newton-Euler equations in the world frame, RK4 of 80 bits at two steps";
    add(1.0,
        {{{1.589045805597, 1.993201751370, 1.562866178485, 1.153047076994, -9.540330457564}},
         {{0.199947976737, 2.689513453045, 0.396261397417, 0.651396112536, -9.130813234056}}},
        11, source);
    add(2.0,
        {{{0.352964612122, 4.220006549349, 2.668784765750, 1.177232891571, -19.054840478818}},
         {{-2.393573646462, 1.228260917843, -0.079204250195, 0.012660303151, -8.937351067833}}},
        11, source);
  }
  if (steady(p_))
    for (const double t : {1.0, 2.0}) add(t, steady_state(p_, t), 12, "exact solution");
  return known;
}

std::optional<std::vector<RigidBodyState>> RollingDiscProblem::exact_bodies(double t) const {
  if (p_.form != RollingDiscParameters::Form::bodies || !steady(p_)) return std::nullopt;
  const RollingDiscState at = steady_state(p_, t);
  return definition(p_).bodies(at.q, at.v);
}

}  // namespace catena
