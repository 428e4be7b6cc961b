#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>

#include <cmath>

namespace catena {
namespace {

constexpr double crank = 0.3, coupler = 0.9, rocker = 0.8, ground_bar = 1.0;  // [m]

// Where the coupler meets the rocker, above both: |c - b| = coupler, |c - d| = rocker; b, d: ends of crank and
// ground bar.
Vec3 upper_joint(const Vec3& b, const Vec3& d) {
  const Vec3 way = d - b;
  const double length = norm(way);
  const double along = (coupler * coupler - rocker * rocker + length * length) / (2.0 * length);
  const double across = std::sqrt(coupler * coupler - along * along);
  return b + (1.0 / length) * (along * way + across * Vec3{{-way[1], way[0], 0.0}});
}

BodyId add_bar(Model& model, const char* name, const Vec3& from, const Vec3& to) {
  constexpr double side = 0.02, density = 1.0;  // [m], [kg/m]
  const double length = norm(to - from), mass = density * length;
  const double across = mass * (length * length + side * side) / 12.0, along = mass * side * side / 6.0;
  const double half = 0.5 * std::atan2(to[1] - from[1], to[0] - from[0]);
  return model.add(Body{.name = name,
                        .mass = mass,
                        .inertia = diagonal(Vec3{{along, across, across}}),
                        .position = 0.5 * (from + to),
                        .orientation = {std::cos(half), 0.0, 0.0, std::sin(half)}});
}

}  // namespace

void visit(OptionVisitor& visitor, FourBarParameters& p) {
  visitor.real({"gravity", "m/s^2", "along -y", 0.0, 1e6}, p.gravity);
  visitor.flag({"twin", "", "a ball joint on the crank's pivot besides its hinge"}, p.twin);
}

Model FourBar::model() const {
  Model model;
  model.gravity = {{0.0, -p_.gravity, 0.0}};
  const Vec3 a = Vec3::Zero(), b{{0.0, crank, 0.0}}, d{{ground_bar, 0.0, 0.0}}, c = upper_joint(b, d);
  const BodyId first = add_bar(model, "crank", a, b), second = add_bar(model, "coupler", b, c),
               third = add_bar(model, "rocker", d, c);
  const auto end = [](double length) { return Vec3{{0.5 * length, 0.0, 0.0}}; };
  const auto hinge = [&](const char* name, BodyId one, const Vec3& point_one, BodyId other,
                         const Vec3& point_other) {
    model.add(RevoluteJoint{.bodies = {one, other},
                            .point_a = point_one,
                            .point_b = point_other,
                            .axis_a = Vec3::Unit(2),
                            .axis_b = Vec3::Unit(2),
                            .name = name});
  };
  hinge("a", ground, a, first, -end(crank));
  hinge("b", first, end(crank), second, -end(coupler));
  hinge("c", second, end(coupler), third, end(rocker));
  hinge("d", ground, d, third, -end(rocker));
  if (p_.twin)
    model.add(
        SphericalJoint{.bodies = {ground, first}, .point_a = a, .point_b = -end(crank), .name = "twin of a"});
  return model;
}

std::vector<ObservedPoint> FourBar::observed_points() const {
  return {{"crank end", 0, {{0.5 * crank, 0.0, 0.0}}}, {"rocker end", 2, {{0.5 * rocker, 0.0, 0.0}}}};
}

std::vector<Invariant> FourBar::invariants() const {
  const Vec3 b{{0.0, crank, 0.0}}, c = upper_joint(b, Vec3{{ground_bar, 0.0, 0.0}});
  const double heights = 0.5 * (crank * crank + coupler * (crank + c[1]) + rocker * c[1]);  // times 1 kg/m
  return {{"energy", "J", p_.gravity * heights, "hinges without friction do no work; released at rest"}};
}

}  // namespace catena
