#include <catena/model/joints.hpp>
#include <catena/problems/n_four_bar.hpp>

#include <cmath>

namespace catena {
namespace {

constexpr double speed = 1.0;  // of the upper ends [m/s], of the upright bars [rad/s]

BodyId add_bar(Model& model, std::string name, const Vec3& centre, const Quat& orientation,
               const Vec3& velocity, const Vec3& angular_velocity) {
  // The planar motion does not depend on the moment about the long axis, body x.
  return model.add(Body{.name = std::move(name),
                        .mass = 1.0,
                        .inertia = diagonal(Vec3{{0.01, 1.0 / 12.0, 1.0 / 12.0}}),
                        .position = centre,
                        .orientation = orientation,
                        .velocity = velocity,
                        .angular_velocity = angular_velocity});
}

}  // namespace

void visit(OptionVisitor& visitor, NFourBarParameters& p) {
  visitor.integer({"n", "1", "number of windows", 1, 1e6}, p.n);
  visit_choice(visitor, {"joints", "1", "hinges (3 redundant rows a window) or none redundant", 0, 1},
               p.joints, {"hinges", "minimal"});
  visitor.real({"gravity", "m/s^2", "along -y", 0.0, 1e6}, p.gravity);
}

Model NFourBar::model() const {
  Model model;
  model.gravity = {{0.0, -p_.gravity, 0.0}};
  const Vec3 x = Vec3::Unit(0), y = Vec3::Unit(1), z = Vec3::Unit(2), begin = -0.5 * x, end = 0.5 * x;
  const auto hinge = [&](std::string name, BodyId one, const Vec3& point_one, BodyId other,
                         const Vec3& point_other) {
    model.add(RevoluteJoint{.bodies = {one, other},
                            .point_a = point_one,
                            .point_b = point_other,
                            .axis_a = z,
                            .axis_b = z,
                            .name = std::move(name)});
  };
  const auto post = [&](int k) {
    const std::string number = std::to_string(k);
    const Vec3 foot = static_cast<double>(k) * x;
    const BodyId bar = add_bar(model, "post " + number, foot + 0.5 * y,
                               {std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)}, 0.5 * speed * x, -speed * z);
    hinge("foot " + number, ground, foot, bar, begin);
    return bar;
  };
  BodyId left = post(0);
  for (int k = 1; k <= p_.n; ++k) {
    const std::string number = std::to_string(k);
    const BodyId beam =
        add_bar(model, "beam " + number, (k - 0.5) * x + y, Quat::Identity(), speed * x, Vec3::Zero());
    const BodyId right = post(k);
    if (p_.joints == WindowJoints::hinges) {
      hinge("left " + number, left, end, beam, begin);
      hinge("right " + number, beam, end, right, end);
    } else {
      model.add(UniversalJoint{.bodies = {left, beam},
                               .point_a = end,
                               .point_b = begin,
                               .axis_a = z,
                               .axis_b = y,
                               .name = "left " + number});
      model.add(
          SphericalJoint{.bodies = {beam, right}, .point_a = end, .point_b = end, .name = "right " + number});
    }
    left = right;
  }
  return model;
}

std::vector<ObservedPoint> NFourBar::observed_points() const {
  return {{"B0", 0, {{0.5, 0.0, 0.0}}}, {"last B", 2 * p_.n, {{0.5, 0.0, 0.0}}}};
}

std::vector<Invariant> NFourBar::invariants() const {
  const double posts = p_.n + 1, beams = p_.n;
  return {{"energy", "J", p_.gravity * (0.5 * posts + beams) + 0.5 * speed * speed * (posts / 3.0 + beams),
           "hinges without friction do no work"}};
}

std::vector<Reference> NFourBar::references() const {
  struct Upper {
    int n;
    double t, x, y, vx, vy;
  };
  static constexpr Upper known[] = {
      {1, 1.0, -0.26071267518365035635, -0.96541643915907316791, -6.63780949612175143921,
       1.79255397038893055766},
      {1, 4.0, 0.15895550425711777322, 0.98728574772776164769, 1.12539504776619699490,
       -0.18119145112531924067},
      {1, 10.0, 0.47838505776097055901, 0.87815017879120930116, 1.72726407554715363575,
       -0.94095217937151564419},
      {2, 1.0, -0.19502030194943509364, -0.98079920566217383260, -6.67667803688115806616,
       1.32757832516048721391},
      {2, 4.0, 0.11761610237680861171, 0.99305913845132510096, 1.06903926502896863668,
       -0.12661504916672028006},
      {2, 10.0, 0.32845811154081537865, 0.94451853817860096216, 1.42305147020694412328,
       -0.49486884548704295899},
      {40, 1.0, -0.11535688063210989806, -0.99332411130045018569, -6.66998752394177159078,
       0.77460009866234331520},
      {40, 4.0, 0.06934203222799917152, 0.99759294432473364615, 1.02380438798776876933,
       -0.07116397251092174285},
      {40, 10.0, 0.18051222668672839010, 0.98357274058231157488, 1.14844127746941413332,
       -0.21077006677942393178},
  };
  const char* source =
      "phi'' = k sin phi, computed for Catena with 40 digits; problem: IFToMM library of benchmark "
      "problems, A02";
  std::vector<Reference> found;
  if (p_.gravity != NFourBarParameters{}.gravity) return found;
  for (const Upper& u : known) {
    if (u.n != p_.n) continue;
    found.push_back({u.t, "B0", "position [m]", {u.x, u.y, 0.0}, 20, source});
    found.push_back({u.t, "B0", "velocity [m/s]", {u.vx, u.vy, 0.0}, 20, source});
    found.push_back({u.t, "last B", "position [m]", {u.x + u.n, u.y, 0.0}, 18, source});
  }
  return found;
}

}  // namespace catena
